#include "graphveil/method/dpgpl/gppt.h"

#include <optional>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/nearest.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/nn/ops_elementwise.h"
#include "graphveil/nn/ops_graph.h"
#include "graphveil/nn/ops_linear.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/ops_normalize.h"
#include "graphveil/nn/ops_shape.h"
#include "graphveil/nn/optimizer.h"

namespace graphveil::method {
namespace {

constexpr Real kSharpness = 10;              // cosines times this are the scores
constexpr Real kOrthogonality = Real(0.01);  // weight of the penalty
constexpr int kRounds = 20;                  // of k-means

// The gradient of |TᵀT - I|² / 4, times `weight`: T (TᵀT - I).
void add_orthogonality(ConstMatrixView tokens, Real weight, MatrixView gradient) {
  Matrix gram = Matrix::uninitialized(tokens.cols, tokens.cols);
  kernels::gemm(kernels::Transpose::Yes, kernels::Transpose::No, 1, tokens, tokens, 0, gram);
  for (int64_t c = 0; c < gram.rows(); ++c) gram(c, c) -= 1;
  kernels::gemm(kernels::Transpose::No, kernels::Transpose::No, weight, tokens, gram, 1, gradient);
}

// Centers by Lloyd's rounds from distinct rows drawn at random; the last is repeated where there are too few.
Matrix k_means(const Matrix& rows, int64_t centers, const Seed& seed) {
  const int64_t n = rows.rows();
  std::vector<int32_t> first = RandomStream(seed, "clusters").permutation(n);
  while (static_cast<int64_t>(first.size()) < centers) first.push_back(first.back());
  first.resize(static_cast<size_t>(centers));
  Matrix out = Matrix::uninitialized(centers, rows.cols());
  kernels::gather_rows(rows, first, out);
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<int32_t> at = kernels::nearest(rows, out, 1, kernels::Distance::Euclidean).indices;
    Matrix sums(centers, rows.cols());
    std::vector<Real> sizes(static_cast<size_t>(centers), 0);
    kernels::scatter_add_rows(rows, at, sums);
    for (const int32_t k : at) sizes[k] += 1;
    for (int64_t k = 0; k < centers; ++k) {
      if (sizes[k] == 0) continue;
      for (int64_t c = 0; c < rows.cols(); ++c) out(k, c) = sums(k, c) / sizes[k];
    }
  }
  return out;
}

}  // namespace

Gppt::Gppt(const PromptOptions& options, const Backbone& backbone, int32_t classes)
    : options_(options), backbone_(backbone), classes_(classes), structure_(classes, 2 * backbone.shape().hidden) {
  for (int32_t k = 0; k < classes; ++k) {
    tasks_.push_back(parameters_.add(fmt::format("task{}", k), structure_.cols(), classes));
  }
}

nn::Var Gppt::seen(nn::Tape& tape, const PromptGraph& graph, std::span<const int32_t> nodes) {
  neighbors_ = nn::Edges(graph.graph.in_view(), {.self_loops = true, .weights = nn::EdgeWeights::InverseDegree});
  const nn::Var own = graph.standard(backbone_(tape.input(graph.rows), graph.edges));
  const nn::Var both = nn::concat_columns(std::vector<nn::Var>{own, nn::aggregate(own, neighbors_)});
  return nn::normalize_rows(nn::gather_rows(both, nodes));
}

Gppt::Clusters Gppt::clusters_of(ConstMatrixView rows) const {
  Clusters out(static_cast<size_t>(classes_));
  const std::vector<int32_t> at = kernels::nearest(rows, structure_, 1, kernels::Distance::Euclidean).indices;
  for (size_t i = 0; i < at.size(); ++i) out[static_cast<size_t>(at[i])].push_back(static_cast<int32_t>(i));
  return out;
}

nn::Var Gppt::by_cluster(nn::Var rows, const Clusters& clusters) {
  std::optional<nn::Var> scores;
  for (size_t k = 0; k < clusters.size(); ++k) {
    if (clusters[k].empty()) continue;
    const nn::Var part = nn::matmul(nn::gather_rows(rows, clusters[k]), rows.tape->parameter(parameters_, tasks_[k]));
    const nn::Var placed = nn::scatter_rows(nn::scale(part, kSharpness), clusters[k], rows.rows());
    scores = scores ? nn::add(*scores, placed) : placed;
  }
  return *scores;
}

nn::Var Gppt::scores(nn::Tape& tape, const PromptGraph& graph, std::span<const int32_t> nodes) {
  const nn::Var rows = seen(tape, graph, nodes);
  clusters_ = clusters_of(rows.value());
  return by_cluster(rows, clusters_);
}

void Gppt::tune(const PromptGraph& graph, std::span<const int32_t> nodes, std::span<const int32_t> labels,
                const Seed& seed) {
  nn::Tape tape(seed);
  tape.start(nn::Tape::Mode::Evaluate);
  const nn::Var fixed = seen(tape, graph, nodes);
  Matrix rows = Matrix::uninitialized(fixed.rows(), fixed.cols());
  kernels::copy(fixed.value(), rows);
  structure_ = k_means(rows, classes_, seed);
  const Clusters clusters = clusters_of(rows);
  Matrix means(classes_, rows.cols());
  kernels::scatter_add_rows(rows, labels, means);
  std::vector<Real> norms(static_cast<size_t>(classes_));
  kernels::normalize_rows(means, means, norms);
  for (const nn::ParameterId task : tasks_) {
    const MatrixView tokens = parameters_.value(task);
    for (int64_t r = 0; r < tokens.rows; ++r) {
      for (int64_t c = 0; c < tokens.cols; ++c) tokens(r, c) = means(c, r);
    }
  }
  nn::Adam adam({.weight_decay = options_.weight_decay});
  for (int64_t epoch = 0; epoch < options_.epochs; ++epoch) {
    tape.start();
    const nn::Var loss = nn::cross_entropy(by_cluster(tape.input(rows), clusters), labels);
    parameters_.zero_gradients();
    tape.backward(loss);
    for (size_t k = 0; k < clusters.size(); ++k) {
      if (clusters[k].empty()) continue;
      add_orthogonality(parameters_.value(tasks_[k]), kOrthogonality, parameters_.gradient(tasks_[k]));
    }
    adam.step(parameters_, options_.rate());
  }
}

void Gppt::keep_answer(const LinearAnswer&) { fail(ErrorKind::InvalidArgument, "gppt has no answer to share"); }

void Gppt::save(nn::State& state, const std::string& prefix) const {
  save_under(parameters_, state, prefix);
  state[prefix + "structure"] = nn::to_tensor(structure_);
}

void Gppt::load(const nn::State& state, const std::string& prefix) {
  load_under(state, parameters_, prefix);
  nn::read_matrix(state, prefix + "structure", structure_);
}

}  // namespace graphveil::method
