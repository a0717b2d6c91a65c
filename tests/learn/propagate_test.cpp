#include "graphveil/learn/propagate.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/generate.h"

namespace graphveil::learn::propagate_test {
namespace {

const graph::Dataset& tiny_data() {
  static const graph::Dataset data = graph::generate(graph::preset("tiny"), Seed::from_number(1));
  return data;
}

Matrix some_probabilities(const graph::Graph& graph, int64_t classes) {
  RandomStream random(Seed::from_number(3), "test");
  Matrix p(graph.nodes(), classes);
  for (int64_t v = 0; v < p.rows(); ++v) {
    double sum = 0;
    for (Real& x : p.row(v)) sum += x = static_cast<Real>(0.01 + random.uniform());
    for (Real& x : p.row(v)) x = static_cast<Real>(x / sum);
  }
  return p;
}

// The definition, entry by entry.
Matrix obvious(const graph::Graph& graph, const Matrix& p, int64_t steps, double alpha) {
  const int64_t n = p.rows(), c = p.cols();
  std::vector<double> h(n * c), q, next(n * c);
  for (int64_t i = 0; i < n * c; ++i) h[i] = std::log(static_cast<double>(p.data()[i]));
  q = h;
  for (int64_t s = 0; s < steps; ++s) {
    for (int64_t v = 0; v < n; ++v) {
      for (int64_t k = 0; k < c; ++k) {
        double sum = q[v * c + k];
        for (int32_t u : graph.in(v)) sum += q[u * c + k];
        next[v * c + k] = (1 - alpha) * sum / static_cast<double>(graph.in_degree(v) + 1) + alpha * h[v * c + k];
      }
    }
    q = next;
  }
  Matrix out(n, c);
  for (int64_t v = 0; v < n; ++v) {
    double sum = 0;
    for (int64_t k = 0; k < c; ++k) sum += std::exp(q[v * c + k]);
    for (int64_t k = 0; k < c; ++k) out(v, k) = static_cast<Real>(std::exp(q[v * c + k]) / sum);
  }
  return out;
}

TEST(Propagate, IsItsDefinition) {
  const graph::Graph& graph = tiny_data().graph;
  const Matrix p = some_probabilities(graph, 4);
  for (int64_t steps : {0, 1, 3}) {
    const Matrix found = propagate(graph, p, steps, 0.3), wanted = obvious(graph, p, steps, 0.3);
    for (int64_t i = 0; i < p.size(); ++i) ASSERT_NEAR(found.data()[i], wanted.data()[i], 1e-5) << steps;
  }
}

TEST(Propagate, ProbabilitiesStayProbabilities) {
  const graph::Graph& graph = tiny_data().graph;
  const Matrix p = some_probabilities(graph, 4);
  const Matrix q = propagate(graph, p, 1, 0.25, Propagated::Probabilities);
  for (int64_t v = 0; v < p.rows(); ++v) {
    double sum = 0;
    for (int64_t k = 0; k < 4; ++k) {
      double wanted = p(v, k);
      for (int32_t u : graph.in(v)) wanted += p(u, k);
      wanted = 0.75 * wanted / static_cast<double>(graph.in_degree(v) + 1) + 0.25 * p(v, k);
      ASSERT_NEAR(q(v, k), wanted, 1e-5);
      sum += q(v, k);
    }
    ASSERT_NEAR(sum, 1, 1e-5);
  }
}

TEST(Propagate, AlphaOneChangesNothingAndZerosAreFinite) {
  const graph::Graph& graph = tiny_data().graph;
  Matrix p = some_probabilities(graph, 3);
  p(0, 0) = 0;
  const Matrix same = propagate(graph, p, 4, 1);
  for (int64_t k = 0; k < 3; ++k) EXPECT_NEAR(same(5, k), p(5, k), 1e-5);
  const Matrix smooth = propagate(graph, p, 2, 0.25);
  for (Real x : smooth.values()) ASSERT_TRUE(std::isfinite(x));
}

TEST(Propagate, RefusesWhatDoesNotFit) {
  EXPECT_THROW(propagate(tiny_data().graph, Matrix(3, 2), 1, 0.5), Error);
  EXPECT_THROW(propagate(tiny_data().graph, some_probabilities(tiny_data().graph, 2), 1, 1.5), Error);
}

}  // namespace
}  // namespace graphveil::learn::propagate_test
