#include "graphveil/method/dpgnn/gnn_inf.h"

#include <algorithm>
#include <utility>

#include "graphveil/method/dpgnn/presets.h"
#include "graphveil/method/dpgnn/published.h"

namespace graphveil::method {
namespace {

// The authors' code takes so many steps of the networks without noise; the paper does not say.
constexpr int64_t kGnnInfSteps = 1000;

}  // namespace

// The network of dpgnn, and the sampling of the paper's GCN.
GnnInf::GnnInf() {
  architecture_.decoder_layers = 1;
  architecture_.auto_own_share = 0.5;
  fit_.batch_size = 1000;
  steps_ = kGnnInfSteps;
  max_degree_ = 30;
}

Description GnnInf::describe() const {
  return {"gnn-inf", "none", "The GNN of dpgnn without noise: the accuracy that noise costs", "Daigavane et al. 2021"};
}

void GnnInf::declare(Options& options) {
  architecture_.declare(options);
  options.integer_or("steps", steps_, "auto", 1, 100000000,
                     "Steps, to the next whole pass; auto: as many as make --epochs passes");
  fit_.declare(options);
  options.integer_or("max-degree", max_degree_, "all", 1, 100000,
                     "K: a node keeps each edge to a training node with chance K / (2 their number), and none where "
                     "more than K are left (Algorithm 1 of the paper); all: every edge");
  inference_.declare(options);
  declare_setting(options, setting_);
  scaling_.declare_unit_rows(options);
}

OptionValues GnnInf::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"steps", size.steps}, {"hidden-dim", size.width}});
}

NetworkSize GnnInf::network() const {
  return {architecture_.hidden_dim, architecture_.layers + architecture_.encoder_layers + architecture_.decoder_layers};
}

void GnnInf::use_paper_settings() { use_preset("paper"); }

std::vector<Preset> GnnInf::presets() const { return presets_of(gnn_inf_rows()); }

void GnnInf::use_preset(const std::string& name) {
  const DpGnnRow& row = row_named(gnn_inf_rows(), name);
  architecture_ = row.architecture();
  fit_ = {.learning_rate = row.learning_rate, .batch_size = row.batch_size};
  steps_ = kGnnInfSteps;
  max_degree_ = row.max_degree;
  inference_ = {.hops = 1, .own = 0};
  setting_ = row.setting;
  scaling_ = {};
}

Plan GnnInf::plan(double, const Setting&) const {
  architecture_.check();
  inference_.check(architecture_);
  return {};
}

Output GnnInf::run(const Task& task, Release& release) const {
  const graph::Graph visible = visible_graph(task.data.graph, task.split, setting_);
  const graph::Graph sampled =
      max_degree_ ? dpgnn_published_graph(visible, task.split.train, *max_degree_, task.seed) : visible;
  GnnNetwork network(task.data,
                     {.whole = visible,
                      .max_out_degree = max_degree_.value_or(0),
                      .averaging = inference_.averaging(architecture_),
                      .sampled = &sampled},
                     architecture_, task.seed);
  FitOptions fit_options = fit_;
  if (steps_) {
    const auto nodes = static_cast<int64_t>(task.split.train.size());
    const int64_t batch = std::min(fit_.batch_size.value_or(nodes), nodes);
    const int64_t per_epoch = (nodes + batch - 1) / batch;
    fit_options.epochs = (*steps_ + per_epoch - 1) / per_epoch;
  }
  Public<nn::State> model =
      fit(network, fit_data(task), fit_options, task.seed, "training", PublicData::under(release));
  return {std::move(model), Holder<Matrix>(inference_.predicted(network, architecture_, task))};
}

Predictions GnnInf::infer(const nn::State& model, const Task& task, Release&) const {
  GnnNetwork network(task.data,
                     {.whole = task.data.graph,
                      .max_out_degree = max_degree_.value_or(0),
                      .averaging = inference_.averaging(architecture_)},
                     architecture_, task.seed);
  network.load(model, "");
  return Holder<Matrix>(inference_.predicted(network, architecture_, task));
}

}  // namespace graphveil::method
