// graphveil sweep and graphveil compare: many runs, one table.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/live_table.h"
#include "graphveil/base/error.h"
#include "graphveil/base/unfinished_path.h"
#include "graphveil/sweep/engine.h"
#include "graphveil/sweep/outputs.h"
#include "graphveil/sweep/results_file.h"
#include "graphveil/sweep/tables.h"

namespace graphveil::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// What both commands have.
struct SweepOptions {
  sweep::EngineSettings engine;
  sweep::OutputWishes wishes;
  double memory_gb = 0;
  bool list = false;
};

struct SweepCommand {
  SweepOptions options;
  std::string plan_path, size = "full";
};

struct CompareCommand {
  SweepOptions options;
  sweep::Grid grid;
  std::string methods, metric = "accuracy", baseline, words;
  std::vector<std::string> graphs;
  int64_t repeats = 5, seed = 1, fresh = 0;
  std::vector<std::pair<std::string, std::string>> typed;  // options for every method
};

void add_sweep_options(CLI::App& command, SweepOptions& options) {
  command.add_option("-o,--out", options.engine.folder, "Folder for the results; one that is there is gone on with")
      ->required();
  command
      .add_option("-j,--jobs", options.engine.jobs, "Runs at a time, each with one thread (default: all processors)")
      ->check(CLI::Range(1, 4096));
  command.add_option("--memory", options.memory_gb, "GB for all runs together (default: nine tenths of what is free)")
      ->check(CLI::Range(0.01, 1e6));
  command.add_option("--budget", options.engine.budget, "Budget book that every run reserves in");
  command.add_flag("--retry", options.engine.retry, "Also run again what failed before");
  command.add_flag("--list", options.list, "Print the commands and run none");
  command.add_flag("--csv", options.wishes.csv, "Also write results.csv: one row for each run");
  command.add_flag("--tex", options.wishes.tex, "Also write table.tex");
  command.add_flag("--svg", options.wishes.svg, "Also write accuracy.svg: accuracy against epsilon");
}

std::string own_path() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  if (error) fail(ErrorKind::Internal, "the program does not find itself: {}", error.message());
  return path.string();
}

ordered_json cells_json(const sweep::Summary& summary) {
  ordered_json list = ordered_json::array();
  for (const sweep::Cell& cell : summary.cells) {
    ordered_json values = ordered_json::object();
    for (const auto& [seed, value] : cell.values) values[std::to_string(seed)] = value;
    ordered_json ci95 = nullptr;
    if (cell.interval.low) ci95 = {*cell.interval.low, *cell.interval.high};
    const ordered_json mean = cell.values.empty() ? ordered_json(nullptr) : ordered_json(cell.interval.mean);
    list.push_back(
        {{"graph", cell.graph},
         {"label", cell.label},
         {"epsilon", cell.epsilon ? ordered_json(*cell.epsilon) : ordered_json(nullptr)},
         {"relation", cell.relation},
         {"mean", mean},
         {"ci95", ci95},
         {"values", values},
         {"failed", cell.failed},
         {"best_within_noise", cell.best},
         {"beats_majority", cell.beats_majority ? ordered_json(*cell.beats_majority) : ordered_json(nullptr)}});
  }
  return list;
}

ordered_json differences_json(const sweep::Summary& summary) {
  ordered_json list = ordered_json::array();
  for (const sweep::Difference& d : summary.differences) {
    ordered_json ci95 = nullptr;
    if (d.interval.low) ci95 = {*d.interval.low, *d.interval.high};
    list.push_back({{"graph", d.graph},
                    {"label", d.label},
                    {"against", d.against},
                    {"epsilon", d.epsilon ? ordered_json(*d.epsilon) : ordered_json(nullptr)},
                    {"mean", d.interval.mean},
                    {"ci95", ci95},
                    {"seeds", d.seeds},
                    {"apart", d.apart}});
  }
  return list;
}

std::string skipped_text(const std::vector<sweep::Skipped>& skipped) {
  std::string text;
  for (const sweep::Skipped& s : skipped) {
    text += fmt::format("skipped: {} run{} that read {}, which is not there\n", s.runs, s.runs == 1 ? "" : "s", s.path);
  }
  return text;
}

// Sentences of what failed, each once.
std::string failures_text(const sweep::Plan& plan, const std::map<std::string, sweep::Result>& results,
                          int64_t& failed) {
  std::map<std::string, std::pair<int64_t, std::string>> sentences;
  for (const auto* runs : {&plan.steps, &plan.runs}) {
    for (const sweep::Run& run : *runs) {
      const auto found = results.find(run.id);
      if (found == results.end() || found->second.done) continue;
      ++failed;
      auto& [count, command] = sentences[found->second.error];
      if (++count == 1) command = sweep::join_words(run.words);
    }
  }
  std::string text;
  for (const auto& [sentence, where] : sentences) {
    text += fmt::format("failed: {} run{}, such as {}: {}\n", where.first, where.first == 1 ? "" : "s", where.second,
                        sentence);
  }
  return text;
}

void run_sweep(const sweep::Plan& plan, SweepOptions& options, const std::string& again, Session& session) {
  if (options.list) {
    ordered_json list = ordered_json::array();
    std::string text;
    for (const auto* runs : {&plan.steps, &plan.runs}) {
      for (const sweep::Run& run : *runs) {
        const std::string command = "graphveil " + sweep::join_words(run.words);
        list.push_back({{"id", run.id}, {"row", run.label()}, {"command", command}});
        text += command + "\n";
      }
    }
    print_result(session, {{"title", plan.title}, {"runs", list}}, text);
    return;
  }
  sweep::summarize(plan, {}, plan.metric, plan.baseline);  // a baseline that is not there is found out now
  options.engine.program = own_path();
  options.engine.memory = static_cast<int64_t>(options.memory_gb * 1e9);
  sweep::Swept swept;
  {
    const Farewell words(fmt::format("\ngraphveil: stopped; what is done is kept. To go on: {}\n", again));
    LiveTable live(plan, session.quiet);
    swept = sweep::run_plan(plan, options.engine, [&](const sweep::SweepState& state) { live.show(state); });
  }
  const sweep::Summary summary = sweep::summarize(plan, swept.results, plan.metric, plan.baseline);
  const std::vector<std::string> paths =
      sweep::write_outputs(options.engine.folder, plan, summary, swept.results, options.wishes);
  int64_t failed = 0;
  const std::string failures = failures_text(plan, swept.results, failed);
  std::string text = sweep::text_table(summary);
  for (const std::string& part : {sweep::text_differences(summary), sweep::text_notes(summary),
                                  sweep::text_rows(plan, swept.results), skipped_text(swept.skipped), failures}) {
    if (!part.empty()) text += (text.empty() ? "" : "\n") + part;
  }
  text += fmt::format("\n{}: results.jsonl", options.engine.folder);
  for (const std::string& path : paths) text += ", " + fs::path(path).filename().string();
  ordered_json object{{"title", plan.title},
                      {"runs", plan.runs.size()},
                      {"failed", failed},
                      {"metric", summary.metric},
                      {"majority", summary.majority},
                      {"cells", cells_json(summary)},
                      {"differences", differences_json(summary)},
                      {"skipped", ordered_json::array()},
                      {"out", options.engine.folder}};
  for (const sweep::Skipped& s : swept.skipped) object["skipped"].push_back({{"path", s.path}, {"runs", s.runs}});
  print_result(session, object, text + "\n");
  if (failed > 0) session.exit_code = kAnswerIsNo;
}

// Where relative paths of a plan begin.
std::string data_folder(const std::string& given) {
  if (!given.empty()) return given;
  if (const char* named = std::getenv("GRAPHVEIL_DATA"); named != nullptr && *named != '\0') {
    return (fs::path(named) / "data").string();
  }
  return "";
}

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> out;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    std::string part = list.substr(begin, end - begin);
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    require(!part.empty(), "'{}' has an empty entry; write the methods as lap,gap-ndp", list);
    out.push_back(part);
    begin = end + 1;
  }
  return out;
}

// A comparison may grow in its folder, and be asked for in part; another one would put its table in the place of this.
void check_same_comparison(const sweep::Plan& plan, const std::string& folder) {
  const std::string path = (fs::path(folder) / sweep::kResults).string();
  if (!fs::exists(path)) return;
  std::set<std::string> there, wanted;
  for (const sweep::Result& result : sweep::read_results(path).lines) there.insert(result.id);
  for (const sweep::Run& run : plan.runs) wanted.insert(run.id);
  if (std::ranges::includes(wanted, there) || std::ranges::includes(there, wanted)) return;
  fail(ErrorKind::Io,
       "{}: holds another comparison (its results.jsonl says which), and this one would overwrite its table; choose "
       "another "
       "--out, or ask for all that was compared there and more",
       folder);
}

void run_compare(CompareCommand& command, const std::string& again, Session& session) {
  sweep::Grid& grid = command.grid;
  grid.methods = parts_of(command.methods);
  grid.graphs = command.graphs;
  grid.fresh = command.fresh;
  grid.seeds.clear();
  for (int64_t r = 0; r < command.repeats; ++r) grid.seeds.push_back(command.seed + r);
  for (const auto& [name, value] : command.typed) grid.options.push_back({name, {value}});
  for (std::string& method : grid.methods) {
    if (!command.words.empty()) method += " " + command.words;
  }
  const std::string title = fmt::format("{} on {}", fmt::join(grid.methods, ", "), [&] {
    std::vector<std::string> names;
    for (const std::string& graph : grid.graphs) names.push_back(sweep::graph_name(graph));
    return fmt::format("{}", fmt::join(names, ", "));
  }());
  for (const std::string& graph : grid.graphs) {
    if (!fs::exists(graph)) fail(ErrorKind::Io, "{}: there is no such file or folder", graph);
  }
  const sweep::Plan plan = sweep::plan_of(grid, title, command.metric, command.baseline);
  if (!command.options.list) check_same_comparison(plan, command.options.engine.folder);
  run_sweep(plan, command.options, again, session);
}

}  // namespace

void add_sweep_commands(CLI::App& app, Session& session, const std::vector<std::string>& words) {
  const std::string again = "graphveil " + sweep::join_words(words);
  {
    auto command = std::make_shared<SweepCommand>();
    CLI::App* sub = app.add_subcommand(
        "sweep",
        "Run a plan: methods, graphs, budgets, seeds, or the rows of a paper's table; goes on where it stopped. For "
        "example: graphveil sweep plans/gap-table-2.toml --size quick --out runs/gap-2");
    sub->add_option("plan", command->plan_path, "Plan (TOML), see docs/formats.md")->required();
    sub->add_option("--size", command->size, "quick: minutes. full: as the paper has it")
        ->check(CLI::IsMember({"quick", "full"}))
        ->capture_default_str();
    sub->add_option("--data", command->options.engine.data_folder,
                    "Folder where the plan's graphs lie (default: GRAPHVEIL_DATA/data, else the present folder)");
    add_sweep_options(*sub, command->options);
    add_common_options(*sub, session);
    sub->callback([command, again, &session] {
      command->options.engine.data_folder = data_folder(command->options.engine.data_folder);
      const auto size = command->size == "quick" ? sweep::Size::Quick : sweep::Size::Full;
      run_sweep(sweep::read_plan(command->plan_path, size), command->options, again, session);
    });
  }
  auto command = std::make_shared<CompareCommand>();
  CLI::App* sub = app.add_subcommand("compare",
                                     "Compare methods at several budgets, on the same splits; goes on where it "
                                     "stopped. For example: graphveil compare "
                                     "lap,gap-ndp,mlp-dp --data G --epsilon 1,2,4,8 --repeats 10 --out runs/compared");
  sub->add_option("methods", command->methods, "Methods, with commas; each may have options: \"lap,gap-ndp --hops 2\"")
      ->required();
  sub->add_option("--data", command->graphs, "Graphs: files or folders, with commas or one after the other")
      ->required()
      ->delimiter(',');
  sub->add_option("-e,--epsilon", command->grid.epsilon, "Budgets, with commas")->delimiter(',')->capture_default_str();
  sub->add_option("-r,--repeats", command->repeats, "Seeds of every cell, each with its own split")
      ->check(CLI::Range(int64_t{1}, int64_t{100'000}))
      ->capture_default_str();
  sub->add_option("-s,--seed", command->seed, "The first of the seeds")
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000'000}))
      ->capture_default_str();
  sub->add_option("--fresh", command->fresh,
                  "Instead of seeds: so many runs with secret randomness, whose folders are kept and may be released")
      ->check(CLI::Range(int64_t{1}, int64_t{100'000}));
  for (const char* name : {"relation", "protect-degree", "delta", "split", "preset", "accounting"}) {
    sub->add_option_function<std::string>(
           fmt::format("--{}", name),
           [command, name](const std::string& value) { command->typed.emplace_back(name, value); },
           "For every method, as in `train`")
        ->type_name("VALUE");
  }
  sub->add_option("--options", command->words, "More options for every method, in quotes: \"--hops 2 --epochs 50\"");
  sub->add_option("--metric", command->metric, "What is compared")
      ->check(CLI::IsMember({"accuracy", "macro_f1", "weighted_f1", "balanced_accuracy", "val_accuracy", "roc_auc"}))
      ->capture_default_str();
  sub->add_option("--baseline", command->baseline, "Method that others are compared with (default: the best)");
  add_sweep_options(*sub, command->options);
  add_common_options(*sub, session);
  sub->callback([command, again, &session] { run_compare(*command, again, session); });
}

}  // namespace graphveil::cli
