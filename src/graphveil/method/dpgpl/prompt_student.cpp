#include "graphveil/method/dpgpl/prompt_student.h"

#include <algorithm>
#include <utility>

#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/rows.h"

namespace graphveil::method {
namespace {

constexpr const char* kHead = "head";
constexpr const char* kPromptPrefix = "prompt/";

// Estimates of onehot(label) - 1 / classes as probabilities: what is below zero is cut off, the rest scaled.
Matrix probabilities_by(const Matrix& head, const Matrix& embedding) {
  Matrix scores = Matrix::uninitialized(embedding.rows(), head.cols());
  kernels::matmul(embedding, head, scores);
  const Real share = 1 / static_cast<Real>(head.cols());
  for (int64_t v = 0; v < scores.rows(); ++v) {
    Real sum = 0;
    for (Real& x : scores.row(v)) {
      x = std::max<Real>(x + share, 0);
      sum += x;
    }
    for (Real& x : scores.row(v)) x = sum > 0 ? x / sum : share;
  }
  return scores;
}

}  // namespace

void PromptStudentOptions::declare(Options& options) {
  options.choice("student", kind, {{"ridge", PromptStudentKind::Ridge}, {"prompt", PromptStudentKind::Prompt}},
                 "ridge: regression of the noisy answers on smoothed features. prompt: a prompt of the teachers' kind");
  options.boolean(
      "relabel", relabel,
      "The prompt student learns the labels that the regression gives to all public nodes; false: the noisy "
      "labels of the queries, as in the paper");
  options.real_or("student-ridge", ridge, "auto", 1e-6, 1e9,
                  "Ridge of the regression on the answers; auto: more for noisy shares of votes");
}

nn::State prompt_state(const Prompt& prompt, const PublicBackbone& backbone) {
  nn::State state;
  backbone.save(state);
  prompt.save(state, kPromptPrefix);
  return state;
}

Output teach(const Answers& answers, const PublicBackbone& backbone, const PublicData& token, int32_t classes,
             const PromptOptions& prompt, const PromptStudentOptions& options, const Seed& seed,
             const std::optional<LinearAnswer>& answer) {
  const Matrix rows = backbone.smoothed();
  Matrix head(rows.cols(), classes);
  if (!answers.queries.empty()) {
    // The ridge of the best regression grows with the variance of its targets; measured on cora_ml, amazon_photo and
    // coauthor_cs.
    const double by_noise = 3 + 60 * answers.noise_stddev * answers.noise_stddev;
    head = ridge_head(answers, rows, options.ridge.value_or(by_noise));
  }
  Matrix said = probabilities_by(head, rows);
  if (options.kind == PromptStudentKind::Ridge) {
    nn::State state;
    backbone.save(state);
    state[kHead] = nn::to_tensor(head);
    return {Public<nn::State>(std::move(state), token), Public<Matrix>(std::move(said), token)};
  }
  const std::vector<int32_t> all = first_numbers(backbone.graph().nodes());
  const std::unique_ptr<Prompt> student = make_prompt(prompt, backbone.network(), classes, seed);
  if (answer) student->keep_answer(*answer);
  if (!answers.queries.empty()) {
    const std::vector<int32_t>& nodes = options.relabel ? all : answers.queries;
    std::vector<int32_t> labels(nodes.size());
    kernels::row_argmax(options.relabel ? said : answers.targets, labels);
    student->tune(backbone.graph(), nodes, labels, seed);
  }
  return {Public<nn::State>(prompt_state(*student, backbone), token),
          Public<Matrix>(student->probabilities(backbone.graph(), all), token)};
}

Matrix ask_prompt_student(const nn::State& model, const graph::Dataset& data, const PromptOptions& prompt,
                          const PromptStudentOptions& options) {
  const PublicBackbone backbone = PublicBackbone::loaded(model, data);
  if (options.kind == PromptStudentKind::Ridge) {
    const Matrix rows = backbone.smoothed();
    Matrix head(rows.cols(), data.classes);
    nn::read_matrix(model, kHead, head);
    return probabilities_by(head, rows);
  }
  const std::unique_ptr<Prompt> student =
      make_prompt(prompt, backbone.network(), data.classes, Seed::from_number(0));  // every weight is overwritten
  student->load(model, kPromptPrefix);
  return student->probabilities(backbone.graph(), first_numbers(data.nodes()));
}

}  // namespace graphveil::method
