#include "graphveil/learn/clipped_losses.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <gtest/gtest.h>

#include "graphveil/base/context.h"
#include "graphveil/learn/fit_private.h"
#include "graphveil/method/mlp.h"
#include "graphveil/nn/ops_loss.h"
#include "tests/mechanism/access.h"
#include "tests/method/tiny_task.h"
#include "tests/nn/clipped_gradient_peer.h"

namespace graphveil::learn::clipped_losses_test {
namespace {

using namespace method;  // generated graphs and their networks

// A batch of several blocks with and without one sample. Only the sample's own block moves, to the bit, by no more than
// stated; and a blank sample is the same drawn or not. Cut by the place in the batch, the blocks after it would move.
TEST(AddClippedLosses, ASampleThatIsNotDrawnMovesNoOtherBlock) {
  using Sum = std::vector<double>;
  const graph::Dataset data = graph::generate(graph::preset("tiny", 1500), Seed::from_number(4));
  MlpNetwork network(data, {.layers = 2, .hidden_dim = 12}, false, Seed::from_number(1));
  std::vector<int32_t> everybody, labels(data.labels.begin(), data.labels.end());
  for (int32_t v = 0; v < data.nodes(); ++v) everybody.push_back(v);
  nn::PoissonBatches batches(everybody, {.rate = 0.4}, Seed::from_number(2));
  const bound::Clipping clipping{.max_norms = {0.3}};
  const auto sum = [&](std::span<const int32_t> batch, std::span<const int64_t> ends, std::span<const int32_t> known) {
    nn::ClippedGradient clipped(network.parameters(), clipping);
    nn::Tape tape(Seed::from_number(0));
    clipped.start();
    add_clipped_losses(network, batch, ends, known, tape, clipped);
    return nn::ClippedGradientPeer::sum(clipped);
  };
  const auto difference = [](Sum a, const Sum& b) {
    for (size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return a;
  };
  const auto length = [](const Sum& a) { return std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0)); };
  const auto drawn = batches.batch(0);
  const std::vector<int32_t> batch(drawn.begin(), drawn.end());
  const std::vector<int64_t> ends(batches.block_ends().begin(), batches.block_ends().end());
  ASSERT_GT(batch.size(), 300u);
  const Sum whole = sum(batch, ends, labels);
  double shifted = 0;
  for (const size_t place : {size_t{0}, size_t{60}, size_t{200}}) {
    std::vector<int32_t> fewer = batch, blank = labels;
    fewer.erase(fewer.begin() + static_cast<int64_t>(place));
    blank[static_cast<size_t>(batch[place])] = nn::kNoLabel;
    std::vector<int64_t> fewer_ends = ends;
    for (int64_t& end : fewer_ends) end -= end > static_cast<int64_t>(place) ? 1 : 0;
    const Sum without = sum(fewer, fewer_ends, labels);
    EXPECT_EQ(sum(batch, ends, blank), without);
    EXPECT_EQ(sum(fewer, fewer_ends, blank), without);
    const Sum moved = difference(whole, without);
    EXPECT_LE(length(moved), bound::clipped_sum_sensitivity(clipping, batches.draw()));
    EXPECT_GT(length(moved), 0.02);
    // The same difference, of its own block alone.
    const size_t b = static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), place) - ends.begin());
    const int64_t begin = b == 0 ? 0 : ends[b - 1];
    const auto block = std::span(batch).subspan(static_cast<size_t>(begin), static_cast<size_t>(ends[b] - begin));
    const auto rest = std::span(fewer).subspan(static_cast<size_t>(begin), block.size() - 1);
    const std::vector<int64_t> end{ends[b] - begin}, rest_end{ends[b] - begin - 1};
    EXPECT_EQ(moved, difference(sum(block, end, labels), sum(rest, rest_end, labels)));
    shifted = std::max(shifted, length(difference(moved, difference(sum(batch, {}, labels), sum(fewer, {}, labels)))));
  }
  EXPECT_GT(shifted, 0) << "the test would not notice blocks that move";
}

// The sums before the noise, and the parameters, are the same to the bit for any number of threads: with batches of
// more pieces than threads, fewer, and one; with blank nodes, with dropout, and with sparse features.
TEST(Lanes, ThreadsChangeNoBit) {
  graph::Dataset data = graph::generate(graph::preset("tiny", 5000), Seed::from_number(4));
  std::vector<int32_t> train, labels(data.labels.begin(), data.labels.end());
  for (int32_t v = 0; v < data.nodes(); ++v) {
    if (v % 7 != 0) train.push_back(v);
    if (v % 5 == 0) labels[static_cast<size_t>(v)] = nn::kNoLabel;
  }
  const auto trained = [&](int threads, const PrivateFitOptions& options) {
    const ContextScope scope({.threads = threads, .progress = nullptr});
    MlpNetwork network(data, {.layers = 2, .hidden_dim = 12, .dropout = 0.3}, false, Seed::from_number(1));
    Release release =
        any_release(bound::Relation::Node, {fit_line("t", options, 1, static_cast<int64_t>(train.size()))});
    mechanism::Watcher watcher;
    mechanism::ObserverAccess::watch(release, watcher);
    fit_private(network, {train, labels}, options, "t", Seed::from_number(2), release);
    std::vector<std::vector<double>> seen;
    for (const mechanism::Seen& step : watcher.seen) seen.push_back(step.values);
    const auto values = network.parameters().values().values();
    seen.emplace_back(values.begin(), values.end());
    return seen;
  };
  const auto expect_same = [&] {
    for (const std::optional<int64_t> batch : {std::optional<int64_t>{}, {3000}, {700}, {40}}) {
      const PrivateFitOptions options{.epochs = 3, .steps = 3, .batch_size = batch};
      const auto alone = trained(1, options);
      for (const int threads : {2, 5}) EXPECT_EQ(trained(threads, options), alone) << threads;
    }
  };
  expect_same();
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;
  for (int32_t v = 0; v < data.nodes(); ++v) {
    columns.insert(columns.end(), {v % 11, 11 + v % 13, 24 + v % 17});
    offsets.push_back(std::ssize(columns));
  }
  data.features = graph::Features(SparseMatrix{data.nodes(), 41, std::move(offsets), std::move(columns), {}});
  expect_same();
}

}  // namespace
}  // namespace graphveil::learn::clipped_losses_test
