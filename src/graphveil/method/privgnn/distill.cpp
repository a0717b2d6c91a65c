#include "graphveil/method/privgnn/distill.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/kernels/conjugate_gradients.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/rows.h"

namespace graphveil::method {
namespace {

constexpr const char* kMap = "embedding/";
constexpr const char* kStudent = "student/";

// The graph with its nodes' own embeddings as features.
graph::Dataset embedded(const graph::Dataset& data, const RecordMap& records) {
  graph::Dataset out = data;
  out.features = graph::Features(records(data.features));
  return out;
}

// Labels of all public nodes by ridge regression on the answers.
std::vector<int32_t> denoised(const Answers& answers, const Matrix& nodes, double ridge) {
  Matrix rows = Matrix::uninitialized(static_cast<int64_t>(answers.queries.size()), nodes.cols());
  kernels::gather_rows(nodes, answers.queries, rows);
  kernels::LinearMap map{rows.rows(), rows.cols(), {}, {}};
  map.apply = [&](ConstMatrixView x, MatrixView out) { kernels::matmul(rows, x, out); };
  map.apply_transposed = [&](ConstMatrixView x, MatrixView out) {
    kernels::gemm(kernels::Transpose::Yes, kernels::Transpose::No, 1, rows, x, 0, out);
  };
  const Matrix head = kernels::ridge_regression(map, answers.targets, {.ridge = ridge});
  Matrix scores = Matrix::uninitialized(nodes.rows(), head.cols());
  kernels::matmul(nodes, head, scores);
  std::vector<int32_t> labels(static_cast<size_t>(nodes.rows()));
  kernels::row_argmax(scores, labels);
  return labels;
}

}  // namespace

void DistillOptions::declare(Options& options) {
  options.choice(
      "student", student, {{"denoise", StudentKind::Denoise}, {"plain", StudentKind::Plain}},
      "denoise: ridge regression on the answers relabels public nodes first. plain: the answers as they are");
  options.real_or("student-ridge", ridge, "auto", 1e-6, 1e9,
                  "Ridge of the regression on the answers; auto: 20, and more for noisy shares of votes");
  options.choice("relabel", relabel_all, {{"all", true}, {"pool", false}},
                 "Public nodes that are relabeled for the student: all, or all but the test nodes");
  options.integer("pretrain-epochs", pretrain_epochs, 0, 1000000,
                  "Steps in which the student first learns, without labels, to tell public nodes' embeddings");
  architecture.declare(options);
  fit.declare(options);
}

void DistillOptions::use_paper_settings() {
  *this = {};
  student = StudentKind::Plain;
  fit = {.epochs = 200, .learning_rate = 0.01};
}

Output distill(const Answers& answers, const PublicGraph& graph, const PublicEmbedding& embedding, int32_t classes,
               const DistillOptions& options, const Seed& seed) {
  const PublicData token = PublicData::declared("the public graph is public");
  const int64_t nodes = graph.data.nodes();
  const bool denoise = options.student == StudentKind::Denoise;
  std::vector<int32_t> labels(static_cast<size_t>(nodes), graph::kUnlabeled), labeled = answers.queries;
  if (denoise) {
    // The ridge of the best regression grows with the variance of its targets; measured on Amazon Computers.
    const double by_noise = 20 + 60 * answers.noise_stddev * answers.noise_stddev;
    labels = denoised(answers, embedding.nodes(), options.ridge.value_or(by_noise));
    labeled = graph.split.train;
    if (options.relabel_all) {
      labeled.resize(labels.size());
      std::iota(labeled.begin(), labeled.end(), 0);
    }
  } else {
    std::vector<int32_t> best(answers.queries.size());
    kernels::row_argmax(answers.targets, best);
    for (size_t i = 0; i < best.size(); ++i) labels[answers.queries[i]] = best[i];
  }
  const graph::Dataset data = denoise ? embedded(graph.data, embedding.records()) : graph.data;
  Student student(data, classes, options.architecture, seed);
  if (options.pretrain_epochs > 0) {
    pretrain(student, data, options.architecture, embedding.nodes(), options.pretrain_epochs, options.fit.learning_rate,
             seed);
  }
  Public<nn::State> taught = fit(student, {labels, labeled, {}}, options.fit, seed, "student", token, kStudent);
  nn::State map;
  if (denoise) embedding.records().save(map, kMap);
  return {joined(Public<nn::State>(std::move(map), token), taught),
          Public<Matrix>(class_probabilities(student, nodes), token)};
}

Matrix ask_student(const nn::State& model, const graph::Dataset& data, const DistillOptions& options,
                   const Seed& seed) {
  const graph::Dataset seen =
      options.student == StudentKind::Denoise ? embedded(data, RecordMap::loaded(model, kMap)) : data;
  Student student(seen, data.classes, options.architecture, seed);
  student.load(model, kStudent);
  return class_probabilities(student, data.nodes());
}

int64_t query_count(const std::optional<int64_t>& asked, const Setting& setting) {
  const int64_t pool = setting.facts.public_pool;
  require(pool >= 1, "the public graph has {} nodes that may be given labels, want some", pool);
  require(!asked || *asked <= pool, "--queries is {}, but the public pool has {} nodes", asked.value_or(0), pool);
  return asked.value_or(pool);
}

std::vector<int32_t> chosen_queries(const std::vector<int32_t>& pool, int64_t count, const Seed& seed) {
  require(count >= 1 && count <= static_cast<int64_t>(pool.size()), "{} queries, but the public pool has {} nodes",
          count, pool.size());
  std::vector<int32_t> queries = pool;
  if (count < static_cast<int64_t>(pool.size())) {
    RandomStream(seed, "queries").shuffle(std::span<int32_t>(queries));
    queries.resize(static_cast<size_t>(count));
    std::sort(queries.begin(), queries.end());
  }
  return queries;
}

Matrix centered_onehot(const std::vector<int32_t>& labels, int32_t classes) {
  Matrix out(static_cast<int64_t>(labels.size()), classes);
  for (Real& x : out.values()) x = -1 / static_cast<Real>(classes);
  for (size_t i = 0; i < labels.size(); ++i) out(static_cast<int64_t>(i), labels[i]) += 1;
  return out;
}

}  // namespace graphveil::method
