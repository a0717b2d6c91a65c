#include "graphveil/method/lpgnet/lpgnet.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/bound/neighbor_counts.h"
#include "graphveil/nn/metrics.h"

namespace graphveil::method {
namespace {

constexpr double kLpgnetFloor = 1e-9;  // of a probability, before its logarithm

std::string degrees(int64_t stage) { return fmt::format("degrees/{}", stage); }
std::string mlp_name(int64_t stage) { return fmt::format("mlp{}", stage); }

// `inputs`, then the scores of a stage (its log-probabilities) and the degrees in its clusters.
Matrix with_stage(const Matrix& inputs, const Matrix& probabilities, const IntegerMatrix<int64_t>& counts) {
  const int64_t before = inputs.cols(), classes = probabilities.cols();
  Matrix out = Matrix::uninitialized(probabilities.rows(), before + 2 * classes);
  for (int64_t v = 0; v < out.rows(); ++v) {
    for (int64_t k = 0; k < before; ++k) out(v, k) = inputs(v, k);
    for (int64_t c = 0; c < classes; ++c) {
      out(v, before + c) = static_cast<Real>(std::log(probabilities(v, c) + kLpgnetFloor));
      out(v, before + classes + c) = static_cast<Real>(counts(v, c));
    }
  }
  return out;
}

}  // namespace

Description Lpgnet::describe() const {
  return {"lpgnet", "edge", "LPGNet: stacked MLPs on noisy counts of neighbors in each cluster; pure epsilon",
          "Kolluri et al., CCS 2022"};
}

void Lpgnet::declare(Options& options) {
  options.integer("hops", hops_, 1, 16, "MLPs after the first, each with its counts of neighbors");
  options.alias("k");
  architecture_.declare(options);
  fit_.declare(options);
  last_.declare(options);
}

OptionValues Lpgnet::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"hidden-dim", size.width}});
}

NetworkSize Lpgnet::network() const { return {architecture_.hidden_dim, architecture_.layers, true}; }

void Lpgnet::use_paper_settings() {
  hops_ = 2;
  architecture_ = {};
  architecture_.layers = 2;
  fit_ = {};
  last_ = {};
}

std::vector<bound::Relation> Lpgnet::relations() const {
  return {bound::Relation::UndirectedEdge, bound::Relation::Edge};
}

Plan Lpgnet::inference_plan(double noise, const Setting& setting) const {
  Plan plan;
  for (int64_t stage = 1; stage <= hops_; ++stage) {
    plan.add({account::Event(degrees(stage), account::DiscreteLaplace{noise * static_cast<double>(hops_)}),
              bound::neighbor_counts_bound(setting.relation)});
  }
  return plan;
}

Matrix Lpgnet::stages(const Task& task, Release& release, const Obtain& obtain) const {
  graph::Dataset data = task.data;  // with the inputs of the stage as its features
  Matrix inputs(task.data.nodes(), 0);
  for (int64_t stage = 0;; ++stage) {
    const std::string name = mlp_name(stage);
    MlpNetwork mlp(data, architecture_, true, task.seed.derived(name));
    obtain(mlp, name + "/");
    Matrix probabilities = class_probabilities(mlp, data.nodes());
    if (stage == hops_) return probabilities;
    const std::vector<int32_t> clusters = nn::predictions(probabilities);
    const auto counts = release.discrete_laplace(
        degrees(stage + 1), bound::neighbor_counts(task.data.graph, clusters, data.classes, task.relation));
    inputs = with_stage(inputs, probabilities, counts.value());
    data.features = graph::Features(inputs.clone());
  }
}

std::vector<Tunable> Lpgnet::tunables(bound::Relation) const { return last_fit_tunables(); }

Output Lpgnet::run(const Task& task, Release& release) const {
  const PublicData token = PublicData::under(release);
  nn::State model;
  Matrix probabilities = stages(task, release, [&](Network& mlp, const std::string& prefix) {
    const FitOptions options = prefix == mlp_name(hops_) + "/" ? last_.over(fit_) : fit_;
    model.merge(nn::State(fit(mlp, fit_data(task), options, task.seed, prefix, token, prefix).value()));
  });
  return {Public<nn::State>(std::move(model), token), predictions_for(std::move(probabilities), release)};
}

Predictions Lpgnet::infer(const nn::State& model, const Task& task, Release& release) const {
  return predictions_for(
      stages(task, release, [&](Network& mlp, const std::string& prefix) { mlp.load(model, prefix); }), release);
}

}  // namespace graphveil::method
