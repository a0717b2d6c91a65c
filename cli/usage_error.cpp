#include "cli/usage_error.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "graphveil/base/similar.h"

namespace graphveil::cli {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App* s) { return !s->get_group().empty(); })) {
    names.push_back(sub->get_name());
  }
  return names;
}

// The long ones, with their dashes.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

const CLI::Option* option_called(const CLI::App& app, const std::string& name) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->check_name(name)) return option;
  }
  return nullptr;
}

// Whether a word that is no command may follow.
bool takes_words(const CLI::App& app) {
  const std::vector<const CLI::Option*> options = app.get_options();
  return std::any_of(options.begin(), options.end(), [](const CLI::Option* o) { return o->get_positional(); });
}

// "graphveil train lap".
std::string called(const CLI::App& app) {
  return app.get_parent() ? called(*app.get_parent()) + " " + app.get_name() : app.get_name();
}

bool is_number(const std::string& text) {
  return text.size() > 1 && (std::isdigit(static_cast<unsigned char>(text[1])) || text[1] == '.');
}

// The first option of the arguments that the command does not have.
std::optional<std::string> unknown_option(const CLI::App& app, const std::vector<std::string>& arguments, size_t from) {
  for (size_t i = from; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") return std::nullopt;
    if (argument.size() < 2 || argument[0] != '-' || is_number(argument)) continue;
    const bool is_long = argument[1] == '-';
    const std::string name = is_long ? argument.substr(0, argument.find('=')) : argument.substr(0, 2);
    const CLI::Option* option = option_called(app, name);
    if (!option) return is_long ? name : argument;
    // Its value may begin with a dash.
    if (option->get_items_expected_min() > 0 && argument.find('=') == std::string::npos && argument == name) ++i;
  }
  return std::nullopt;
}

// An option that the commands below have: one of them was left out before it. Empty: it is not that.
std::string too_early(const CLI::App& app, const std::string& option) {
  const std::vector<std::string> names = command_names(app);
  const CLI::App* having = nullptr;
  for (const std::string& name : names) {
    const CLI::App* sub = app.get_subcommand(name);
    if (option_called(*sub, option) == nullptr) continue;
    if (having == nullptr || name == "auto") having = sub;
  }
  if (having == nullptr) return "";
  const bool methods = std::find(names.begin(), names.end(), "auto") != names.end();
  return fmt::format("{}: {} is missing before '{}'; for example {} {} ...{}", called(app),
                     methods ? "a method" : "a command", option, called(*having), option,
                     methods ? "; `graphveil methods` lists them all" : "");
}

}  // namespace

std::string usage_error(const CLI::App& app, const std::vector<std::string>& arguments, const CLI::ParseError& error) {
  const CLI::App* command = &app;
  size_t at = 0;
  while (at < arguments.size()) {
    const std::vector<std::string> names = command_names(*command);
    if (names.empty()) break;
    if (std::find(names.begin(), names.end(), arguments[at]) != names.end()) {
      command = command->get_subcommand(arguments[at++]);
      continue;
    }
    if (arguments[at].starts_with("-") || takes_words(*command)) break;
    return fmt::format("{}: there is no command '{}'{}", called(*command), arguments[at],
                       did_you_mean(arguments[at], names));
  }
  if (const std::optional<std::string> name = unknown_option(*command, arguments, at)) {
    if (const std::string early = too_early(*command, *name); !early.empty()) return early;
    return fmt::format("{}: there is no option '{}'{}", called(*command), *name,
                       name->starts_with("--") ? did_you_mean(*name, option_names(*command)) : "");
  }
  const std::vector<std::string> names = command_names(*command);
  if (at == arguments.size() && command->get_require_subcommand_min() > 0 && !names.empty()) {
    return fmt::format("{}: a command is missing, one of {}", called(*command), fmt::join(names, ", "));
  }
  return fmt::format("{}: {} (see --help)", called(*command), error.what());
}

}  // namespace graphveil::cli
