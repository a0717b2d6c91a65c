#include "graphveil/method/progap/network.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/method/tiny_task.h"

namespace graphveil::method::network_test {
namespace {

std::vector<Matrix> aggregations(int64_t count) {
  std::vector<Matrix> out;
  for (int64_t k = 0; k < count; ++k) {
    out.emplace_back(tiny_data().nodes(), 4);
    RandomStream random(Seed::from_number(8), "aggregation", static_cast<uint64_t>(k));
    for (Real& x : out.back().values()) x = static_cast<Real>(random.uniform());
  }
  return out;
}

Matrix messages(ProgapNetwork& network) {
  return all_rows(tiny_data().nodes(),
                  [&](nn::Tape& tape, std::span<const int32_t> nodes) { return network.messages(tape, nodes); });
}

TEST(ProgapNetwork, MessagesHaveNormOne) {
  for (const int64_t stage : {0, 2}) {
    const std::vector<Matrix> sums = aggregations(stage);
    ProgapNetwork network(tiny_data(), sums, {.batch_norm = false}, Seed::from_number(1));
    const Matrix rows = messages(network);
    for (int64_t v = 0; v < rows.rows(); ++v) {
      double squares = 0;
      for (const Real x : rows.row(v)) squares += static_cast<double>(x) * x;
      EXPECT_NEAR(squares, 1, 1e-4);
    }
  }
}

TEST(ProgapNetwork, ContinuesTheBasesOfTheStageBefore) {
  const std::vector<Matrix> none, one = aggregations(1);
  ProgapNetwork before(tiny_data(), none, {}, Seed::from_number(1)), next(tiny_data(), one, {}, Seed::from_number(2));
  nn::State state, after;
  before.save(state, "");
  next.continue_from(state);
  next.save(after, "");
  int64_t shared = 0;
  for (const auto& [name, tensor] : state) {
    if (!name.starts_with("base0") || name.ends_with(".mean") || name.ends_with(".variance")) continue;
    EXPECT_EQ(after.at(name).bytes, tensor.bytes) << name;
    ++shared;
  }
  EXPECT_GE(shared, 2);
  EXPECT_NE(after.at("head.0.weight").shape, state.at("head.0.weight").shape) << "a head of its own";
}

TEST(ProgapNetwork, SavesAllThatItsScoresReadFrom) {
  const std::vector<Matrix> sums = aggregations(2);
  ProgapNetwork a(tiny_data(), sums, {}, Seed::from_number(1)), b(tiny_data(), sums, {}, Seed::from_number(2));
  nn::State state;
  a.save(state, "x/");
  b.load(state, "x/");
  const Matrix p = class_probabilities(a, tiny_data().nodes()), q = class_probabilities(b, tiny_data().nodes());
  EXPECT_TRUE(std::ranges::equal(p.values(), q.values()));
}

}  // namespace
}  // namespace graphveil::method::network_test
