#include "graphveil/learn/gnn_network.h"

#include <gtest/gtest.h>

#include "graphveil/bound/out_degree.h"
#include "graphveil/learn/fit.h"
#include "graphveil/nn/clipped_gradient.h"
#include "graphveil/nn/ops_loss.h"
#include "tests/method/tiny_task.h"
#include "tests/nn/clipped_gradient_peer.h"
#include "tests/reference/naive_clipping.h"

namespace graphveil::learn::gnn_network_test {
namespace {

using namespace method;  // the tiny graph and its networks

constexpr GnnArchitectureKind kKinds[] = {GnnArchitectureKind::Gcn, GnnArchitectureKind::Gin, GnnArchitectureKind::Gat};

GnnArchitecture small(GnnArchitectureKind kind, int64_t layers, int64_t mlp_layers) {
  // With several layers and no MLPs, gcn in its linear form; with two it keeps a share of a node's own row.
  GnnArchitecture a{kind, layers, mlp_layers, mlp_layers, 6, 2, Activation::Tanh, layers > 1};
  if (kind == GnnArchitectureKind::Gcn && layers == 2) a.own_share = 0.3;
  return a;
}

graph::Dataset dense_data() {
  graph::Dataset data = tiny_data();
  if (!data.features.is_sparse()) return data;
  Matrix rows(data.nodes(), data.features.cols());
  const SparseView sparse = data.features.sparse().view();
  for (int64_t v = 0; v < data.nodes(); ++v) {
    for (int64_t e = sparse.offsets[v]; e < sparse.offsets[v + 1]; ++e) {
      rows(v, sparse.indices[e]) = sparse.values.empty() ? Real(1) : sparse.values[e];
    }
  }
  data.features = graph::Features(std::move(rows));
  return data;
}

// Plain training steps on rooted samples of a graph see what the whole of that graph gives; without training the whole
// graph is read.
TEST(GnnNetwork, TrainingStepsReadSamplesOfTheGraphToSampleFrom) {
  const graph::Graph thinned = bound::bound_out_degree(tiny_data().graph, 3, Seed::from_number(4)).graph();
  const graph::Dataset dense = dense_data();
  const std::vector<int32_t> nodes{5, 17, 200, 17};
  for (const graph::Dataset* data : {&tiny_data(), &dense}) {
    for (const GnnArchitectureKind kind : kKinds) {
      for (const int64_t layers : {1, 2}) {
        const GnnArchitecture a = small(kind, layers, 1);
        GnnNetwork network(*data, {.whole = data->graph, .sampled = &thinned}, a, Seed::from_number(1));
        GnnNetwork on_thinned(*data, {thinned}, a, Seed::from_number(1));
        GnnNetwork on_whole(*data, {data->graph}, a, Seed::from_number(1));
        EXPECT_TRUE(network.needs_all_nodes());
        const auto expect_same = [&](GnnNetwork& other, nn::Tape::Mode mode) {
          nn::Tape tape(Seed::from_number(1)), others(Seed::from_number(1));
          tape.start(mode);
          others.start(nn::Tape::Mode::Evaluate);
          const auto got = network.scores(tape, nodes).value();
          const auto want = other.scores(others, nodes).value();
          for (int64_t r = 0; r < 4; ++r) {
            for (int64_t c = 0; c < want.cols; ++c) EXPECT_NEAR(got(r, c), want(r, c), 1e-4);
          }
        };
        expect_same(on_thinned, nn::Tape::Mode::Train);
        expect_same(on_whole, nn::Tape::Mode::Evaluate);
        nn::Tape tape(Seed::from_number(1));
        tape.start_per_sample(4);
        EXPECT_THROW(network.sample_scores(tape, nodes), Error) << "that graph has no bound";
      }
    }
  }
}

// What training computes on rooted samples is what the whole bounded graph gives.
TEST(GnnNetwork, SamplesAndTheWholeGraphAgree) {
  const bound::BoundedGraph bounded = bound::bound_out_degree(tiny_data().graph, 3, Seed::from_number(4));
  const graph::Dataset dense = dense_data();
  const std::vector<int32_t> nodes{5, 17, 200, 17};
  for (const graph::Dataset* data : {&tiny_data(), &dense}) {
    for (const GnnArchitectureKind kind : kKinds) {
      for (const int64_t layers : {1, 2, 3}) {
        for (const int64_t mlp_layers : {0, 2}) {
          GnnNetwork network(*data, {bounded.graph(), &bounded}, small(kind, layers, mlp_layers), Seed::from_number(1));
          nn::Tape tape(Seed::from_number(1)), other(Seed::from_number(1));
          tape.start_per_sample(4);
          const auto sampled = network.sample_scores(tape, nodes).value();
          other.start(nn::Tape::Mode::Evaluate);
          const auto whole = network.scores(other, nodes).value();
          for (int64_t r = 0; r < 4; ++r) {
            for (int64_t c = 0; c < whole.cols; ++c) EXPECT_NEAR(sampled(r, c), whole(r, c), 1e-4);
          }
        }
      }
    }
  }
}

// Clipped sums against one sample at a time, each with its whole gradient.
TEST(GnnNetwork, ClippedGradientsEqualTheNaiveOnes) {
  const bound::BoundedGraph bounded = bound::bound_out_degree(tiny_data().graph, 2, Seed::from_number(4));
  const graph::Dataset dense = dense_data();
  std::vector<int32_t> nodes, labels;
  for (int32_t v = 0; v < 40; ++v) nodes.push_back(3 * v);
  for (const int32_t v : nodes) labels.push_back(tiny_data().labels[v]);
  for (const graph::Dataset* data : {&tiny_data(), &dense}) {
    for (const GnnArchitectureKind kind : kKinds) {
      for (const int64_t layers : {1, 2}) {
        for (const int64_t mlp_layers : {0, 1, 2}) {
          SCOPED_TRACE(testing::Message() << static_cast<int>(kind) << " " << layers << " " << mlp_layers);
          GnnNetwork network(*data, {bounded.graph(), &bounded}, small(kind, layers, mlp_layers), Seed::from_number(1));
          nn::Parameters& p = network.parameters();
          const reference::NaiveClipping want = reference::naive_clipping(p, 40, 0.5, [&](nn::Tape& tape, int64_t s) {
            const std::span<const int32_t> one = std::span<const int32_t>(nodes).subspan(s, 1);
            return nn::cross_entropy(network.scores(tape, one), std::span<const int32_t>(labels).subspan(s, 1),
                                     nn::Reduction::Sum);
          });
          nn::Tape tape(Seed::from_number(1));
          nn::ClippedGradient clipped(p, {.max_norms = {0.5}});
          clipped.start();
          tape.start_per_sample(40);
          clipped.add(nn::cross_entropy(network.sample_scores(tape, nodes), labels, nn::Reduction::Sum));
          for (int64_t s = 0; s < 40; ++s) {
            const double norm = nn::ClippedGradientPeer::norm(clipped, s);
            EXPECT_NEAR(norm, want.norms[s], 1e-3 * want.norms[s] + 1e-5);
          }
          for (int64_t i = 0; i < p.size(); ++i) {
            EXPECT_NEAR(nn::ClippedGradientPeer::sum(clipped)[i], want.sum[i], 1e-2);
          }
        }
      }
    }
  }
}

TEST(GnnNetwork, LearnsAndSurvivesSaving) {
  for (const GnnArchitectureKind kind : kKinds) {
    GnnNetwork a(tiny_data(), {tiny_data().graph}, small(kind, 2, 1), Seed::from_number(1));
    EXPECT_TRUE(a.needs_all_nodes());
    const auto& train = tiny_split().train;
    const double before = evaluate_accuracy(a, train, tiny_data().labels);
    fit(a, {tiny_data().labels, train, {}}, {.epochs = 60}, Seed::from_number(2), "test", public_test_data());
    EXPECT_GT(evaluate_accuracy(a, train, tiny_data().labels), before + 0.15);
    nn::State state;
    a.save(state, "");
    GnnNetwork b(tiny_data(), {tiny_data().graph}, small(kind, 2, 1), Seed::from_number(9));
    b.load(state, "");
    const Matrix p = a.probabilities(), q = b.probabilities();
    for (int64_t i = 0; i < p.size(); ++i) EXPECT_EQ(p.data()[i], q.data()[i]);
  }
}

}  // namespace
}  // namespace graphveil::learn::gnn_network_test
