#include "graphveil/method/dpgpl/gppt.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/method/dpgpl/small_prompts.h"

namespace graphveil::method::gppt_test {
namespace {

Matrix tensor(const nn::State& state, const std::string& name, int64_t rows, int64_t cols) {
  Matrix out(rows, cols);
  nn::read_matrix(state, name, out);
  return out;
}

// The inner product of what is seen of a node with the class's token at the nearest center, step by step in double.
TEST(Gppt, ScoresAreLinksToTheTokensOfTheNearestCenter) {
  const auto [graph, labels] = lesson(backbone(), 60);
  Gppt prompt(small_prompt(PromptKind::Gppt, 30), backbone().network(), kClasses);
  prompt.tune(graph, first_numbers(60), labels, Seed::from_number(1));
  const nn::State state = state_of(prompt);
  const int64_t hidden = backbone().network().shape().hidden, width = 2 * hidden;
  const Matrix structure = tensor(state, "structure", kClasses, width);
  const Matrix embeddings = backbone().network().embed(graph.rows, graph.edges);
  const Matrix said = prompt.probabilities(graph, first_numbers(60));
  const auto own = [&](int64_t v, int64_t c) {
    double squares = 0;
    for (int64_t i = 0; i < hidden; ++i) squares += std::pow(double{embeddings(v, i)} + graph.standard.shift(0, i), 2);
    return (double{embeddings(v, c)} + graph.standard.shift(0, c)) / std::sqrt(squares);
  };
  for (int64_t v = 0; v < 60; ++v) {
    std::vector<double> row(static_cast<size_t>(width));
    double norm = 0;
    for (int64_t c = 0; c < hidden; ++c) {
      double mean = own(v, c);
      for (const int32_t u : graph.graph.in(v)) mean += own(u, c);
      row[c] = own(v, c);
      row[hidden + c] = mean / (1.0 + static_cast<double>(graph.graph.in_degree(v)));
    }
    for (const double x : row) norm += x * x;
    for (double& x : row) x /= std::sqrt(norm);
    int64_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int64_t k = 0; k < kClasses; ++k) {
      double distance = 0;
      for (int64_t c = 0; c < width; ++c) distance += std::pow(row[c] - structure(k, c), 2);
      if (distance < least - 1e-9) {
        least = distance;
        nearest = k;
      }
    }
    const Matrix tokens = tensor(state, "task" + std::to_string(nearest), width, kClasses);
    std::vector<double> scores(kClasses, 0);
    double sum = 0;
    for (int64_t k = 0; k < kClasses; ++k) {
      for (int64_t c = 0; c < width; ++c) scores[k] += 10 * row[c] * tokens(c, k);
      sum += std::exp(scores[k]);
    }
    for (int64_t k = 0; k < kClasses; ++k) EXPECT_NEAR(said(v, k), std::exp(scores[k]) / sum, 1e-3) << v;
  }
}

// A teacher may have fewer records than there are classes.
TEST(Gppt, IsTunedOnOneRecord) {
  const auto [graph, labels] = lesson(backbone(), 1);
  Gppt prompt(small_prompt(PromptKind::Gppt, 30), backbone().network(), kClasses);
  prompt.tune(graph, first_numbers(1), labels, Seed::from_number(1));
  EXPECT_EQ(share_right(prompt.probabilities(graph, first_numbers(1)), labels), 1);
}

}  // namespace
}  // namespace graphveil::method::gppt_test
