#include "graphveil/method/progap/network.h"

#include <fmt/format.h>

#include "graphveil/nn/ops_normalize.h"
#include "graphveil/nn/ops_shape.h"

namespace graphveil::method {

void ProgapArchitecture::declare(Options& options) {
  options.integer("hops", hops, 1, 64, "Aggregations, each after a stage of training");
  options.alias("k");
  options.integer("hidden-dim", hidden_dim, 1, 65536, "Hidden units, and width of the aggregated rows");
  options.integer("base-layers", base_layers, 1, 64, "Layers of each stage's base MLP");
  options.integer("head-layers", head_layers, 1, 64, "Layers of each stage's head MLP");
  declare_activation(options, activation);
}

ProgapNetwork::ProgapNetwork(const graph::Dataset& data, const std::vector<Matrix>& aggregations,
                             const ProgapArchitecture& architecture, const Seed& seed)
    : architecture_(architecture),
      features_(data.features),
      aggregations_(aggregations.begin(), aggregations.end()),
      random_(seed, fmt::format("progap weights {}", aggregations.size())) {
  const int64_t hidden = architecture.hidden_dim;
  for (size_t k = 0; k <= aggregations.size(); ++k) {
    const std::string name = fmt::format("base{}", k);
    const int64_t width = k == 0 ? data.features.cols() : aggregations[k - 1].cols();
    bases_.emplace_back(
        parameters(), name,
        StackOptions{stack_widths(width, architecture.base_layers, hidden, hidden), architecture.activation, 0,
                     architecture.batch_norm, k > 0 || architecture.feature_bias},
        random_);
    if (architecture.batch_norm) norms_.emplace_back(parameters(), name + ".norm", hidden);
  }
  const int64_t all = hidden * static_cast<int64_t>(bases_.size());
  head_.emplace(parameters(), "head",
                StackOptions{stack_widths(all, architecture.head_layers, hidden, data.classes), architecture.activation,
                             0, architecture.batch_norm},
                random_);
}

void ProgapNetwork::continue_from(const nn::State& before) {
  for (int32_t id = 0; id < parameters().count(); ++id) {
    const std::string& name = parameters().info(id).name;
    if (name.starts_with("base") && before.contains(name)) nn::read_matrix(before, name, parameters().value(id));
  }
}

nn::Var ProgapNetwork::base(nn::Tape& tape, std::span<const int32_t> nodes, size_t stage) {
  const nn::Var rows =
      stage == 0 ? bases_[0](features_(tape, nodes)) : bases_[stage](aggregations_[stage - 1](tape, nodes));
  return architecture_.batch_norm ? norms_[stage](rows, architecture_.activation)
                                  : nn::activate(rows, architecture_.activation);
}

nn::Var ProgapNetwork::scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  std::vector<nn::Var> parts;
  for (size_t k = 0; k < bases_.size(); ++k) parts.push_back(base(tape, nodes, k));
  return (*head_)(nn::normalize_rows(nn::concat_columns(parts)));
}

nn::Var ProgapNetwork::messages(nn::Tape& tape, std::span<const int32_t> nodes) {
  return nn::normalize_rows(base(tape, nodes, bases_.size() - 1));
}

void ProgapNetwork::save(nn::State& state, const std::string& prefix) const {
  Network::save(state, prefix);
  for (const DenseStack& base : bases_) base.save(state, prefix);
  for (const nn::BatchNorm& norm : norms_) norm.save(state, prefix);
  head_->save(state, prefix);
}

void ProgapNetwork::load(const nn::State& state, const std::string& prefix) {
  Network::load(state, prefix);
  for (DenseStack& base : bases_) base.load(state, prefix);
  for (nn::BatchNorm& norm : norms_) norm.load(state, prefix);
  head_->load(state, prefix);
}

}  // namespace graphveil::method
