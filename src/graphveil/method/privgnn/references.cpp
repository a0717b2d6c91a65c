#include "graphveil/method/privgnn/references.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/mechanism/release.h"

namespace graphveil::method {
namespace {

// The rows of one and then those of the other; sparse where both are.
graph::Features rows_of_both(const graph::Features& a, const graph::Features& b) {
  if (!a.is_sparse() || !b.is_sparse()) {
    Matrix rows(a.rows() + b.rows(), a.cols());
    const auto add = [&](const graph::Features& part, int64_t first) {
      std::vector<int32_t> all(static_cast<size_t>(part.rows()));
      std::iota(all.begin(), all.end(), 0);
      const Matrix dense = part.dense_rows_at(all);
      std::ranges::copy(dense.values(), rows.row(first).begin());
    };
    if (a.rows() > 0) add(a, 0);
    if (b.rows() > 0) add(b, a.rows());
    return rows;
  }
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  std::vector<Real> values;
  for (const SparseView& part : {a.sparse().view(), b.sparse().view()}) {
    const int64_t before = offsets.back();
    for (int64_t r = 0; r < part.rows; ++r) offsets.push_back(before + part.offsets[r + 1]);
    indices.insert(indices.end(), part.indices.begin(), part.indices.end());
    if (part.values.empty()) {
      values.resize(indices.size(), Real{1});
    } else {
      values.insert(values.end(), part.values.begin(), part.values.end());
    }
  }
  return SparseMatrix{a.rows() + b.rows(), a.cols(), std::move(offsets), std::move(indices), std::move(values)};
}

// Two graphs side by side.
graph::Dataset side_by_side(const graph::Dataset& a, const graph::Dataset& b) {
  std::vector<int32_t> from, to, labels(a.labels.begin(), a.labels.end());
  const auto add = [&](const graph::Dataset& part, int32_t first) {
    for (int32_t u = 0; u < part.nodes(); ++u) {
      for (const int32_t v : part.graph.out(u)) {
        from.push_back(first + u);
        to.push_back(first + v);
      }
    }
  };
  add(a, 0);
  add(b, static_cast<int32_t>(a.nodes()));
  labels.insert(labels.end(), b.labels.begin(), b.labels.end());
  graph::Dataset out = a;
  out.graph = graph::Graph::from_edges(a.nodes() + b.nodes(), from, to);
  out.features = rows_of_both(a.features, b.features);
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
    case Kind::B4: return {"b4", "none", "A student of true labels of the public pool, with noise on each", kPaper};
  }
  fail(ErrorKind::Internal, "unknown reference");
}

void Reference::declare(Options& options) {
  if (kind_ == Kind::B4) {
    options.choice(
        "noise", noise_, {{"rr", LabelNoise::RandomizedResponse}, {"laplace", LabelNoise::Laplace}},
        "rr: each true label by randomized response. laplace, as in the paper: on the label as a row of 0 and "
        "1, what is below 0 cut off and the rest scaled to sum 1, learned as it is by --student plain");
    options.real("log-odds", log_odds_, 0, 100, "Randomized response of each true label: ln(P(true) / P(another one))");
    options.real("inverse-scale", inverse_scale_, 1e-6, 100, "The paper's lambda: laplace noise of scale 1/lambda");
    options.integer_or("queries", queries_, "pool", 1, INT32_MAX, "Public nodes whose labels are read: |Q|");
    embedding_.declare(options);
    distill_.declare(options);
  } else {
    distill_.architecture.declare(options);
    distill_.fit.declare(options);
  }
}

void Reference::use_paper_settings() {
  *this = Reference(kind_);
  if (kind_ != Kind::B4) return;
  noise_ = LabelNoise::Laplace;
  queries_ = 1000;
  distill_.use_paper_settings();
}

std::string Reference::variant() const {
  std::vector<std::string> parts;
  if (kind_ == Kind::B4 && noise_ == LabelNoise::RandomizedResponse) {
    parts.emplace_back("randomized response of the labels in place of Laplace noise on them");
  }
  if (kind_ == Kind::B4 && distill_.student == StudentKind::Denoise) parts.emplace_back(kDenoisingStudent);
  return fmt::format("{}", fmt::join(parts, "; "));
}

OptionValues Reference::quick(const QuickSize& size) const {
  OptionValues out = sized({{"epochs", size.epochs}, {"hidden-dim", size.width}});
  if (kind_ == Kind::B4) {
    const OptionValues queries = sized({{"queries", size.queries}});
    out.insert(out.end(), queries.begin(), queries.end());
  }
  return out;
}

NetworkSize Reference::network() const { return {distill_.architecture.hidden_dim, distill_.architecture.layers}; }

Answers Reference::noisy_truth(const graph::Dataset& data, std::vector<int32_t> queries, int32_t classes,
                               const Seed& seed) const {
  RandomStream random(seed, "noise on true labels");
  if (noise_ == LabelNoise::RandomizedResponse) {
    std::vector<int32_t> labels;
    const double flip = mechanism::flip_probability(log_odds_, classes);
    for (const int32_t v : queries) {
      const int32_t label = data.labels[v];
      const auto other = static_cast<int32_t>(random.below(static_cast<uint64_t>(classes) - 1));
      labels.push_back(!random.bernoulli(flip) ? label : other < label ? other : other + 1);
    }
    return {std::move(queries), centered_onehot(labels, classes)};
  }
  Matrix shares(std::ssize(queries), classes);
  for (int64_t i = 0; i < shares.rows(); ++i) {
    double sum = 0;
    for (int32_t c = 0; c < classes; ++c) {
      const double noisy =
          (data.labels[queries[static_cast<size_t>(i)]] == c ? 1 : 0) + random.laplace() / inverse_scale_;
      shares(i, c) = static_cast<Real>(std::max(noisy, 0.0));
      sum += shares(i, c);
    }
    // Where nothing is above 0 every class is as likely.
    for (Real& x : shares.row(i)) x = sum > 0 ? static_cast<Real>(x / sum) : 1 / static_cast<Real>(classes);
  }
  return {.queries = std::move(queries), .targets = std::move(shares), .shares = true};
}

Output Reference::run(const Task& task, Release& release) const {
  const PublicGraph& graph = required_public(task);
  const int32_t classes = task.data.classes;
  if (kind_ == Kind::B4) {
    const std::vector<int32_t> pool = labeled_nodes(graph.data.value());
    const auto count = static_cast<int64_t>(pool.size());
    const Answers answers =
        noisy_truth(graph.data.value(), chosen_queries(pool, std::min(queries_.value_or(count), count), task.seed),
                    classes, task.seed);
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
