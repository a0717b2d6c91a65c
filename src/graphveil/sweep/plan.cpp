#include "graphveil/sweep/plan.h"

#include <filesystem>
#include <map>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "graphveil/artifact/read_file.h"
#include "graphveil/base/error.h"
#include "graphveil/base/json_fields.h"
#include "graphveil/base/strict_json.h"
#include "graphveil/files/toml_section.h"

namespace graphveil::sweep {
namespace {

using files::TomlSection;
using nlohmann::json;

constexpr int64_t kMostSeeds = 100'000;
const std::vector<std::string> kScores = {"accuracy",          "macro_f1",     "weighted_f1",
                                          "balanced_accuracy", "val_accuracy", "roc_auc"};

// How a size differs from what the plan says.
struct Changes {
  std::optional<std::vector<std::string>> methods, graphs, only;
  std::optional<std::vector<double>> epsilon;
  std::optional<std::vector<int64_t>> seeds;
  std::vector<std::pair<std::string, std::vector<std::string>>> options;
  // For every training and attack of rows and [[run]]: of one method, or of all (""). An option that is there already
  // gets this value.
  std::vector<std::pair<std::string, std::vector<std::string>>> words;
  std::vector<std::pair<std::string, std::string>> set;  // options that are there get these values
};

std::string value_text(const TomlSection& section, const toml::node& node, const std::string& key) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
  if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
  if (const auto* yes = node.as_boolean()) return yes->get() ? "true" : "false";
  section.refuse(&node, "'{}' must be a number, a text or true or false", key);
}

std::vector<double> numbers(const TomlSection& section, const toml::node& node, const char* key) {
  if (node.is_number()) return {section.number(node, key)};
  const toml::array* array = node.as_array();
  if (!array || array->empty()) section.refuse(&node, "'{}' must be a number or a list of numbers", key);
  std::vector<double> out;
  for (const toml::node& entry : *array) out.push_back(section.number(entry, key));
  return out;
}

// A count, or a list of seeds.
std::vector<int64_t> seeds_of(const TomlSection& section, const toml::node& node) {
  const auto seed = [&](const toml::node& entry, int64_t low, int64_t high) {
    const std::optional<int64_t> value = entry.is_integer() ? entry.value<int64_t>() : std::nullopt;
    if (!value || *value < low || *value > high) {
      section.refuse(&entry, "'seeds' must be a count from 1 to {}, or a list of whole numbers from 0", kMostSeeds);
    }
    return *value;
  };
  std::vector<int64_t> out;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& entry : *array) out.push_back(seed(entry, 0, INT64_MAX));
    if (out.empty()) section.refuse(&node, "'seeds' is empty");
    return out;
  }
  for (int64_t s = 1, count = seed(node, 1, kMostSeeds); s <= count; ++s) out.push_back(s);
  return out;
}

std::vector<std::pair<std::string, std::vector<std::string>>> options_of_table(const TomlSection& section,
                                                                               const toml::node& node) {
  const toml::table* table = node.as_table();
  if (!table) section.refuse(&node, "'options' must be a table of name = value");
  std::vector<std::pair<std::string, std::vector<std::string>>> out;
  for (const auto& [key, value] : *table) {
    std::vector<std::string> values;
    if (const toml::array* array = value.as_array()) {
      for (const toml::node& entry : *array) values.push_back(value_text(section, entry, std::string(key.str())));
      if (values.empty()) section.refuse(&value, "option '{}' has no value", key.str());
    } else {
      values.push_back(value_text(section, value, std::string(key.str())));
    }
    out.emplace_back(key.str(), std::move(values));
  }
  return out;
}

Changes read_changes(TomlSection section) {
  Changes out;
  if (const auto* node = section.find("methods")) out.methods = section.texts(*node, "methods", false);
  if (const auto* node = section.find("graphs")) out.graphs = section.texts(*node, "graphs", false);
  if (const auto* node = section.find("only")) out.only = section.texts(*node, "only", false);
  if (const auto* node = section.find("epsilon")) out.epsilon = numbers(section, *node, "epsilon");
  if (const auto* node = section.find("seeds")) out.seeds = seeds_of(section, *node);
  if (const auto* node = section.find("options")) out.options = options_of_table(section, *node);
  if (const auto* node = section.find("words")) {
    if (const toml::table* table = node->as_table()) {
      for (const auto& [method, value] : *table) {
        out.words.emplace_back(method.str(), split_words(value_text(section, value, std::string(method.str()))));
      }
    } else {
      out.words.emplace_back("", split_words(value_text(section, *node, "words")));
    }
  }
  if (const auto* node = section.find("set")) {
    const toml::table* table = node->as_table();
    if (!table) section.refuse(node, "'set' must be a table of option = value");
    for (const auto& [key, value] : *table) {
      out.set.emplace_back(key.str(), value_text(section, value, std::string(key.str())));
    }
  }
  section.refuse_other_keys();
  return out;
}

Grid read_grid(TomlSection& section, const Changes& changes) {
  Grid grid;
  grid.methods = section.texts(section.required("methods"), "methods", false);
  grid.graphs = section.texts(section.required("graphs"), "graphs", false);
  if (const auto* node = section.find("epsilon")) grid.epsilon = numbers(section, *node, "epsilon");
  const toml::node* seeds = section.find("seeds");
  if (seeds) grid.seeds = seeds_of(section, *seeds);
  if (const auto* node = section.find("fresh")) {
    if (seeds) section.refuse(node, "'fresh' and 'seeds' do not go together: fresh runs have secret randomness");
    grid.fresh = static_cast<int64_t>(seeds_of(section, *node).size());
  }
  if (const auto* node = section.find("options")) grid.options = options_of_table(section, *node);
  section.refuse_other_keys();
  if (changes.methods) grid.methods = *changes.methods;
  if (changes.graphs) grid.graphs = *changes.graphs;
  if (changes.epsilon) grid.epsilon = *changes.epsilon;
  if (changes.seeds && grid.fresh == 0) grid.seeds = *changes.seeds;
  for (const auto& [name, values] : changes.options) {
    const auto same = std::ranges::find(grid.options, name, [](const auto& option) { return option.first; });
    if (same == grid.options.end()) {
      grid.options.emplace_back(name, values);
    } else {
      same->second = values;
    }
  }
  return grid;
}

// Puts options behind a command, or in the place of those that it has.
void add_options(std::vector<std::string>& words, const std::vector<std::string>& more) {
  for (size_t i = 0; i < more.size();) {
    const bool valued = i + 1 < more.size() && !more[i + 1].starts_with("--");
    if (!valued || std::ranges::find(words, more[i]) == words.end()) {
      words.push_back(more[i]);
      if (valued) words.push_back(more[i + 1]);
    } else {
      replace_value(words, {more[i]}, more[i + 1]);
    }
    i += valued ? 2 : 1;
  }
}

// Collects runs and steps, each once.
class Collector {
 public:
  Collector(Plan& plan, const Changes& changes) : plan_(plan), changes_(changes) {}

  std::vector<std::string> changed(const std::string& command) const {
    std::vector<std::string> words = split_words(command);
    for (const auto& [name, value] : changes_.set) {
      replace_value(words, {"--" + name, "-" + name}, value);
    }
    for (std::string& word : words) word = file(word);
    if (words.empty() || (words[0] != "train" && words[0] != "attack")) return words;
    const Run run = make_run(words);
    for (const auto& [method, more] : changes_.words) {
      if (method.empty() || method == run.method) add_options(words, more);
    }
    return words;
  }

  // A made graph as it is called here: "social-3000" where the plan has "social-60000" and this size makes 3000 nodes.
  std::string file(const std::string& name) const {
    const auto found = files_.find(name);
    return found == files_.end() ? name : found->second;
  }
  std::string graph(const std::string& name) const {
    for (const auto& [planned, made] : files_) {
      if (graph_name(planned) == name) return graph_name(made);
    }
    return name;
  }

  size_t step(const std::string& command) {
    std::vector<std::string> words = changed(command);
    name_by_size(split_words(command), words);
    Run run = make_run(std::move(words));
    check_run(run);
    for (size_t i = 0; i < plan_.steps.size(); ++i) {
      if (plan_.steps[i].id == run.id) return i;
    }
    plan_.steps.push_back(std::move(run));
    return plan_.steps.size() - 1;
  }

  std::string add(Run run) {
    const auto [place, first] = seen_.emplace(run.id, plan_.runs.size());
    if (first) {
      check_run(run);
      plan_.runs.push_back(std::move(run));
    } else {
      // One run, and several figures of it.
      std::vector<std::string>& known = plan_.runs[place->second].measures;
      for (const std::string& path : run.measures) {
        if (std::ranges::find(known, path) == known.end()) known.push_back(path);
      }
    }
    return plan_.runs[place->second].id;
  }

  std::string add(const std::string& command, const std::string& row, const std::string& measures,
                  const std::vector<size_t>& after) {
    Run run = make_run(changed(command));
    run.row = row;
    run.measures = {measures};
    run.after = after;
    return add(std::move(run));
  }

 private:
  Plan& plan_;
  const Changes& changes_;
  // A file that is named after its number of nodes goes by the number that it gets.
  void name_by_size(const std::vector<std::string>& planned, std::vector<std::string>& words) {
    const auto before = value_of(planned, {"--nodes"}), now = value_of(words, {"--nodes"});
    if (words.size() < 3 || words[0] != "data" || words[1] != "generate" || !before || before == now) return;
    const std::string& name = planned[2];
    const auto digit = [&](size_t at) { return at < name.size() && name[at] >= '0' && name[at] <= '9'; };
    for (size_t at = name.find(*before); at != std::string::npos; at = name.find(*before, at + 1)) {
      if ((at > 0 && digit(at - 1)) || digit(at + before->size())) continue;
      words[2] = files_[name] = std::string(name).replace(at, before->size(), *now);
      return;
    }
  }

  std::map<std::string, size_t> seen_;
  std::map<std::string, std::string> files_;  // made ones, by the plan's name
};

bool wanted(const std::string& row, const std::vector<std::string>& only) {
  return only.empty() || std::ranges::any_of(only, [&](const std::string& part) {
           // "Table 1" is not "Table 10".
           const size_t at = row.find(part);
           if (at == std::string::npos) return false;
           const char next = at + part.size() < row.size() ? row[at + part.size()] : ' ';
           return next < '0' || next > '9';
         });
}

std::optional<double> number_or_none(const json& row, const char* name, const std::string& what) {
  return row.contains(name) ? number_or_null_field(row, name, what) : std::nullopt;
}

constexpr std::string_view kEach = "${each}";

// A row's command, with this in the place of ${each}.
std::string with_value(std::string command, const std::string& value) {
  for (size_t at = command.find(kEach); at != std::string::npos; at = command.find(kEach, at + value.size())) {
    command.replace(at, kEach.size(), value);
  }
  return command;
}

// Rows of results/reproduce/*.jsonl. One with `each` is a row of the plan for each of its values.
void add_paper_rows(Plan& plan, Collector& collect, const std::string& path, const std::vector<std::string>& only) {
  std::istringstream lines(artifact::read_text(path));
  std::string text;
  size_t found = 0;
  for (int64_t line = 1; std::getline(lines, text); ++line) {
    if (text.empty()) continue;
    const std::string what = fmt::format("{}: line {}", path, line);
    const json row = parse_strict_json(text, what);
    const std::vector<std::string> each =
        row.contains("each") ? strings_field(row, "each", what) : std::vector<std::string>{""};
    for (const std::string& value : each) {
      PaperRow out;
      out.row = string_field(row, "row", what);
      const std::string planned = string_field(row, "graph", what), part = value.empty() ? "" : ", " + value;
      if (!wanted(fmt::format("{}, {}{}", out.row, planned, part), only)) continue;
      ++found;
      std::vector<size_t> after;
      if (row.contains("generate")) {
        for (const std::string& command : strings_field(row, "generate", what)) after.push_back(collect.step(command));
      }
      out.graph = collect.graph(planned) + part;
      if (row.contains("stands_in_for") && row["stands_in_for"].is_string()) {
        out.graph += fmt::format(" for {}", row["stands_in_for"].get<std::string>());
      }
      out.paper_mean = number_or_none(row, "paper_mean", what);
      out.paper_std = number_or_none(row, "paper_std", what);
      const std::string measures = string_field(row, "measures", what);
      out.percent = row.contains("percent") ? bool_field(row, "percent", what) : measures == "test_accuracy";
      for (const auto& [name, side] : {std::pair{"published", &out.published}, {"sound", &out.sound}}) {
        if (!row.contains(name) || row[name].is_null()) continue;
        const json& from = row[name];
        const std::string path_in = from.contains("measures") ? string_field(from, "measures", what) : measures;
        const auto run = [&](const char* field) {
          return collect.add(with_value(string_field(from, field, what), value), out.row, path_in, after);
        };
        *side = PaperRow::Side{run("command"), "", path_in};
        if (from.contains("minus") && from["minus"].is_string()) (*side)->minus = run("minus");
      }
      plan.rows.push_back(std::move(out));
    }
  }
  if (found == 0) fail(ErrorKind::BadInput, "{}: no row's name holds \"{}\"", path, fmt::join(only, "\" or \""));
}

// One [[run]]: a command of its own, with the seeds behind it where it has any.
void add_own_run(Plan& plan, Collector& collect, TomlSection section, const Changes& changes,
                 const std::vector<size_t>& steps) {
  const std::string command = section.text("command");
  const std::string row = section.text_or("row", ""), measures = section.text_or("measures", "test_accuracy");
  std::vector<int64_t> seeds;
  if (const auto* node = section.find("seeds")) seeds = changes.seeds ? *changes.seeds : seeds_of(section, *node);
  const toml::node* paper = section.find("paper");
  const toml::node* deviation = section.find("paper_std");
  const bool percent = section.flag_or("percent", measures == "test_accuracy");
  section.refuse_other_keys();
  try {
    if (!seeds.empty()) {
      if (paper) section.refuse(paper, "'paper' and 'seeds' do not go together: give -r in the command");
      for (const int64_t seed : seeds) collect.add(fmt::format("{} -s {}", command, seed), row, measures, steps);
      return;
    }
    const std::string id = collect.add(command, row, measures, steps);
    PaperRow out{.row = row.empty() ? command : row,
                 .graph = make_run(split_words(command)).graph,
                 .paper_mean = std::nullopt,
                 .paper_std = std::nullopt,
                 .percent = percent,
                 .published = std::nullopt,
                 .sound = PaperRow::Side{id, "", measures}};
    if (paper) out.paper_mean = section.number(*paper, "paper");
    if (deviation) out.paper_std = section.number(*deviation, "paper_std");
    plan.rows.push_back(std::move(out));
  } catch (const Error& error) {
    section.refuse(nullptr, "{}", error.what());
  }
}

void add_grid(Collector& collect, TomlSection section, const Changes& changes, const std::vector<size_t>& steps) {
  Grid grid = read_grid(section, changes);
  for (std::string& graph : grid.graphs) graph = collect.file(graph);
  try {
    for (Run& run : grid_runs(grid)) {
      run.after = steps;
      collect.add(std::move(run));
    }
  } catch (const Error& error) {
    section.refuse(nullptr, "{}", error.what());
  }
}

// The entries of [[key]].
std::vector<const toml::table*> tables_of(const TomlSection& top, const toml::node& node, const char* key) {
  const toml::array* list = node.as_array();
  std::vector<const toml::table*> out;
  if (!list) top.refuse(&node, "'{}' must be written as [[{}]]", key, key);
  for (const toml::node& entry : *list) {
    if (!entry.is_table()) top.refuse(&entry, "'{}' must be written as [[{}]]", key, key);
    out.push_back(entry.as_table());
  }
  return out;
}

}  // namespace

Plan parse_plan(const std::string& text, const std::string& file, Size size) {
  toml::table document;
  try {
    document = toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    fail(ErrorKind::BadInput, "{}: line {}: {}", file, error.source().begin.line, error.description());
  }
  Plan plan;
  plan.text = text;
  plan.name = std::filesystem::path(file).stem().string();
  TomlSection top(file, "the plan", document);
  const auto table = [&](const char* key) -> const toml::table* {
    const toml::node* node = top.find(key);
    if (node && !node->is_table()) top.refuse(node, "'{}' must be written as [{}]", key, key);
    return node ? node->as_table() : nullptr;
  };
  plan.title = top.text_or("title", plan.name);
  plan.paper = top.text_or("paper", "");
  plan.table = top.text_or("table", "");
  plan.baseline = top.text_or("baseline", "");
  plan.metric = top.text_or("metric", plan.metric);
  if (std::ranges::find(kScores, plan.metric) == kScores.end()) {
    top.refuse(top.find("metric"), "'metric' is \"{}\"{}; there are {}", plan.metric,
               did_you_mean(plan.metric, kScores), fmt::join(kScores, ", "));
  }
  const toml::table* sizes[] = {table("full"), table("quick")};
  Changes changes;
  for (const Size each : {Size::Full, Size::Quick}) {
    const bool quick = each == Size::Quick;
    if (sizes[quick ? 1 : 0] == nullptr) continue;
    Changes read = read_changes(TomlSection(file, quick ? "[quick]" : "[full]", *sizes[quick ? 1 : 0]));
    if (each == size) changes = std::move(read);
  }
  Collector collect(plan, changes);
  std::vector<size_t> steps;
  for (const std::string& command : top.texts_or("prepare", {}, true)) steps.push_back(collect.step(command));
  if (const toml::node* grids = top.find("grid")) {
    if (const toml::table* one = grids->as_table()) {
      add_grid(collect, TomlSection(file, "[grid]", *one), changes, steps);
    } else {
      for (const toml::table* each : tables_of(top, *grids, "grid")) {
        add_grid(collect, TomlSection(file, "[[grid]]", *each), changes, steps);
      }
    }
  }
  if (const toml::node* runs = top.find("run")) {
    for (const toml::table* each : tables_of(top, *runs, "run")) {
      add_own_run(plan, collect, TomlSection(file, "[[run]]", *each), changes, steps);
    }
  }
  std::vector<std::string> only = top.texts_or("only", {});
  if (changes.only) only = *changes.only;
  if (const std::string rows = top.text_or("rows", ""); !rows.empty()) {
    add_paper_rows(plan, collect, (std::filesystem::path(file).parent_path() / rows).string(), only);
  }
  top.refuse_other_keys();
  if (plan.runs.empty()) top.refuse(nullptr, "the plan has nothing to run: give [grid], [[run]] or rows");
  return plan;
}

Plan read_plan(const std::string& path, Size size) {
  if (std::filesystem::is_directory(path)) fail(ErrorKind::Io, "{}: is a folder, want a plan (TOML)", path);
  return parse_plan(artifact::read_text(path), path, size);
}

}  // namespace graphveil::sweep
