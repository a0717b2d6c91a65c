#include "graphveil/method/privgnn/references.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/mechanism/release.h"

namespace graphveil::method {
namespace {

// Two graphs side by side; features are dense.
graph::Dataset side_by_side(const graph::Dataset& a, const graph::Dataset& b) {
  std::vector<int32_t> from, to, labels(a.labels.begin(), a.labels.end());
  Matrix features(a.nodes() + b.nodes(), a.features.cols());
  const auto add = [&](const graph::Dataset& part, int32_t first) {
    std::vector<int32_t> all(static_cast<size_t>(part.nodes()));
    std::iota(all.begin(), all.end(), 0);
    const Matrix rows = part.features.dense_rows_at(all);
    for (const int32_t u : all) {
      for (const int32_t v : part.graph.out(u)) {
        from.push_back(first + u);
        to.push_back(first + v);
      }
      std::ranges::copy(rows.row(u), features.row(first + u).begin());
    }
  };
  add(a, 0);
  add(b, static_cast<int32_t>(a.nodes()));
  labels.insert(labels.end(), b.labels.begin(), b.labels.end());
  graph::Dataset out = a;
  out.graph = graph::Graph::from_edges(a.nodes() + b.nodes(), from, to);
  out.features = graph::Features(std::move(features));
  out.labels = SharedArray<int32_t>(std::move(labels));
  return out;
}

std::vector<int32_t> labeled_nodes(const graph::Dataset& data) {
  std::vector<int32_t> nodes;
  for (int32_t v = 0; v < data.nodes(); ++v) {
    if (data.labels[v] != graph::kUnlabeled) nodes.push_back(v);
  }
  return nodes;
}

}  // namespace

Reference::Reference(Kind kind) : kind_(kind) {
  // In the clear the paper's student is the better one, on raw features.
  if (kind != Kind::B4) distill_.use_paper_settings();
}

Description Reference::describe() const {
  constexpr const char* kPaper = "Olatunji, Funke, Khosla 2023";
  switch (kind_) {
    case Kind::B1: return {"b1", "none", "GraphSAGE trained on the private graph, without noise", kPaper};
    case Kind::B2: return {"b2", "none", "GraphSAGE trained on labels of the public pool, without noise", kPaper};
    case Kind::B3: return {"b3", "none", "GraphSAGE trained on both graphs, without noise", kPaper};
    case Kind::B4:
      return {"b4", "none", "A student of the public pool's true labels after randomized response", kPaper};
  }
  fail(ErrorKind::Internal, "unknown reference");
}

void Reference::declare(Options& options) {
  if (kind_ == Kind::B4) {
    options.real("log-odds", log_odds_, 0, 100, "Randomized response of each true label: ln(P(true) / P(another one))");
    embedding_.declare(options);
    distill_.declare(options);
  } else {
    distill_.architecture.declare(options);
    distill_.fit.declare(options);
  }
}

OptionValues Reference::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"hidden-dim", size.width}});
}

NetworkSize Reference::network() const { return {distill_.architecture.hidden_dim, distill_.architecture.layers}; }

Output Reference::run(const Task& task, Release& release) const {
  const PublicGraph& graph = required_public(task);
  const int32_t classes = task.data.classes;
  if (kind_ == Kind::B4) {
    Answers answers{labeled_nodes(graph.data.value()), {}};
    std::vector<int32_t> labels;
    const double flip = mechanism::flip_probability(log_odds_, classes);
    RandomStream random(task.seed, "noise on true labels");
    for (const int32_t v : answers.queries) {
      const int32_t label = graph.data.value().labels[v];
      const auto other = static_cast<int32_t>(random.below(static_cast<uint64_t>(classes) - 1));
      labels.push_back(!random.bernoulli(flip) ? label : other < label ? other : other + 1);
    }
    answers.targets = centered_onehot(labels, classes);
    const PublicEmbedding embedding(graph.data, embedding_, task.seed);
    return distill(answers, graph, embedding, classes, distill_, task.seed);
  }
  const graph::Dataset data = kind_ == Kind::B1   ? task.data
                              : kind_ == Kind::B2 ? graph.data.value()
                                                  : side_by_side(task.data, graph.data.value());
  StudentNetwork network(data, classes, distill_.architecture, task.seed);
  const std::vector<int32_t> labels(data.labels.begin(), data.labels.end()), labeled = labeled_nodes(data);
  Public<nn::State> model =
      fit(network, {labels, labeled, {}}, distill_.fit, task.seed, "training", PublicData::under(release), "student/");
  Matrix probabilities = ask_student(model.value(), graph.data.value(), distill_, task.seed);
  return {std::move(model), Holder<Matrix>(std::move(probabilities))};
}

Predictions Reference::infer(const nn::State& model, const Task& task, Release&) const {
  return Holder<Matrix>(ask_student(model, task.data, distill_, task.seed));
}

}  // namespace graphveil::method
