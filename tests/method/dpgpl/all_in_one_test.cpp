#include "graphveil/method/dpgpl/all_in_one.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/method/dpgpl/small_prompts.h"

namespace graphveil::method::all_in_one_test {
namespace {

// The prompted graph as one that holds tokens and nodes, made by hand.
TEST(AllInOne, IsTheBackboneOnTokensAndNodes) {
  const auto [graph, labels] = lesson(backbone(), 12);
  const int64_t tokens = 3, inputs = graph.rows.cols();
  PromptOptions options = small_prompt(PromptKind::AllInOne, 10);
  options.tokens = tokens;
  AllInOne prompt(options, backbone().network(), kClasses, Seed::from_number(1));
  prompt.tune(graph, first_numbers(12), labels, Seed::from_number(1));
  nn::State state = state_of(prompt);
  // Tokens along and against the first nodes, so that some links are cut.
  Matrix placed(tokens, inputs);
  for (int64_t c = 0; c < inputs; ++c) {
    placed(0, c) = graph.rows(0, c);
    placed(1, c) = -graph.rows(0, c);
    placed(2, c) = graph.rows(5, c) / 2;
  }
  state["tokens"] = nn::to_tensor(placed);
  prompt.load(state, "");

  const auto product = [&](std::span<const Real> a, std::span<const Real> b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
    return sum;
  };
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  std::vector<int32_t> from, to;
  Matrix rows(tokens + 12, inputs);
  int cut = 0;
  for (int32_t t = 0; t < tokens; ++t) {
    std::ranges::copy(placed.row(t), rows.row(t).begin());
    for (int32_t s = 0; s < tokens; ++s) {
      if (s == t) continue;
      if (sigmoid(product(placed.row(t), placed.row(s))) >= 0.3) {
        from.push_back(s);
        to.push_back(t);
      }
    }
    for (int32_t v = 0; v < 12; ++v) {
      const bool linked = sigmoid(product(placed.row(t), graph.rows.row(v))) >= 0.1;
      cut += !linked;
      if (!linked) continue;
      from.push_back(t);
      to.push_back(static_cast<int32_t>(tokens) + v);
    }
  }
  EXPECT_GT(cut, 0);
  for (int32_t v = 0; v < 12; ++v) {
    std::ranges::copy(graph.rows.row(v), rows.row(tokens + v).begin());
    for (const int32_t u : graph.graph.in(v)) {
      from.push_back(static_cast<int32_t>(tokens) + u);
      to.push_back(static_cast<int32_t>(tokens) + v);
    }
  }
  const graph::Graph both = graph::Graph::from_edges(tokens + 12, from, to);
  const Matrix h = backbone().network().embed(rows, nn::Edges(both.in_view(), edge_options(BackboneKind::Gcn)));
  Matrix weight(h.cols(), kClasses), bias(1, kClasses);
  nn::read_matrix(state, "answer.weight", weight);
  nn::read_matrix(state, "answer.bias", bias);
  // About their mean, each row of norm 1.
  Matrix about(12, h.cols());
  for (int64_t c = 0; c < h.cols(); ++c) {
    double mean = 0;
    for (int64_t v = 0; v < 12; ++v) mean += h(tokens + v, c) / 12.0;
    for (int64_t v = 0; v < 12; ++v) {
      about(v, c) = static_cast<Real>(h(tokens + v, c) - mean);
    }
  }
  const Matrix said = prompt.probabilities(graph, first_numbers(12));
  for (int64_t v = 0; v < 12; ++v) {
    std::vector<double> scores(kClasses);
    double sum = 0, squares = 0;
    for (int64_t c = 0; c < h.cols(); ++c) squares += double{about(v, c)} * about(v, c);
    for (int64_t k = 0; k < kClasses; ++k) {
      scores[k] = bias(0, k);
      for (int64_t c = 0; c < h.cols(); ++c) {
        scores[k] += about(v, c) / std::sqrt(squares) * weight(c, k);
      }
      sum += std::exp(scores[k]);
    }
    for (int64_t k = 0; k < kClasses; ++k) EXPECT_NEAR(said(v, k), std::exp(scores[k]) / sum, 1e-4);
  }
}

}  // namespace
}  // namespace graphveil::method::all_in_one_test
