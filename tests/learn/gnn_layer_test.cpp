#include "graphveil/learn/gnn_layer.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/graph.h"

namespace graphveil::learn::gnn_layer_test {
namespace {

// 1 -> 0 and 2 -> 0; nobody reads for 1 and 2.
struct Star {
  Star() {
    RandomStream random(Seed::from_number(1), "rows");
    for (Real& value : x.values()) value = static_cast<Real>(random.gaussian());
  }
  graph::Graph graph = graph::Graph::from_edges(3, std::vector<int32_t>{1, 2}, std::vector<int32_t>{0, 0});
  Matrix x{3, 4};
};

double product(const Matrix& x, const nn::Parameters& p, int32_t weight, int64_t row, int64_t col) {
  double sum = 0;
  for (int64_t k = 0; k < x.cols(); ++k) sum += double{x(row, k)} * p.value(weight)(k, col);
  return sum;
}

TEST(GnnLayer, GcnAveragesANodeAndItsSources) {
  const Star star;
  // Narrower than the input: products first. As wide: averages first, and the average is added.
  for (const int64_t out : {2, 4}) {
    nn::Parameters p;
    RandomStream random(Seed::from_number(2), "weights");
    const GnnLayer layer(p, "layer", {.in = 4, .out = out}, random);
    const nn::Edges edges(star.graph.in_view(), edge_options(GnnArchitectureKind::Gcn));
    nn::Tape tape(Seed::from_number(1));
    tape.start();
    const auto y = layer(tape.input(star.x), {&edges, {}, {}}).value();
    for (int64_t c = 0; c < out; ++c) {
      double mean = 0, skip = 0;
      for (int64_t r = 0; r < 3; ++r) {
        mean += product(star.x, p, 0, r, c) / 3;
        skip += star.x(r, c) / 3.0;
      }
      EXPECT_NEAR(y(0, c), std::tanh(mean + p.value(1)(0, c)) + (out == 4 ? skip : 0), 1e-5);
    }
  }
}

TEST(GnnLayer, GinAddsTheNodeToTheSumOfItsSources) {
  const Star star;
  nn::Parameters p;
  RandomStream random(Seed::from_number(2), "weights");
  const GnnLayer layer(p, "layer", {.kind = GnnArchitectureKind::Gin, .in = 4, .out = 2, .last = true}, random);
  const nn::Edges edges(star.graph.in_view(), edge_options(GnnArchitectureKind::Gin));
  nn::Tape tape(Seed::from_number(1));
  tape.start();
  const auto y = layer(tape.input(star.x), {&edges, {}, {}}).value();
  double hidden[2];
  for (int64_t c = 0; c < 2; ++c) {
    hidden[c] = p.value(1)(0, c);
    for (int64_t r = 0; r < 3; ++r) hidden[c] += product(star.x, p, 0, r, c);
    hidden[c] = std::tanh(hidden[c]);
  }
  for (int64_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(y(0, c), hidden[0] * p.value(2)(0, c) + hidden[1] * p.value(2)(1, c) + p.value(3)(0, c), 1e-5);
  }
}

TEST(GnnLayer, GatWeighsByDotProducts) {
  const Star star;
  nn::Parameters p;
  RandomStream random(Seed::from_number(2), "weights");
  const GnnLayer layer(p, "layer", {.kind = GnnArchitectureKind::Gat, .in = 4, .out = 3, .heads = 2}, random);
  EXPECT_EQ(layer.width(), 4) << "two heads of two columns";
  const nn::Edges edges(star.graph.in_view(), edge_options(GnnArchitectureKind::Gat));
  nn::Tape tape(Seed::from_number(1));
  tape.start();
  const auto y = layer(tape.input(star.x), {&edges, {}, {}}).value();
  for (int64_t head = 0; head < 2; ++head) {
    double weights[3], total = 0;
    for (int64_t u = 0; u < 3; ++u) {
      double dot = 0;
      for (int64_t c = 2 * head; c < 2 * head + 2; ++c) {
        dot += product(star.x, p, 0, u, c) * product(star.x, p, 0, 0, c);
      }
      total += weights[u] = std::exp(dot / std::sqrt(2.0));
    }
    for (int64_t c = 2 * head; c < 2 * head + 2; ++c) {
      double want = p.value(1)(0, c);
      for (int64_t u = 0; u < 3; ++u) want += weights[u] / total * product(star.x, p, 0, u, c);
      EXPECT_NEAR(y(0, c), std::tanh(want), 1e-5);
    }
  }
}

TEST(GnnLayer, GcnCanKeepAShareOfTheOwnRow) {
  const Star star;
  nn::Parameters p;
  RandomStream random(Seed::from_number(2), "weights");
  const GnnLayer layer(p, "layer", {.in = 4, .out = 2, .last = true}, random);
  const nn::Edges edges(star.graph.in_view(), edge_options(GnnArchitectureKind::Gcn));
  nn::Tape tape(Seed::from_number(1));
  tape.start();
  const auto y = layer(tape.input(star.x), {&edges, {}, {}}, {2, 0.25}).value();
  // Rows 1 and 2 read nobody, so they stay; row 0 is averaged with them twice.
  for (int64_t c = 0; c < 2; ++c) {
    const double start = product(star.x, p, 0, 0, c);
    const double others = product(star.x, p, 0, 1, c) + product(star.x, p, 0, 2, c);
    double x = start;
    for (int round = 0; round < 2; ++round) x = 0.25 * start + 0.75 * (x + others) / 3;
    EXPECT_NEAR(y(0, c), x + p.value(1)(0, c), 1e-5);
  }
}

TEST(GnnLayer, OnlyGcnAveragesMoreThanOnce) {
  const Star star;
  nn::Parameters p;
  RandomStream random(Seed::from_number(2), "weights");
  const GnnLayer layer(p, "layer", {.kind = GnnArchitectureKind::Gin, .in = 4, .out = 2}, random);
  const nn::Edges edges(star.graph.in_view(), edge_options(GnnArchitectureKind::Gin));
  nn::Tape tape(Seed::from_number(1));
  tape.start();
  EXPECT_THROW(layer(tape.input(star.x), {&edges, {}, {}}, {2, 0}), Error);
}

}  // namespace
}  // namespace graphveil::learn::gnn_layer_test
