#include "graphveil/method/sage/networks.h"

#include <gtest/gtest.h>

#include "graphveil/learn/fit.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method::networks_test {
namespace {

TEST(SageNetwork, LearnsAndSurvivesSaving) {
  SageNetwork a(tiny_data(), tiny_data().graph, {}, Seed::from_number(1));
  const auto& train = tiny_split().train;
  const double before = evaluate_accuracy(a, train, tiny_data().labels);
  fit(a, {tiny_data().labels, train, {}}, {.epochs = 40}, Seed::from_number(2), "test", public_test_data());
  EXPECT_GT(evaluate_accuracy(a, train, tiny_data().labels), before + 0.2);
  nn::State state;
  a.save(state, "");
  SageNetwork b(tiny_data(), tiny_data().graph, {}, Seed::from_number(9));
  b.load(state, "");
  const Matrix p = class_probabilities(a, tiny_data().nodes()), q = class_probabilities(b, tiny_data().nodes());
  for (int64_t i = 0; i < p.size(); ++i) EXPECT_EQ(p.data()[i], q.data()[i]);
}

TEST(SageNetwork, ScoresOfSomeNodesAreThoseOfAll) {
  SageNetwork network(tiny_data(), tiny_data().graph, {}, Seed::from_number(1));
  std::vector<int32_t> all(static_cast<size_t>(tiny_data().nodes()));
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int32_t>(i);
  const std::vector<int32_t> some{250, 3, 17};
  nn::Tape tape(Seed::from_number(1)), other(Seed::from_number(1));
  tape.start(nn::Tape::Mode::Evaluate);
  other.start(nn::Tape::Mode::Evaluate);
  const auto whole = network.scores(tape, all).value(), part = network.scores(other, some).value();
  for (size_t i = 0; i < some.size(); ++i) {
    for (int64_t c = 0; c < whole.cols; ++c) EXPECT_NEAR(part(static_cast<int64_t>(i), c), whole(some[i], c), 1e-5);
  }
}

// Rows are computed in another order than that of the ids: a node's scores are its own whatever it is called.
TEST(SageNetwork, ScoresFollowTheNodesNotTheirIds) {
  const auto last = static_cast<int32_t>(tiny_data().nodes() - 1);
  std::vector<int32_t> from, to, all, other_from, other_to, other_all;
  for (int32_t u = 0; u <= last; ++u) {
    all.push_back(u);
    other_all.push_back(last - u);
    for (const int32_t v : tiny_data().graph.out(u)) {
      if ((2 * u + 5 * v) % 7 == 0) continue;  // some edges have one direction only
      from.push_back(u);
      to.push_back(v);
      other_from.push_back(last - u);
      other_to.push_back(last - v);
    }
  }
  graph::Dataset data = tiny_data(), other = tiny_data();
  data.graph = graph::Graph::from_edges(last + 1, from, to);
  other.graph = graph::Graph::from_edges(last + 1, other_from, other_to);
  other.features = graph::Features(tiny_data().features.dense_rows_at(other_all));
  SageNetwork a(data, data.graph, {}, Seed::from_number(1)), b(other, other.graph, {}, Seed::from_number(1));
  nn::Tape first(Seed::from_number(1)), second(Seed::from_number(1));
  first.start(nn::Tape::Mode::Evaluate);
  second.start(nn::Tape::Mode::Evaluate);
  const auto want = a.scores(first, all).value(), got = b.scores(second, other_all).value();
  for (int64_t v = 0; v < want.rows; ++v) {
    for (int64_t c = 0; c < want.cols; ++c) EXPECT_NEAR(got(v, c), want(v, c), 1e-4);
  }
}

TEST(SageNodeNetwork, TrainingAndInferenceAgreeWithoutNoise) {
  SageArchitecture architecture;
  const bound::BoundedGraph graph = bound::for_protected_degree(tiny_data().graph, kTinyDegree);
  SageNodeNetwork network(tiny_data(), graph, architecture, Seed::from_number(1));
  EXPECT_THROW(class_probabilities(network, 5), Error);  // no aggregation released yet
  const Matrix messages = network.messages();
  Matrix sums(messages.rows(), messages.cols());
  for (int64_t v = 0; v < sums.rows(); ++v) {
    for (int32_t u : tiny_data().graph.in(v)) {
      for (int64_t c = 0; c < sums.cols(); ++c) sums(v, c) += messages(u, c);
    }
  }
  network.use_aggregation(std::move(sums));
  const std::vector<int32_t> nodes{5, 17, 200};
  nn::Tape tape(Seed::from_number(1));
  tape.start_per_sample(3);
  const auto sampled = network.sample_scores(tape, nodes).value();
  nn::Tape other(Seed::from_number(1));
  other.start(nn::Tape::Mode::Evaluate);
  const auto whole = network.scores(other, nodes).value();
  for (int64_t r = 0; r < 3; ++r) {
    for (int64_t c = 0; c < whole.cols; ++c) EXPECT_NEAR(sampled(r, c), whole(r, c), 1e-4);
  }
}

}  // namespace
}  // namespace graphveil::method::networks_test
