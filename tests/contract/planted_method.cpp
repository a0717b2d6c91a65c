#include "tests/contract/planted_method.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/learn/fit_private.h"
#include "graphveil/method/lap/lap.h"
#include "graphveil/run/declared.h"
#include "tests/mechanism/access.h"

namespace graphveil::contract {
namespace {

using method::Output;
using method::Plan;
using method::Public;
using method::Release;
using method::Task;

constexpr const char* kSums = "sums";
constexpr const char* kTraining = "training";

learn::PrivateFitOptions fit_options() {
  learn::PrivateFitOptions options;
  options.steps = 4;
  options.batch_size = std::nullopt;
  options.max_grad_norm = 0.5;
  return options;
}

bound::NeighborSumOptions sum_options(const Task& task) {
  return {.relation = task.relation, .max_row_norm = 1, .protect_degree = task.protect_degree};
}

// onehot - 1/c; without the clip that neighbor_sum makes, times the length of
// the features.
Matrix rows_of(const Task& task, bool long_rows) {
  Matrix rows(task.data.nodes(), task.data.classes);
  for (int64_t u = 0; u < task.data.nodes(); ++u) {
    if (task.data.labels[u] == graph::kUnlabeled) continue;
    double squares = 0;
    for (const Real x : task.data.features.dense().row(u)) squares += static_cast<double>(x) * x;
    rows(u, task.data.labels[u]) = static_cast<Real>(long_rows ? 1 + std::sqrt(squares) : 0.8);
  }
  return rows;
}

// Plain sums along the edges that `keep` lets through, times a weight of the
// sender.
template <typename Keep, typename Weight>
bound::GridMatrix plain_sums(const Task& task, const Matrix& rows, double step, Keep keep, Weight weight) {
  bound::GridMatrix sums{IntegerMatrix<int64_t>(rows.rows(), rows.cols()), step};
  for (int64_t v = 0; v < rows.rows(); ++v) {
    for (const int32_t u : task.data.graph.in(v)) {
      if (!keep(u, v)) continue;
      for (int64_t k = 0; k < rows.cols(); ++k) {
        sums.values(v, k) += static_cast<int64_t>(weight(u) * static_cast<double>(rows(u, k)) / step);
      }
    }
  }
  return sums;
}

// The rows that a node's own list leads to, added up: what only a prediction
// may read.
Matrix with_own_list(const Task& task, const Matrix& released) {
  Matrix out = released.clone();
  for (int64_t v = 0; v < out.rows(); ++v) {
    for (const int32_t u : task.data.graph.out(v)) {
      for (int64_t k = 0; k < out.cols(); ++k) out(v, k) += released(u, k);
    }
  }
  return out;
}

// The training set drawn as everybody with a label: its size is private.
std::vector<int32_t> labeled_training(const Task& task) {
  std::vector<int32_t> ids;
  for (const int32_t v : task.split.train) {
    if (task.data.labels[v] != graph::kUnlabeled) ids.push_back(v);
  }
  return ids;
}

}  // namespace

graph::Dataset PlantedMethod::prepare(const graph::Dataset& data) const {
  if (bug_ != Bug::StandardizedFeatures) return data;
  Matrix features(data.nodes(), data.features.cols());
  for (int64_t c = 0; c < features.cols(); ++c) {
    double mean = 0;
    for (int64_t v = 0; v < data.nodes(); ++v) mean += data.features.dense()(v, c) / static_cast<double>(data.nodes());
    for (int64_t v = 0; v < data.nodes(); ++v) features(v, c) = static_cast<Real>(data.features.dense()(v, c) - mean);
  }
  graph::Dataset out = data;
  out.features = graph::Features(std::move(features));
  return out;
}

Plan PlantedMethod::inference_plan(double noise, const method::Setting& setting) const {
  const bound::NeighborSumOptions options{
      .relation = setting.relation, .max_row_norm = 1, .protect_degree = setting.protect_degree};
  return {{account::Event(kSums, account::Gaussian{noise}), bound::neighbor_sum_bound(options)}};
}

Plan PlantedMethod::plan(double noise, const method::Setting& setting) const {
  Plan plan = inference_plan(noise, setting);
  plan.add(learn::fit_line(kTraining, fit_options(), noise, setting.facts.train_nodes));
  return plan;
}

Matrix PlantedMethod::released_rows(const Task& task, Release& release) const {
  const Matrix rows = rows_of(task, bug_ == Bug::ForgottenClip);
  const double step = release.grid(kSums);
  const graph::Graph& graph = task.data.graph;
  const auto all = [](int32_t, int64_t) { return true; };
  const auto one = [](int32_t) { return 1.0; };
  const auto stated = [&](bound::GridMatrix sums) {
    return bound::TestVoucher::bounded(std::move(sums), {.amount = bound::neighbor_sum_sensitivity(sum_options(task)),
                                                         .norm = bound::Norm::L2,
                                                         .relation = task.relation});
  };
  switch (bug_) {
    case Bug::ForgottenClip: return release.gaussian(kSums, stated(plain_sums(task, rows, step, all, one))).value();
    case Bug::WeightReadsDegree: {
      // Averages over in-neighbors' lists: an in-neighbor's weight changes when a
      // node leaves its list.
      const auto weight = [&](int32_t u) {
        return std::sqrt(3.0 / static_cast<double>(1 + graph.out_degree(u))) * 1.2;
      };
      return release.gaussian(kSums, stated(plain_sums(task, rows, step, all, weight))).value();
    }
    case Bug::InDegreeSampling: {
      // One stream for all: whom a node keeps depends on who came before.
      RandomStream random(task.seed, "in-degree");
      std::vector<int32_t> kept(static_cast<size_t>(graph.nodes()), -1);
      for (int64_t v = 0; v < graph.nodes(); ++v) {
        if (graph.in_degree(v) > 0) kept[v] = graph.in(v)[random.below(static_cast<uint64_t>(graph.in_degree(v)))];
      }
      const auto keep = [&](int32_t u, int64_t v) { return kept[v] == u; };
      return release.gaussian(kSums, stated(plain_sums(task, rows, step, keep, one))).value();
    }
    default: break;
  }
  return release.gaussian(kSums, bound::neighbor_sum(graph, rows, sum_options(task), step)).value();
}

Output PlantedMethod::run(const Task& task, Release& release) const {
  Matrix rows = released_rows(task, release);
  const Matrix inputs = bug_ == Bug::OwnListInTraining ? with_own_list(task, rows) : rows.clone();
  const method::LapArchitecture architecture{.first_bias = true};
  method::LapNetwork network(task.data, inputs, architecture, task.seed);
  const std::vector<int32_t> train = bug_ == Bug::DividesByBatchSize ? labeled_training(task) : task.split.train;
  Public<nn::State> model =
      learn::fit_private(network, {train, task.data.labels}, fit_options(), kTraining, task.seed, release);
  if (bug_ == Bug::BestEpochByValidation) {
    // Goes back to the first weights where the trained ones do badly on private
    // labels.
    method::LapNetwork fresh(task.data, inputs, architecture, task.seed);
    if (learn::evaluate_accuracy(network, task.split.val, task.data.labels) < 0.4) {
      nn::State state;
      fresh.save(state, "");
      model = Public<nn::State>(std::move(state), run::Declared::public_graph());
    }
  }
  if (bug_ == Bug::PublishesPrivateRows) {
    nn::State state{{"rows", nn::to_tensor(rows_of(task, false))}};
    model = method::joined(model, Public<nn::State>(std::move(state), run::Declared::public_graph()));
  }
  if (bug_ == Bug::SpendsTwice) released_rows(task, release);
  return {std::move(model), method::predictions_for(learn::class_probabilities(network, task.data.nodes()), release)};
}

method::Predictions PlantedMethod::infer(const nn::State& model, const Task& task, Release& release) const {
  const Matrix rows = released_rows(task, release);
  method::LapNetwork network(task.data, rows, {.first_bias = true}, task.seed);
  network.load(model, "");
  return method::predictions_for(learn::class_probabilities(network, task.data.nodes()), release);
}

}  // namespace graphveil::contract
