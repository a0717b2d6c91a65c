// What GAP does, counted from its layers.
#include <algorithm>

#include "graphveil/method/gap/gap.h"

namespace graphveil::method {
namespace {

struct GapReaders {
  Reader encoder, classifier;  // the classifier reads rows of its own: all of its weights are behind them
  double columns = 0;          // of what is aggregated
};

GapReaders gap_readers(const GapArchitecture& a, const Setting& setting, double row_entries) {
  const auto classes = setting.facts.classes;
  const bool by_class = a.encoder_rows == EncoderRows::Classes;
  const int64_t columns = a.encoder_layers == 0 ? setting.facts.features : by_class ? classes : a.hidden_dim;
  GapReaders readers;
  readers.columns = static_cast<double>(columns);
  readers.encoder = Reader::stack(row_entries, a.encoder_layers, a.hidden_dim, by_class ? classes : a.hidden_dim);
  if (!by_class && a.encoder_layers > 0) {
    readers.encoder.rest += static_cast<double>(a.hidden_dim) * classes;  // the softmax head
  }
  const int64_t rows = a.hops + 1, wide = a.base_layers > 0 ? a.hidden_dim : columns;
  readers.classifier.rest =
      static_cast<double>(rows) * stack_numbers(columns, a.base_layers, a.hidden_dim, a.hidden_dim) +
      stack_numbers(a.combine == Combine::Concat ? rows * wide : wide, a.head_layers, a.hidden_dim, classes);
  return readers;
}

// All but the trainings.
Work work_on_every_node(const GapReaders& readers, int64_t hops, const Setting& setting, const GraphSize& graph) {
  const auto nodes = static_cast<double>(setting.facts.nodes), kept = static_cast<double>(hops);
  Work work;
  work.add_sums(kept, nodes, graph.edges, readers.columns);
  work.add_prediction(nodes, readers.encoder);
  work.add_prediction(nodes, readers.classifier);
  work.feature_copies = 2;  // scaled rows, and those of a batch
  // The rows of every hop, kept for the holder too; whole messages and sums; scores and probabilities.
  work.node_numbers = (2 * kept + 1 + 3) * readers.columns + 2.0 * setting.facts.classes;
  return work;
}

}  // namespace

std::optional<Work> GapEdge::work(const Plan&, const Setting& setting, const GraphSize& graph) const {
  const GapReaders readers = gap_readers(architecture_, setting, graph.row_entries);
  Work work = work_on_every_node(readers, architecture_.hops, setting, graph);
  const auto train_nodes = static_cast<double>(setting.facts.train_nodes);
  work.add_training(static_cast<double>(encoder_epochs_) * train_nodes, readers.encoder);
  work.add_training(static_cast<double>(last_.over(fit_).epochs) * train_nodes, readers.classifier);
  add_turns(work, setting, readers.classifier.rest);
  // Values and gradients of a full batch: about so many hidden rows, measured.
  constexpr double kHiddenRows = 14;
  work.node_numbers += kHiddenRows * static_cast<double>(architecture_.hidden_dim);
  return work;
}

// The sums that go from rank to rank in both trainings.
void GapEdge::add_turns(Work& work, const Setting& setting, double classifier_weights) const {
  const GapArchitecture& a = architecture_;
  const auto number = [](int64_t count) { return static_cast<double>(std::max<int64_t>(count, 0)); };
  const double wide = number(a.hidden_dim), bases = number(a.hops + 1), normed = a.batch_norm ? 1 : 0;
  if (a.encoder_layers > 0) {
    const int64_t last = a.encoder_rows == EncoderRows::Classes ? setting.facts.classes : a.hidden_dim;
    const double norms = normed * number(a.encoder_layers - 1);
    work.add_turns(number(encoder_epochs_), number(a.encoder_layers),
                   stack_numbers(setting.facts.features, a.encoder_layers, a.hidden_dim, last), norms, norms * wide);
  }
  const double between = bases * number(a.base_layers - 1) + number(a.head_layers - 1);
  const double combined = a.base_layers == 0 ? 0 : a.combine == Combine::Concat ? bases : 1;
  work.add_turns(number(last_.over(fit_).epochs), bases * number(a.base_layers) + number(a.head_layers),
                 classifier_weights, normed * (between + (combined > 0 ? 1 : 0)), normed * (between + combined) * wide);
}

std::optional<Work> GapNode::work(const Plan& plan, const Setting& setting, const GraphSize& graph) const {
  const GapReaders readers = gap_readers(architecture_, setting, graph.row_entries);
  Work work = work_on_every_node(readers, architecture_.hops, setting, graph);
  const int64_t train_nodes = setting.facts.train_nodes;
  if (architecture_.encoder_layers > 0) {
    work.add_training(trained_samples(plan.line("encoder"), train_nodes), readers.encoder);
  }
  work.add_training(trained_samples(plan.line("classifier"), train_nodes), readers.classifier);
  return work;
}

}  // namespace graphveil::method
