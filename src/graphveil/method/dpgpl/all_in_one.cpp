#include "graphveil/method/dpgpl/all_in_one.h"

#include <algorithm>
#include <cmath>

#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/nn/ops_elementwise.h"
#include "graphveil/nn/ops_linear.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/ops_shape.h"

namespace graphveil::method {
namespace {

// Of the sigmoid of an inner product, as in the authors' code.
constexpr double kInnerThreshold = 0.3, kCrossThreshold = 0.1;
constexpr int64_t kTurns = 5;
constexpr double kTokenRate = 0.02;  // of the answer's: tokens that move as fast fit the few records by heart

bool reaches(double product, double threshold) { return product >= std::log(threshold / (1 - threshold)); }

// Inner products of the rows of a with those of b.
Matrix products(ConstMatrixView a, ConstMatrixView b) {
  Matrix out = Matrix::uninitialized(a.rows, b.rows);
  kernels::gemm(kernels::Transpose::No, kernels::Transpose::Yes, 1, a, b, 0, out);
  return out;
}

}  // namespace

AllInOne::AllInOne(const PromptOptions& options, const Backbone& backbone, int32_t classes, const Seed& seed)
    : options_(options),
      backbone_(backbone),
      tokens_(prompt_.add("tokens", options.token_count(), backbone.shape().inputs)),
      weight_(answer_.add("answer.weight", backbone.shape().hidden, classes)),
      bias_(answer_.add("answer.bias", 1, classes)) {
  RandomStream random(seed, "prompt");
  nn::fill_glorot(prompt_.value(tokens_), backbone.shape().inputs, options.token_count(), random);
}

nn::Edges AllInOne::linked(const PromptGraph& graph) const {
  const ConstMatrixView tokens = prompt_.value(tokens_);
  const Matrix inner = products(tokens, tokens), cross = products(graph.rows, tokens);
  const auto count = static_cast<int32_t>(tokens.rows);
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> sources;
  const auto end_row = [&] { offsets.push_back(static_cast<int64_t>(sources.size())); };
  for (int32_t t = 0; t < count; ++t) {
    for (int32_t s = 0; s < count; ++s) {
      if (s != t && reaches(inner(t, s), kInnerThreshold)) sources.push_back(s);
    }
    end_row();
  }
  for (int64_t v = 0; v < graph.nodes(); ++v) {
    for (int32_t t = 0; t < count; ++t) {
      if (reaches(cross(v, t), kCrossThreshold)) sources.push_back(t);
    }
    for (const int32_t u : graph.graph.in(v)) sources.push_back(count + u);
    end_row();
  }
  const int64_t rows = count + graph.nodes();
  return nn::Edges({rows, rows, offsets, sources, {}}, edge_options(backbone_.shape().kind));
}

Standard AllInOne::standard_of(ConstMatrixView with_tokens, const PromptGraph& graph) const {
  if (graph.standard.plain) return graph.standard.clone();
  Standard out = Standard::of(with_tokens);
  if (options_.answer == AnswerOf::Own) return out;
  const Standard without = without_tokens_ ? without_tokens_->clone() : standard_without(graph);
  for (int64_t c = 0; c < out.shift.cols(); ++c) out.shift(0, c) += graph.standard.shift(0, c) - without.shift(0, c);
  return out;
}

Standard AllInOne::standard_without(const PromptGraph& graph) const {
  return Standard::of(backbone_.embed(graph.rows, graph.edges));
}

nn::Var AllInOne::scores(nn::Tape& tape, const PromptGraph& graph, std::span<const int32_t> nodes) {
  edges_ = linked(graph);
  const int64_t count = prompt_.value(tokens_).rows, rows = count + graph.nodes();
  token_rows_ = first_numbers(count);
  node_rows_ = first_numbers(graph.nodes());
  for (int32_t& v : node_rows_) v += static_cast<int32_t>(count);
  wanted_.assign(nodes.begin(), nodes.end());
  for (int32_t& v : wanted_) v += static_cast<int32_t>(count);
  const nn::Var x = nn::add(nn::scatter_rows(tape.parameter(prompt_, tokens_), token_rows_, rows),
                            nn::scatter_rows(tape.input(graph.rows), node_rows_, rows));
  const nn::Var embeddings = backbone_(x, edges_);
  standard_ = standard_of(embeddings.value().rows_at(count, graph.nodes()), graph);
  return nn::linear(standard_(nn::gather_rows(embeddings, wanted_)), tape.parameter(answer_, weight_),
                    tape.parameter(answer_, bias_));
}

void AllInOne::tune(const PromptGraph& graph, std::span<const int32_t> nodes, std::span<const int32_t> labels,
                    const Seed& seed) {
  const auto loss = [&](nn::Tape& tape) { return nn::cross_entropy(scores(tape, graph, nodes), labels); };
  if (options_.answer == AnswerOf::Shared) without_tokens_ = standard_without(graph);
  PromptOptions of_tokens = options_;
  of_tokens.learning_rate = kTokenRate * options_.rate();
  const int64_t steps = std::max<int64_t>(options_.epochs / kTurns, 1);
  for (int64_t turn = 0; turn < kTurns; ++turn) {
    if (options_.answer == AnswerOf::Own) {
      prompt_.freeze();
      adam_steps(answer_, steps, options_, seed, loss);
      prompt_.freeze(false);
    }
    answer_.freeze();
    adam_steps(prompt_, steps, of_tokens, seed, loss);
    answer_.freeze(false);
  }
  without_tokens_.reset();
}

void AllInOne::keep_answer(const LinearAnswer& answer) {
  kernels::copy(answer.weight, answer_.value(weight_));
  kernels::copy(answer.bias, answer_.value(bias_));
}

void AllInOne::save(nn::State& state, const std::string& prefix) const {
  save_under(prompt_, state, prefix);
  save_under(answer_, state, prefix);
}

void AllInOne::load(const nn::State& state, const std::string& prefix) {
  load_under(state, prompt_, prefix);
  load_under(state, answer_, prefix);
}

}  // namespace graphveil::method
