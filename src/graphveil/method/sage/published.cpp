#include "graphveil/method/sage/published.h"

#include <cmath>
#include <memory>
#include <utility>

#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/unsound_rows.h"

namespace graphveil::method {
BatchRows::BatchRows(const graph::Graph& graph) : graph_(&graph), row_of_(static_cast<size_t>(graph.nodes()), -1) {}

void BatchRows::assign(std::span<const int32_t> batch, std::span<const int32_t> labels) {
  for (const int32_t v : nodes_) row_of_[static_cast<size_t>(v)] = -1;
  nodes_.assign(batch.begin(), batch.end());
  labels_.clear();
  for (size_t r = 0; r < batch.size(); ++r) {
    row_of_[static_cast<size_t>(batch[r])] = static_cast<int64_t>(r);
    labels_.push_back(labels[static_cast<size_t>(batch[r])]);
  }
  sources_.clear();
  offsets_.assign(1, 0);
  for (const int32_t v : batch) {
    for (const int32_t u : graph_->in(v)) {
      int64_t& row = row_of_[static_cast<size_t>(u)];
      if (row < 0) {
        row = static_cast<int64_t>(nodes_.size());
        nodes_.push_back(u);
      }
      sources_.push_back(static_cast<int32_t>(row));
    }
    offsets_.push_back(static_cast<int64_t>(sources_.size()));
  }
  offsets_.resize(nodes_.size() + 1, static_cast<int64_t>(sources_.size()));
  labels_.resize(nodes_.size(), nn::kNoLabel);
  const auto rows = static_cast<int64_t>(nodes_.size());
  edges_.assign({rows, rows, offsets_, sources_, {}}, {});
}

void add_row_losses(SageNodeNetwork& network, const BatchRows& rows, int64_t batch_size, int64_t step, nn::Tape& tape,
                    nn::ClippedGradient& clipped) {
  const auto count = static_cast<int64_t>(rows.nodes().size());
  if (count == 0) return;
  tape.start_per_sample(count, rows.nodes(), step);
  const nn::Var scores = network.row_scores(tape, rows.nodes(), rows.edges());
  clipped.add(
      nn::UnsoundRows::cross_entropy(scores, rows.labels(), static_cast<Real>(count) / static_cast<Real>(batch_size)));
}

mechanism::Public<nn::State> fit_rows_as_published(SageNodeNetwork& network, const PrivateFitData& data,
                                                   const PrivateFitOptions& options, const std::string& label,
                                                   const Seed& run_seed, mechanism::Release& release) {
  // A budget is a promise, and this keeps none.
  require(std::isinf(release.cap().epsilon), "'{}': a run as published was given a budget of epsilon {}", label,
          release.cap().epsilon);
  require(data.class_weights.empty(), "'{}': --class-weights needs --published-clip samples", label);
  const StepPlan plan = step_plan(options, static_cast<int64_t>(data.train.size()));
  const Seed seed = run_seed.derived(label);
  const bound::SampleDraw draw = data.graph->draw(plan.rate, data.hops);
  std::vector<int32_t> ids(data.train.begin(), data.train.end());
  std::unique_ptr<nn::Batches> batches;
  if (plan.rate >= 1) {
    batches = std::make_unique<nn::FullBatch>(std::move(ids), draw);
  } else {
    batches = std::make_unique<nn::PoissonBatches>(std::move(ids), draw, seed);
  }
  BatchRows rows(data.graph->graph());
  const auto add_batch = [&](std::span<const int32_t> batch, int64_t step, nn::Tape& tape,
                             nn::ClippedGradient& clipped) {
    rows.assign(batch, data.labels);
    add_row_losses(network, rows, static_cast<int64_t>(batch.size()), step, tape, clipped);
  };
  return PrivateTrainer::run(network, data.labels, *batches, {.max_norms = {options.max_grad_norm}}, options, label,
                             seed, release, "", {}, add_batch);
}

std::vector<std::string> sage_published_reasons(PublishedClip clip) {
  std::vector<std::string> reasons{
      "the paper's program cuts the lists of all nodes in one random order, so that one node's removal changes other "
      "nodes' lists",
      "the paper prices batches of a fixed size drawn anew without replacement, while its program deals each epoch out "
      "in batches; here they are Poisson batches of that rate, and epsilon is what those cost"};
  if (clip == PublishedClip::Rows) {
    reasons.push_back(
        "gradients are clipped by row of a batch's subgraph, as in the paper's program, with noise for clipped "
        "training "
        "nodes: one record moves the gradients of every row that shares an edge's end with its own, which nothing pays "
        "for");
    reasons.push_back(
        "so no epsilon is proved for this run: epsilon is what its noise would cost with --published-clip samples");
  }
  return reasons;
}

}  // namespace graphveil::method
