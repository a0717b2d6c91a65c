#include "graphveil/method/diffusion/diffusion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/method/mlp.h"

namespace graphveil::method {
namespace {

constexpr const char* kDiffusion = "diffusion";
constexpr const char* kGuess = "guess/";
constexpr double kShortest = 2;            // rows below so many times the norm of their noise are mostly noise
constexpr double kDiffusedRowScale = 0.5;  // of a row that is mostly signal, beside features of norm 1

const MlpArchitecture kGuessArchitecture{.layers = 2, .hidden_dim = 32, .activation = Activation::Relu, .dropout = 0.5};
const FitOptions kGuessFit{.epochs = 100, .learning_rate = 0.01, .weight_decay = 5e-4};
const LapArchitecture kReader{.first_bias = true};
const FitOptions kReaderFit{.epochs = 100, .learning_rate = 0.1, .weight_decay = 2e-5};

bound::NeighborSumOptions sum_options(bound::Relation relation, int32_t classes) {
  return {.relation = relation, .max_row_norm = std::sqrt(1 - 1 / static_cast<double>(classes))};
}

// Rows as `rows`, those longer than `shortest` scaled to length 1 and the others alike.
void shrink(Matrix& rows, double shortest) {
  std::vector<Real> norms(static_cast<size_t>(rows.rows()));
  kernels::row_norms(rows, norms);
  for (int64_t v = 0; v < rows.rows(); ++v) {
    const double length = std::max(static_cast<double>(norms[v]), shortest);
    for (Real& x : rows.row(v)) x = length > 0 ? static_cast<Real>(x / length) : 0;
  }
}

// What every node sends, less the mean over classes.
Matrix messages(const Task& task, const Matrix& guesses, const Matrix* rows, double own) {
  const Real mean = Real{1} / static_cast<Real>(task.data.classes);
  const auto longest = static_cast<Real>(std::sqrt(1 - 1 / static_cast<double>(task.data.classes)));
  Matrix sent = Matrix::uninitialized(guesses.rows(), guesses.cols());
  for (int64_t i = 0; i < sent.size(); ++i) {
    const Real guess = guesses.data()[i] - mean;
    sent.data()[i] = rows == nullptr
                         ? guess
                         : static_cast<Real>(own) * guess + static_cast<Real>(1 - own) * longest * rows->data()[i];
  }
  for (const int32_t u : task.split.train) {
    if (task.data.labels[u] == graph::kUnlabeled) continue;
    std::ranges::fill(sent.row(u), -mean);
    sent(u, task.data.labels[u]) += 1;
  }
  return sent;
}

// The rows of all steps side by side, as the reader takes them.
Matrix diffused(const Task& task, const Matrix& guesses, double own, Release& release) {
  const int64_t steps = release.line(kDiffusion).event.count(), classes = task.data.classes;
  Matrix inputs = Matrix::uninitialized(task.data.nodes(), steps * classes), rows;
  for (int64_t step = 0; step < steps; ++step) {
    const Matrix sent = messages(task, guesses, step == 0 ? nullptr : &rows, own);
    auto noisy = release.gaussian(
        kDiffusion, bound::neighbor_sum(task.data.graph, sent, sum_options(task.relation, task.data.classes),
                                        release.grid(kDiffusion)));
    const double noise = noisy.noise_scale();
    rows = std::move(noisy).value();
    shrink(rows, kShortest * noise * std::sqrt(static_cast<double>(classes)));
    for (int64_t v = 0; v < rows.rows(); ++v) {
      for (int64_t k = 0; k < classes; ++k)
        inputs(v, step * classes + k) = static_cast<Real>(kDiffusedRowScale) * rows(v, k);
    }
  }
  return inputs;
}

}  // namespace

Description Diffusion::describe() const {
  return {"diffusion-edp", "edge",
          "PageRank of whole classes: power iteration with noise in every step, then a linear softmax",
          "graphveil (docs/methods/diffusion.md)"};
}

void Diffusion::declare(Options& options) {
  options.integer("hops", hops_, 1, 16, "Steps of the power iteration");
  options.real("own", own_, 0, 1, "Share of a node's own guess in what it sends from the second step on");
}

NetworkSize Diffusion::network() const { return {kGuessArchitecture.hidden_dim, kGuessArchitecture.layers + 1, true}; }

Plan Diffusion::plan(double noise, const Setting& setting) const {
  return {{account::Event(kDiffusion, account::Gaussian{noise * std::sqrt(static_cast<double>(hops_))}, {}, hops_),
           bound::neighbor_sum_bound(sum_options(setting.relation, setting.facts.classes))}};
}

Output Diffusion::run(const Task& task, Release& release) const {
  const PublicData token = PublicData::under(release);
  MlpNetwork guess(task.data, kGuessArchitecture, true, task.seed);
  const Public<nn::State> guess_model = fit(guess, fit_data(task), kGuessFit, task.seed, "features", token, kGuess);
  const Matrix inputs = diffused(task, class_probabilities(guess, task.data.nodes()), own_, release);
  LapNetwork reader(task.data, inputs, kReader, task.seed);
  const Public<nn::State> reader_model = fit(reader, {task.data.labels, task.split.train, {}, task.class_weights},
                                             kReaderFit, task.seed, "training", token);
  return {joined(guess_model, reader_model), predictions_for(class_probabilities(reader, task.data.nodes()), release)};
}

Predictions Diffusion::infer(const nn::State& model, const Task& task, Release& release) const {
  MlpNetwork guess(task.data, kGuessArchitecture, true, task.seed);
  guess.load(model, kGuess);
  const Matrix inputs = diffused(task, class_probabilities(guess, task.data.nodes()), own_, release);
  LapNetwork reader(task.data, inputs, kReader, task.seed);
  reader.load(model, "");
  return predictions_for(class_probabilities(reader, task.data.nodes()), release);
}

}  // namespace graphveil::method
