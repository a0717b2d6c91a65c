#include "cli/help.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>
#include <vector>

#include <fmt/format.h>

namespace graphveil::cli {
namespace {

constexpr int64_t kLeft = 26;  // columns of names, and two blanks

struct OptionGroup {
  const char* title;
  bool common;
  std::vector<const char*> names;
};

constexpr const char* kDefaultGroup = "Options";  // what CLI11 calls it
constexpr const char* kMethodGroup = "Settings of the method";

// In the order in which they are shown. What a method has beyond these is in kMethodGroup.
const std::vector<OptionGroup>& option_groups() {
  static const std::vector<OptionGroup> kGroups{
      {"Data",
       true,
       {"data", "private", "public", "private-nodes", "public-nodes", "public-test", "split", "coverage",
        "mean-degree"}},
      {"Privacy", true, {"epsilon", "delta", "relation", "protect-degree"}},
      {"Training", true, {"preset", "tune", "epochs"}},
      {"The run", true, {"out", "seed", "quick", "rehearse", "majority", "json", "help"}},
      {"More about privacy",
       false,
       {"noise-multiplier", "accounting", "public-labels", "balanced", "propagate", "alpha", "propagate-on"}},
      {"More about data and judging", false, {"target", "metric", "repeats", "compare", "tune-over"}},
      {"More about the run",
       false,
       {"budget", "sign", "data-name", "controller", "purpose", "people", "config", "checkpoint-every",
        "checkpoint-key", "curves", "log-tensorboard", "log-mlflow", "threads", "memory", "scratch", "stall-timeout",
        "quiet"}},
      {kMethodGroup, false, {"full-batch"}},
  };
  return kGroups;
}

const OptionGroup* group_called(const std::string& title) {
  for (const OptionGroup& group : option_groups()) {
    if (title == group.title) return &group;
  }
  return nullptr;
}

// An option goes by its last name: the others are what it was called before.
const OptionGroup* group_of(const CLI::Option& option) {
  if (option.get_lnames().empty()) return nullptr;
  for (const OptionGroup& group : option_groups()) {
    if (std::ranges::find(group.names, option.get_lnames().back()) != group.names.end()) return &group;
  }
  return nullptr;
}

bool shown(const CLI::Option& option, CLI::AppFormatMode mode) {
  if (option.get_group().empty() || option.get_positional() || option.check_name("--help-all")) return false;
  const OptionGroup* group = group_called(option.get_group());
  return mode == CLI::AppFormatMode::All || group == nullptr || group->common;
}

// "-e, --epsilon", and what a plain option takes.
std::string left_of(const CLI::Option& option) {
  std::string text;
  for (const std::string& name : option.get_snames()) text += (text.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) text += (text.empty() ? "--" : ", --") + name;
  const std::string type = option.get_type_name();
  if (option.get_type_size() != 0 && !type.starts_with("[")) text += " " + type.substr(0, type.find(':'));
  return text;
}

std::string right_of(const CLI::Option& option) {
  std::string text = option.get_description();
  const std::string type = option.get_type_name();
  if (type.starts_with("[")) return text + " " + type;
  if (option.get_type_size() == 0) return text;
  if (const size_t at = type.find(':'); at != std::string::npos) text += " (" + type.substr(at + 1) + ")";
  if (!option.get_default_str().empty()) text += " [default " + option.get_default_str() + "]";
  if (option.get_required()) text += " (required)";
  return text;
}

// Lines that somebody wrote as they should stand, those that are too long broken: a command so that it can be copied.
std::string fitted(std::string_view text, int64_t width) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto blanks = static_cast<int64_t>(std::min(line.find_first_not_of(' '), line.size()));
    const bool command = line.substr(static_cast<size_t>(blanks)).starts_with("graphveil ");
    std::string broken = wrapped(line, command ? width - 2 : width, blanks + (command ? 4 : 0), blanks);
    if (command) {
      for (size_t at = broken.find('\n'); at != std::string::npos; at = broken.find('\n', at + 3)) {
        broken.insert(at, " \\");
      }
    }
    out += std::string(static_cast<size_t>(blanks), ' ') + broken + "\n";
  }
  return out;
}

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    const int64_t width = terminal_width();
    std::string text = wrapped(app->get_description(), width) + "\n" + make_usage(app, name);
    text += positionals(*app, width);
    // Groups in the order of the table, those that it does not have first.
    std::vector<std::string> titles;
    for (const CLI::Option* option : app->get_options()) {
      const std::string title = option->get_group();
      if (group_called(title) == nullptr && std::ranges::find(titles, title) == titles.end()) titles.push_back(title);
    }
    for (const OptionGroup& group : option_groups()) titles.emplace_back(group.title);
    for (const std::string& title : titles) text += options(*app, title, mode, width);
    text += commands(*app, width);
    const auto hidden = std::ranges::count_if(app->get_options(), [&](const CLI::Option* o) {
      return !shown(*o, mode) && shown(*o, CLI::AppFormatMode::All);
    });
    if (hidden > 0) text += fmt::format("\n{} more options: {} --help-all\n", hidden, name);
    if (!app->get_footer().empty()) text += "\n" + fitted(app->get_footer(), width);
    return text;
  }

 private:
  static std::string positionals(const CLI::App& app, int64_t width) {
    std::string text;
    for (const CLI::Option* option : app.get_options()) {
      if (!option->get_positional() || option->get_group().empty()) continue;
      if (text.empty()) text = "\nArguments:\n";
      text += help_row(option->get_name(true, false), right_of(*option), width);
    }
    return text;
  }

  static std::string options(const CLI::App& app, const std::string& title, CLI::AppFormatMode mode, int64_t width) {
    std::string text;
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_group() != title || !shown(*option, mode)) continue;
      if (text.empty()) text = fmt::format("\n{}:\n", title);
      text += help_row(left_of(*option), right_of(*option), width);
    }
    return text;
  }

  static std::string commands(const CLI::App& app, int64_t width) {
    std::vector<std::string> titles;
    const auto all = app.get_subcommands([](const CLI::App* s) { return !s->get_group().empty(); });
    for (const CLI::App* sub : all) {
      if (std::ranges::find(titles, sub->get_group()) == titles.end()) titles.push_back(sub->get_group());
    }
    std::string text;
    for (const std::string& title : titles) {
      text += fmt::format("\n{}:\n", title == "Subcommands" ? "Commands" : title);
      for (const CLI::App* sub : all) {
        if (sub->get_group() == title) text += help_row(sub->get_name(), sub->get_description(), width);
      }
    }
    return text;
  }
};

}  // namespace

int64_t terminal_width() {
  constexpr int64_t kUsual = 80, kLeast = 60, kMost = 120;
  int64_t width = 0;
  if (const char* columns = std::getenv("COLUMNS")) {
    const std::string_view text = columns;
    std::from_chars(text.data(), text.data() + text.size(), width);
  }
  winsize size{};
  if (width <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width <= 0 ? kUsual : std::clamp(width, kLeast, kMost);
}

std::string wrapped(std::string_view text, int64_t width, int64_t indent, int64_t used) {
  std::string out;
  int64_t column = used;
  bool fresh = true;  // nothing stands on this line yet
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    // Letters beyond ASCII have bytes that only continue one.
    const auto letters = std::ranges::count_if(word, [](char c) { return (c & 0xC0) != 0x80; });
    if (!fresh && column + 1 + letters > width) {
      out += "\n" + std::string(static_cast<size_t>(indent), ' ');
      column = indent;
      fresh = true;
    }
    if (!fresh) out += ' ';
    out += word;
    column += letters + (fresh ? 0 : 1);
    fresh = false;
  }
  return out;
}

std::string help_row(std::string_view left, std::string_view right, int64_t width) {
  std::string text = fmt::format("  {:<{}}", left, kLeft - 2);
  if (right.empty()) return fmt::format("  {}\n", left);
  if (static_cast<int64_t>(left.size()) > kLeft - 4) {
    text = fmt::format("  {}\n{:{}}", left, "", kLeft);
  }
  return text + wrapped(right, width, kLeft, kLeft) + "\n";
}

std::shared_ptr<CLI::Formatter> help_formatter() { return std::make_shared<HelpFormatter>(); }

void group_options(CLI::App& command, const Options& table) {
  for (CLI::Option* option :
       command.get_options([](const CLI::Option* o) { return o->get_group() == kDefaultGroup; })) {
    const auto& names = option->get_lnames();
    const bool of_table =
        std::ranges::any_of(names, [&](const std::string& name) { return table.find(name) != nullptr; });
    if (const OptionGroup* group = group_of(*option)) {
      option->group(group->title);
    } else if (of_table) {
      option->group(kMethodGroup);
    }
  }
}

std::string start_text() {
  return "graphveil: graph neural networks on data about people, with a privacy guarantee.\n"
         "  your tables     graphveil data schema --nodes people.csv --edges friends.csv\n"
         "  or a toy graph  graphveil data generate g.gvg --preset tiny\n"
         "  first run       graphveil train auto --data g.gvg --epsilon 2 --out run1\n"
         "  and then        graphveil --help, graphveil methods, graphveil advise --help\n";
}

}  // namespace graphveil::cli
