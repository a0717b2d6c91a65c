#include "graphveil/learn/teachers.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/graph/subgraph.h"
#include "graphveil/kernels/cholesky.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/softmax.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/optimizer.h"

namespace graphveil::learn {
namespace {

// Solves (a + ridge I) x = b in place of b, a square and symmetric, its lower triangle overwritten.
void ridge_solve(DoubleView a, double ridge, DoubleView b) {
  const int64_t n = a.rows;
  for (int64_t i = 0; i < n; ++i) a(i, i) += ridge;
  kernels::cholesky(a, 0);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t k = 0; k < i; ++k) {
      for (int64_t c = 0; c < b.cols; ++c) b(i, c) -= a(i, k) * b(k, c);
    }
    for (int64_t c = 0; c < b.cols; ++c) b(i, c) /= a(i, i);
  }
  for (int64_t i = n - 1; i >= 0; --i) {
    for (int64_t c = 0; c < b.cols; ++c) b(i, c) /= a(i, i);
    for (int64_t k = 0; k < i; ++k) {
      for (int64_t c = 0; c < b.cols; ++c) b(k, c) -= a(i, k) * b(i, c);
    }
  }
}

std::vector<double> doubles(const Matrix& m) { return {m.values().begin(), m.values().end()}; }

// Estimates of onehot(label) - 1 / classes as probabilities: what is below zero is cut off, the rest scaled.
void to_probabilities(Matrix& scores) {
  const Real share = 1 / static_cast<Real>(scores.cols());
  for (int64_t r = 0; r < scores.rows(); ++r) {
    Real sum = 0;
    for (Real& x : scores.row(r)) {
      x = std::max<Real>(x + share, 0);
      sum += x;
    }
    for (Real& x : scores.row(r)) x = sum > 0 ? x / sum : share;
  }
}

// The queries and the nodes from which messages reach them in so many rounds, rising.
std::vector<int32_t> neighborhood(const graph::Graph& graph, std::span<const int32_t> queries, int64_t hops) {
  std::vector<int32_t> nodes;
  std::vector<bool> seen(static_cast<size_t>(graph.nodes()), false);
  const auto add = [&](int32_t v) {
    if (!seen[static_cast<size_t>(v)]) nodes.push_back(v);
    seen[static_cast<size_t>(v)] = true;
  };
  for (const int32_t q : queries) add(q);
  size_t begin = 0;
  for (int64_t hop = 0; hop < hops; ++hop) {
    const size_t end = nodes.size();
    for (size_t i = begin; i < end; ++i) {
      for (const int32_t u : graph.in(nodes[i])) add(u);
    }
    begin = end;
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

graph::Dataset without_edges(graph::Dataset data) {
  data.graph = graph::Graph::from_edges(data.nodes(), {}, {});
  return data;
}

}  // namespace

bound::source::TeacherReads teacher_reads(TeacherKind kind) {
  switch (kind) {
    case TeacherKind::Ridge:
    case TeacherKind::Mlp: return bound::source::TeacherReads::OwnRecords;
    case TeacherKind::Sage: return bound::source::TeacherReads::ManyHops;
  }
  fail(ErrorKind::Internal, "unknown teacher");
}

void TeacherOptions::declare(Options& options) {
  options.choice("teacher", kind,
                 {{"ridge", TeacherKind::Ridge}, {"sage", TeacherKind::Sage}, {"mlp", TeacherKind::Mlp}},
                 "Teachers: ridge regression in a public embedding, GraphSAGE on the private subgraph, or an MLP");
  options.real("teacher-ridge", ridge, 1e-6, 1e9, "Ridge of ridge teachers");
  options.integer("teacher-layers", network.layers, 1, 64, "Layers of sage and mlp teachers");
  options.integer("teacher-hidden-dim", network.hidden_dim, 1, 65536, "Hidden units of sage and mlp teachers");
  options.real("teacher-dropout", network.dropout, 0, 0.99, "Dropout of sage and mlp teachers");
  options.choice("teacher-norm", network.norm, {{"batch", true}, {"none", false}},
                 "Batch norm before each activation of sage and mlp teachers");
  options.integer("teacher-epochs", epochs, 0, 1000000,
                  "Steps of Adam of sage and mlp teachers; 0: they are asked with the weights that were drawn");
  options.real("teacher-learning-rate", learning_rate, 0, 1e6, "Learning rate of sage and mlp teachers");
}

Teachers::Teachers(const graph::Dataset& private_data, const mechanism::Public<graph::Dataset>& public_data,
                   const PublicEmbedding& embedding, const TeacherOptions& options)
    : private_data_(private_data), public_data_(public_data.value()), embedding_(embedding), options_(options) {
  require(private_data.classes >= 2, "{} classes have nothing to tell apart, want at least 2", private_data.classes);
  if (options.kind == TeacherKind::Ridge) rows_ = embedding.records()(private_data.features);
}

Matrix Teachers::posteriors(std::span<const int32_t> records, std::span<const int32_t> queries,
                            const Seed& seed) const {
  std::vector<int32_t> labeled;
  for (const int32_t u : records) {
    if (private_data_.labels[u] != graph::kUnlabeled) labeled.push_back(u);
  }
  const auto count = static_cast<int64_t>(queries.size());
  if (labeled.size() >= 2) {
    Matrix said = options_.kind == TeacherKind::Ridge ? by_ridge(labeled, queries) : by_network(labeled, queries, seed);
    // A record may be such that numbers overflow. An error would tell; an answer, whatever it is, has its noise.
    for (int64_t q = 0; q < count; ++q) {
      const auto row = said.row(q);
      if (!std::all_of(row.begin(), row.end(), [](Real p) { return std::isfinite(p); })) {
        std::fill(row.begin(), row.end(), 1 / static_cast<Real>(private_data_.classes));
      }
    }
    return said;
  }
  // One record knows its own label, none knows nothing.
  Matrix guess(count, private_data_.classes);
  RandomStream random(seed, "no records");
  for (int64_t q = 0; q < count; ++q) {
    guess(q, labeled.empty() ? static_cast<int64_t>(random.below(static_cast<uint64_t>(guess.cols())))
                             : static_cast<int64_t>(private_data_.labels[labeled[0]])) = 1;
  }
  return guess;
}

Matrix Teachers::by_ridge(std::span<const int32_t> records, std::span<const int32_t> queries) const {
  const int64_t n = static_cast<int64_t>(records.size()), d = rows_.cols(), classes = private_data_.classes;
  Matrix e = Matrix::uninitialized(n, d), targets(n, classes);
  Matrix z = Matrix::uninitialized(static_cast<int64_t>(queries.size()), d);
  kernels::gather_rows(rows_, records, e);
  kernels::gather_rows(embedding_.nodes(), queries, z);
  for (int64_t i = 0; i < n; ++i) {
    for (Real& t : targets.row(i)) t = -1 / static_cast<Real>(classes);
    targets(i, private_data_.labels[records[i]]) += 1;
  }
  // W = (EᵀE + a I)⁻¹ Eᵀ T = Eᵀ (E Eᵀ + a I)⁻¹ T, by the smaller of the two systems.
  Matrix weights = Matrix::uninitialized(d, classes);
  if (n <= d) {
    Matrix gram = Matrix::uninitialized(n, n);
    kernels::gemm(kernels::Transpose::No, kernels::Transpose::Yes, 1, e, e, 0, gram);
    std::vector<double> a = doubles(gram), b = doubles(targets);
    ridge_solve({a.data(), n, n}, options_.ridge, {b.data(), n, classes});
    std::copy(b.begin(), b.end(), targets.values().begin());
    kernels::gemm(kernels::Transpose::Yes, kernels::Transpose::No, 1, e, targets, 0, weights);
  } else {
    Matrix gram = Matrix::uninitialized(d, d);
    kernels::gemm(kernels::Transpose::Yes, kernels::Transpose::No, 1, e, e, 0, gram);
    kernels::gemm(kernels::Transpose::Yes, kernels::Transpose::No, 1, e, targets, 0, weights);
    std::vector<double> a = doubles(gram), b = doubles(weights);
    ridge_solve({a.data(), d, d}, options_.ridge, {b.data(), d, classes});
    std::copy(b.begin(), b.end(), weights.values().begin());
  }
  Matrix scores = Matrix::uninitialized(z.rows(), classes);
  kernels::matmul(z, weights, scores);
  to_probabilities(scores);
  return scores;
}

Matrix Teachers::by_network(std::span<const int32_t> records, std::span<const int32_t> queries,
                            const Seed& seed) const {
  const bool edges = options_.kind == TeacherKind::Sage;
  graph::Dataset data = graph::induced_subgraph(private_data_, records);
  if (!edges) data = without_edges(std::move(data));
  StudentNetwork network(data, private_data_.classes, options_.network, seed);
  const std::vector<int32_t> labels(data.labels.begin(), data.labels.end());
  std::vector<int32_t> all(labels.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int32_t>(i);
  // Not learn::fit: that makes a public model, and this one is nobody's to see.
  nn::Tape tape(seed);
  nn::Adam adam;
  for (int64_t epoch = 0; epoch < options_.epochs; ++epoch) {
    tape.start();
    const nn::Var loss = nn::cross_entropy(network.scores(tape, all), labels);
    network.parameters().zero_gradients();
    tape.backward(loss);
    adam.step(network.parameters(), options_.learning_rate);
  }
  nn::State state;
  network.save(state, "");

  // The queries with the part of the public graph that they read.
  const std::vector<int32_t> seen = neighborhood(public_data_.graph, queries, edges ? options_.network.layers : 0);
  graph::Dataset around = graph::induced_subgraph(public_data_, seen);
  if (!edges) around = without_edges(std::move(around));
  StudentNetwork reader(around, private_data_.classes, options_.network, seed);
  reader.load(state, "");
  std::vector<int32_t> places;
  for (const int32_t q : queries) {
    places.push_back(static_cast<int32_t>(std::lower_bound(seen.begin(), seen.end(), q) - seen.begin()));
  }
  nn::Tape reading(seed);
  reading.start(nn::Tape::Mode::Evaluate);
  Matrix out = Matrix::uninitialized(static_cast<int64_t>(queries.size()), private_data_.classes);
  kernels::softmax(reader.scores(reading, places).value(), out);
  return out;
}

}  // namespace graphveil::learn
