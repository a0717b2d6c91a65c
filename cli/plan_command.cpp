// graphveil plan: what a run on a large graph will take, in noise, time, memory and traffic, from public numbers alone.
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/method_options.h"
#include "graphveil/artifact/words.h"
#include "graphveil/method/registry.h"
#include "graphveil/run/forecast.h"

namespace graphveil::cli {
namespace {

using nlohmann::ordered_json;

struct PlanCommand {
  std::unique_ptr<run::Experiment> experiment;
  TypedOptions typed;
  std::string preset = "default";
  bool directed = false;
  int64_t nodes = 0, edges = 0, features = 0;
  int32_t classes = 2;
  std::optional<int64_t> train_nodes;
  std::optional<double> row_entries;
  run::Machines machines;
};

std::string bytes_text(double bytes) {
  if (bytes >= 1e12) return fmt::format("{:.3g} TB", bytes / 1e12);
  if (bytes >= 1e9) return fmt::format("{:.3g} GB", bytes / 1e9);
  return fmt::format("{:.3g} MB", bytes / 1e6);
}

std::string time_text(double seconds) {
  if (seconds >= 7200) return fmt::format("{:.3g} hours", seconds / 3600);
  if (seconds >= 120) return fmt::format("{:.3g} minutes", seconds / 60);
  return fmt::format("{:.2g} s", seconds);
}

std::string forecast_text(const run::Forecast& forecast, const run::Machines& machines) {
  std::string text =
      fmt::format("\nAbout {} on {}:\n", time_text(forecast.seconds),
                  machines.ranks == 1 ? fmt::format("{} threads of one machine", machines.threads)
                                      : fmt::format("{} ranks of {} threads", machines.ranks, machines.threads));
  for (const run::ForecastPart& part : forecast.parts) {
    if (part.seconds > 0) text += fmt::format("  {:<22} {}\n", part.what, time_text(part.seconds));
  }
  text += fmt::format("\nThe graph's file has about {}; a rank holds about {} at most", bytes_text(forecast.file_bytes),
                      bytes_text(forecast.memory_bytes));
  if (forecast.traffic_bytes > 0) {
    text += fmt::format(",\nand receives {} in each of {:.0f} sums over neighbors, if neighbors are anybody",
                        bytes_text(forecast.traffic_bytes), forecast.work.sums);
  }
  if (forecast.turn_bytes > 0) {
    text += fmt::format("; it sends on {:.0f} sums of a training, {} each on average", forecast.work.turns,
                        bytes_text(forecast.turn_bytes));
  }
  text += ".\n";
  if (forecast.first_rank_bytes > 0) {
    text += fmt::format("Rank 0 holds {} more: predictions and released sums of all, which it writes.\n",
                        bytes_text(forecast.first_rank_bytes));
  }
  if (forecast.gathers) {
    text += wrapped(
        "With so few training nodes every rank gathers the rows of all in every step: far more bytes than these, and "
        "nothing gained. One rank is best (docs/howto/many-machines.md).\n",
        terminal_width());
  }
  return text +
         wrapped(
             "A forecast from public numbers, with costs measured on one machine: yours may be twice as fast or slow "
             "(docs/scale.md).",
             terminal_width()) +
         "\n";
}

ordered_json forecast_json(const run::Forecast& forecast, const run::Machines& machines) {
  ordered_json parts = ordered_json::object();
  for (const run::ForecastPart& part : forecast.parts) parts[part.what] = part.seconds;
  const method::Work& work = forecast.work;
  return {{"ranks", machines.ranks},
          {"threads", machines.threads},
          {"seconds", forecast.seconds},
          {"parts", parts},
          {"memory_bytes", forecast.memory_bytes},
          {"traffic_bytes", forecast.traffic_bytes},
          {"turn_bytes", forecast.turn_bytes},
          {"gathers", forecast.gathers},
          {"file_bytes", forecast.file_bytes},
          {"first_rank_bytes", forecast.first_rank_bytes},
          {"work",
           {{"sums", work.sums},
            {"edge_terms", work.edge_terms},
            {"noise", work.noise},
            {"samples", work.samples},
            {"own_products", work.own_products},
            {"products", work.products},
            {"turns", work.turns},
            {"turn_numbers", work.turn_numbers},
            {"node_numbers", work.node_numbers}}}};
}

void run_plan(const PlanCommand& command, const Session& session) {
  run::Experiment& experiment = *command.experiment;
  experiment.use_preset(command.preset);
  for (const auto& [name, value] : command.typed) experiment.set(name, value);
  const method::PublicFacts facts{command.nodes, command.train_nodes.value_or(usual_train_nodes(command.nodes)),
                                  command.features, command.classes, 0};
  const run::Prepared prepared = run::prepare(experiment, run::chosen_relation(experiment, !command.directed), facts);
  const method::GraphSize graph{static_cast<double>(command.edges),
                                command.row_entries.value_or(static_cast<double>(command.features))};
  const std::optional<run::Forecast> forecast = run::forecast(prepared, graph, command.machines);

  const std::string method = experiment.method().describe().name;
  const std::string relation(bound::name(prepared.setting.relation));
  ordered_json lines = ordered_json::array();
  std::string text = fmt::format("{} under {}, epsilon {} at delta {:.3g}, with\n", method, relation,
                                 artifact::epsilon_text(prepared.cap, 4), prepared.delta);
  for (const mechanism::PlanLine& line : prepared.plan.lines()) {
    const double noise = mechanism::noise_scale(line);
    lines.push_back({{"label", line.event.label()}, {"noise", noise}, {"count", line.event.count()}});
    text += fmt::format("  {:<22} noise {:.4g}, {} times\n", line.event.label(), noise, line.event.count());
  }
  ordered_json object{{"method", method},
                      {"relation", relation},
                      {"epsilon", prepared.cap},
                      {"delta", prepared.delta},
                      {"noise", lines}};
  if (forecast) {
    object.update(forecast_json(*forecast, command.machines));
    text += forecast_text(*forecast, command.machines);
  } else {
    text += fmt::format("\n{} has no forecast of time and memory: nobody has counted yet what it does.\n", method);
  }
  print_result(session, object, text);
}

void add_method_plan(CLI::App& plan, const std::string& name, Session& session) {
  auto command = std::make_shared<PlanCommand>();
  command->experiment = std::make_unique<run::Experiment>(name);
  CLI::App* sub = plan.add_subcommand(name, "What " + name + " will take");
  sub->add_option("--nodes", command->nodes, "Nodes")
      ->required()
      ->check(CLI::Range(int64_t{2}, int64_t{2'000'000'000}));
  sub->add_option("--edges", command->edges, "Directed edges: an undirected one counts twice")
      ->required()
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000'000'000'000}));
  sub->add_option("--features", command->features, "Feature columns")
      ->required()
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000'000}));
  sub->add_option("--classes", command->classes, "Classes")
      ->required()
      ->check(CLI::Range(int32_t{2}, int32_t{1'000'000}));
  sub->add_option("--train-nodes", command->train_nodes, "Nodes that train (default: 75% of them)")
      ->check(CLI::Range(int64_t{1}, int64_t{2'000'000'000}));
  sub->add_option("--row-entries", command->row_entries,
                  "Feature values that are stored in a row, where features are sparse (default: all columns)")
      ->check(CLI::Range(1e-3, 1e9));
  sub->add_option("--ranks", command->machines.ranks, "Processes of mpirun, each with its share of the rows")
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000}))
      ->capture_default_str();
  sub->add_option("--rank-threads", command->machines.threads, "Threads of each process")
      ->check(CLI::Range(int64_t{1}, int64_t{4096}))
      ->capture_default_str();
  sub->add_option("--network", command->machines.gigabits, "Gigabits a second that a rank can receive")
      ->check(CLI::Range(1e-3, 1e6))
      ->capture_default_str();
  sub->add_flag("--directed", command->directed, "The graph is directed");
  sub->add_option("--preset", command->preset, preset_help(command->experiment->method()))->capture_default_str();
  add_method_options(*sub, command->experiment->options(), command->typed);
  add_common_options(*sub, session);
  group_options(*sub, command->experiment->options());
  sub->callback([command, &session] { run_plan(*command, session); });
}

}  // namespace

void add_plan_command(CLI::App& app, Session& session, bool whole) {
  CLI::App* plan = app.add_subcommand(
      "plan", "What a run on a large graph takes: noise, time, memory and traffic, from public numbers alone");
  plan->require_subcommand(1);
  if (!whole) return;
  for (const std::string& name : method::method_names()) {
    const auto method = method::make_method(name);
    if (!method->relations().empty() && !method->wants_public_graph()) add_method_plan(*plan, name, session);
  }
}

}  // namespace graphveil::cli
