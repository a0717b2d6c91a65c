#include "graphveil/run/forecast.h"

#include <algorithm>
#include <cmath>

#include "graphveil/base/error.h"

namespace graphveil::run {
namespace {

// Nanoseconds of one thread, as `bench/scale model --fit` found them (docs/scale.md).
struct Costs {
  double byte_read = 10;       // of the graph's file: read, checked, and brought into the form that a method wants
  double edge_term = 1;        // an edge and a column of what is summed
  double noise = 43;           // a number with noise of its own, and what is done with every row until it is written
  double sample = 108;         // a row of a training, beside its products
  double own_product = 0.056;  // a feature value with a unit
  double product = 0.051;      // other multiply-adds
  double text = 6.3;           // a number of a prediction, in the predictions' file
  double hash = 1.7;           // and in the hash of that, which one thread makes
};
constexpr Costs kCosts{};
constexpr double kStartSeconds = 0.05;  // of the program, calibration included
// What one more thread adds: not all of a thread, since threads share memory's bandwidth.
constexpr double kThreadYield = 0.8;
// Until the next rank goes on with a sum: a guess.
constexpr double kTurnSeconds = 5e-5;
constexpr double kProgramBytes = 60e6;
constexpr double kNumber = sizeof(Real);
constexpr double kNanosecond = 1e-9;

double threads_worth(int64_t threads) { return 1 + kThreadYield * static_cast<double>(threads - 1); }

double feature_bytes(const method::PublicFacts& facts, const method::GraphSize& graph) {
  const auto nodes = static_cast<double>(facts.nodes);
  const bool dense = graph.row_entries >= static_cast<double>(facts.features);
  return dense ? nodes * static_cast<double>(facts.features) * kNumber
               : nodes * (graph.row_entries * (sizeof(int32_t) + kNumber) + sizeof(int64_t));
}

// One end of every edge, where each row begins, labels, features.
double graph_bytes(const Prepared& prepared, const method::GraphSize& graph) {
  const auto nodes = static_cast<double>(prepared.setting.facts.nodes);
  return graph.edges * sizeof(int32_t) + nodes * (sizeof(int64_t) + sizeof(int32_t)) +
         feature_bytes(prepared.setting.facts, graph);
}

// How many rows of others a rank's edges name, where neighbors are anybody: the most that there can be.
double rows_of_others(double nodes, double edges, double ranks) {
  const double others = nodes * (1 - 1 / ranks);
  return others * -std::expm1(-edges / ranks / nodes);
}

// Predictions and released sums come to rank 0, which writes them.
void add_first_rank(Forecast& forecast, const method::Work& work, const method::PublicFacts& facts,
                    const Machines& machines) {
  const auto nodes = static_cast<double>(facts.nodes), classes = static_cast<double>(facts.classes);
  const double others = 1 - 1 / static_cast<double>(machines.ranks);
  forecast.first_rank_bytes = nodes * (classes + work.sums * work.columns) * kNumber;
  const double travel = others * forecast.first_rank_bytes * 8 / (machines.gigabits * 1e9);
  const double text = kCosts.text / threads_worth(machines.threads) + kCosts.hash;
  forecast.parts.push_back({"all rows to rank 0", travel});
  forecast.parts.push_back({"their text there", others * nodes * classes * text * kNanosecond});
}

}  // namespace

std::optional<Forecast> forecast(const Prepared& prepared, const method::GraphSize& graph, const Machines& machines) {
  const method::PublicFacts& facts = prepared.setting.facts;
  require(facts.nodes >= 1 && facts.train_nodes >= 1 && facts.train_nodes <= facts.nodes,
          "--nodes is {} and {} of them train, want at least one that trains", facts.nodes, facts.train_nodes);
  require(graph.edges >= 0 && std::isfinite(graph.edges), "--edges is {}, want 0 or more", graph.edges);
  require(facts.features >= 1 && graph.row_entries > 0 && graph.row_entries <= static_cast<double>(facts.features),
          "{} feature values in a row of {} columns: want more than 0, and no more than columns", graph.row_entries,
          facts.features);
  require(machines.ranks >= 1 && machines.threads >= 1 && machines.gigabits > 0,
          "{} ranks of {} threads with {} gigabits a second: want at least one of each", machines.ranks,
          machines.threads, machines.gigabits);
  const std::optional<method::Work> work = prepared.experiment->method().work(prepared.plan, prepared.setting, graph);
  if (!work) return std::nullopt;

  const auto ranks = static_cast<double>(machines.ranks), nodes = static_cast<double>(facts.nodes);
  const double share = 1 / ranks / threads_worth(machines.threads) * kNanosecond;
  Forecast out;
  out.work = *work;
  out.file_bytes = graph_bytes(prepared, graph);
  const double ghosts = work->sums > 0 ? rows_of_others(nodes, graph.edges, ranks) : 0;
  out.traffic_bytes = ghosts * work->columns * sizeof(int32_t);
  // A sum comes by every rank, and then back to all from the last one.
  const double per_turn = out.work.turns > 0 ? out.work.turn_numbers * kNumber / out.work.turns : 0;
  out.turn_bytes = ranks > 1 ? per_turn : 0;
  const method::Method& method = prepared.experiment->method();
  out.gathers = out.turn_bytes > 0 && method.places_per_cut(prepared.setting.relation, facts.train_nodes) == 1;
  // A rank's own rows bring 1/R of its terms, if neighbors are anybody, and are summed while the others' travel.
  const double own_seconds = graph.edges * work->columns * kCosts.edge_term * share / ranks;
  const double travel_seconds = out.traffic_bytes * 8 / (machines.gigabits * 1e9);
  const double turn_seconds = ranks * kTurnSeconds + 2 * (ranks - 1) * per_turn * 8 / (machines.gigabits * 1e9);
  out.parts = {{"start and calibration", kStartSeconds},
               {"reading", out.file_bytes * kCosts.byte_read * share},
               {"sums over neighbors", work->edge_terms * kCosts.edge_term * share},
               {"noise and rows", work->noise * kCosts.noise * share},
               {"training and scores", (work->samples * kCosts.sample + work->own_products * kCosts.own_product +
                                        work->products * kCosts.product) *
                                           share},
               {"exchange beyond sums", work->sums * std::max(0.0, travel_seconds - own_seconds)},
               {"sums rank by rank", ranks > 1 ? work->turns * turn_seconds : 0}};
  if (ranks > 1 && !method.wants_public_graph()) add_first_rank(out, *work, facts, machines);
  for (const ForecastPart& part : out.parts) out.seconds += part.seconds;
  const double shared =
      out.file_bytes + work->feature_copies * feature_bytes(facts, graph) + nodes * work->node_numbers * kNumber;
  out.memory_bytes = kProgramBytes + shared / ranks + out.traffic_bytes;
  return out;
}

}  // namespace graphveil::run
