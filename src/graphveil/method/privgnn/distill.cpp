#include "graphveil/method/privgnn/distill.h"

#include <numeric>
#include <utility>
#include <vector>

#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/learn/fit_shares.h"

namespace graphveil::method {
namespace {

constexpr const char* kMap = "embedding/";
constexpr const char* kStudent = "student/";

// Labels of all public nodes by ridge regression on the answers.
std::vector<int32_t> denoised(const Answers& answers, const Matrix& nodes, double ridge) {
  const Matrix head = ridge_head(answers, nodes, ridge);
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
                  "Steps in which the student first learns, without labels, to tell the public graph's edges");
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
  const PublicData& token = graph.vouched;
  const int64_t nodes = graph.data.value().nodes();
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
  const Public<graph::Dataset> data = denoise ? embedded(graph.data, embedding) : graph.data;
  Student student(data, classes, options.architecture, seed);
  if (options.pretrain_epochs > 0) {
    pretrain(student, data, options.architecture, options.pretrain_epochs, options.fit.learning_rate, seed);
  }
  Public<nn::State> taught =
      answers.shares && !denoise
          ? fit_shares(student, answers.queries, answers.targets, options.fit, seed, "student", token, kStudent)
          : fit(student, {labels, labeled, {}}, options.fit, seed, "student", token, kStudent);
  nn::State map;
  if (denoise) embedding.records().save(map, kMap);
  return {joined(Public<nn::State>(std::move(map), token), taught),
          Public<Matrix>(class_probabilities(student, nodes), token)};
}

Matrix ask_student(const nn::State& model, const graph::Dataset& data, const DistillOptions& options,
                   const Seed& seed) {
  const graph::Dataset seen =
      options.student == StudentKind::Denoise ? embedded(data, RecordMap::loaded(model, kMap)) : data;
  StudentNetwork student(seen, data.classes, options.architecture, seed);
  student.load(model, kStudent);
  return class_probabilities(student, data.nodes());
}

}  // namespace graphveil::method
