#include "graphveil/nn/block_sums.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/parallel.h"
#include "graphveil/nn/clipped_gradient.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/ops_segment.h"
#include "tests/nn/clipped_gradient_peer.h"
#include "tests/nn/sample_models.h"
#include "tests/reference/naive_clipping.h"
#include "tests/threads.h"

namespace graphveil::nn::block_sums_test {
namespace {

// Rounding of clipped sums: nothing crosses from one block of samples to another, and what a sample can do within its
// block keeps to the stated sensitivity, for sums made to hurt.

using Sum = std::vector<double>;

Sum difference(const Sum& a, const Sum& b) {
  Sum d(a.size());
  for (size_t i = 0; i < a.size(); ++i) d[i] = a[i] - b[i];
  return d;
}

double length(const Sum& a) {
  double square = 0;
  for (const double x : a) square += x * x;
  return std::sqrt(square);
}

// 200 roots, each with leaves of its own, so that a root's sample can be changed without touching another.
class Stars {
 public:
  static constexpr int32_t kRoots = 200, kLeaves = 3;
  explicit Stars(const SampleModel& model) : model_(model), forward_(model.build(parameters_, random_)) {
    features_ = Matrix(kRoots * (1 + kLeaves), kIn);
    for (Real& v : features_.values()) v = static_cast<Real>(3 * random_.gaussian());
    for (int32_t v = 0; v < kRoots; ++v) {
      roots_.push_back(v);
      labels_.push_back(v % static_cast<int32_t>(kOut));
      leaves_.push_back(1 + v % kLeaves);
    }
  }

  // Without labels outside of [first, last); the roots of [changed, changed_end) without leaves.
  Sum sum(int32_t first, int32_t last, int32_t changed, int32_t changed_end) {
    std::vector<int32_t> sources, targets, labels = labels_;
    for (int32_t v = 0; v < kRoots; ++v) {
      if (v < first || v >= last) labels[static_cast<size_t>(v)] = kNoLabel;
      if (v >= changed && v < changed_end) continue;
      for (int32_t l = 0; l < leaves_[static_cast<size_t>(v)]; ++l) {
        sources.push_back(kRoots + v * kLeaves + l);
        targets.push_back(v);
      }
    }
    const graph::Graph graph = graph::Graph::from_edges(features_.rows(), sources, targets);
    RootedBatch batch(graph, model_.hops, model_.edges);
    batch.assign(roots_);
    Matrix rows(batch.rows(), kIn);
    for (int64_t r = 0; r < batch.rows(); ++r) {
      std::copy_n(features_.row(batch.nodes()[static_cast<size_t>(r)]).data(), kIn, rows.row(r).data());
    }
    ClippedGradient clipped(parameters_, {.max_norms = {0.7}});
    clipped.start();
    tape_.start_per_sample(kRoots);
    const Var logits = gather_rows(forward_(tape_.input(rows, batch.owners()), batch), batch.root_rows());
    clipped.add(cross_entropy(logits, labels, Reduction::Sum));
    return ClippedGradientPeer::sum(clipped);
  }

 private:
  const SampleModel& model_;
  RandomStream random_{Seed::from_number(5), "stars"};
  Parameters parameters_;
  Forward forward_;
  Matrix features_;
  std::vector<int32_t> roots_, labels_, leaves_;
  Tape tape_{Seed::from_number(0)};
};

TEST(BlockSums, BlocksKeepToThemselves) {
  for (const SampleModel& model : sample_models()) {
    if (model.name == "node embedding") continue;  // has fewer nodes
    SCOPED_TRACE(model.name);
    Stars stars(model);
    const auto all = stars.sum(0, Stars::kRoots, -1, -1);
    EXPECT_GT(length(all), 0.1);
    EXPECT_EQ(length(stars.sum(0, 0, -1, -1)), 0) << "without labels there is exactly nothing";
    // The sum is exactly that of its blocks.
    EXPECT_EQ(difference(all, stars.sum(0, 64, -1, -1)), stars.sum(64, Stars::kRoots, -1, -1));
    // Samples of the second block change, and with them the number of rows before the third and fourth: exactly their
    // own block's sum changes.
    const Sum changed = difference(all, stars.sum(0, Stars::kRoots, 70, 90));
    EXPECT_EQ(length(changed) > 0, model.name != "mlp");
    EXPECT_EQ(changed, difference(stars.sum(64, 128, -1, -1), stars.sum(64, 128, 70, 90)));
  }
}

// One linear layer, so that gradients are a (x) g with a chosen at will; several rows per sample by `owners`.
class Layer {
 public:
  Layer(int64_t in, int64_t out) : weight_(parameters_.add("weight", in, out)) {}
  Parameters& parameters() { return parameters_; }

  // Mean of the rows' products, through a segment sum where samples have several rows.
  Sum operator()(const Matrix& x, const std::vector<int32_t>& owners, const std::vector<int32_t>& labels,
                 const bound::Clipping& clipping) {
    ClippedGradient clipped(parameters_, clipping);
    clipped.start();
    const auto samples = static_cast<int64_t>(labels.size());
    tape_.start_per_sample(samples);
    std::vector<int64_t> offsets(labels.size() + 1, 0);
    for (const int32_t owner : owners) ++offsets[static_cast<size_t>(owner) + 1];
    for (size_t s = 0; s < labels.size(); ++s) offsets[s + 1] += offsets[s];
    const Var product = matmul(tape_.input(x, owners), tape_.parameter(parameters_, weight_));
    clipped.add(cross_entropy(segment_sum(product, offsets, tape_.identity_owners().first(labels.size())), labels,
                              Reduction::Sum));
    rows_per_sum_ = ClippedGradientPeer::rows_per_sum(clipped);
    return ClippedGradientPeer::sum(clipped);
  }
  const std::vector<int64_t>& rows_per_sum() const { return rows_per_sum_; }

 private:
  Parameters parameters_;
  ParameterId weight_;
  Tape tape_{Seed::from_number(0)};
  std::vector<int64_t> rows_per_sum_;
};

struct Hard {
  const char* name;
  int64_t in, samples, rows_per_sample;
  double scale;   // of features
  double cancel;  // each second row of a sample is minus this times the one before
  bool equal;     // all samples alike: no rounding error cancels another
};

TEST(BlockSums, ASampleMovesTheSumByAtMostTheStatedAmount) {
  for (const Hard& hard :
       {Hard{"full block", 300, 64, 1, 10, 0, true}, Hard{"many blocks", 40, 1000, 1, 10, 0, false},
        Hard{"wide", 10000, 70, 1, 1, 0, true}, Hard{"huge", 50, 64, 1, 1e13, 0, false},
        Hard{"tiny", 50, 64, 1, 1e-30, 0, true}, Hard{"many rows", 30, 64, 300, 1, 0, false},
        Hard{"cancelling", 30, 64, 40, 1e4, 1.00001, false}, Hard{"cancelling wholly", 30, 64, 2, 1e6, 1, true},
        Hard{"wide and cancelling", 10000, 20, 4, 1, 1.0001, false}}) {
    SCOPED_TRACE(hard.name);
    RandomStream random(Seed::from_number(11), "hard");
    Layer layer(hard.in, 3);
    for (Real& w : layer.parameters().values().values()) w = static_cast<Real>(0.01 * random.gaussian() / hard.scale);
    Matrix x(hard.samples * hard.rows_per_sample, hard.in);
    std::vector<int32_t> owners, labels(static_cast<size_t>(hard.samples), 1);
    for (int64_t r = 0; r < x.rows(); ++r) {
      owners.push_back(static_cast<int32_t>(r / hard.rows_per_sample));
      for (int64_t c = 0; c < hard.in; ++c) {
        const bool copied = hard.equal && r >= hard.rows_per_sample;
        x(r, c) = copied ? x(r - hard.rows_per_sample, c) : static_cast<Real>(hard.scale * random.gaussian());
        if (hard.cancel > 0 && r % 2 == 1) x(r, c) = static_cast<Real>(-hard.cancel * x(r - 1, c));
      }
    }
    for (const double norm : {1e-3, 1.0}) {
      const bound::Clipping clipping{.max_norms = {norm}};
      const double amount = bound::clipped_sum_sensitivity(clipping, {});
      const Sum whole = layer(x, owners, labels, clipping);
      for (const int64_t k : layer.rows_per_sum()) EXPECT_GE(k, 1);
      EXPECT_LE(length(whole), amount * static_cast<double>(hard.samples));
      double longest = 0;
      for (const int64_t s : {int64_t{0}, hard.samples / 2, hard.samples - 1}) {
        std::vector<int32_t> fewer = labels;
        fewer[static_cast<size_t>(s)] = kNoLabel;
        const double moved = length(difference(whole, layer(x, owners, fewer, clipping)));
        EXPECT_LE(moved, amount);
        longest = std::max(longest, moved);
      }
      if (hard.cancel == 0 && hard.scale >= 1) {
        EXPECT_GT(longest, 0.99 * norm) << "not near the bound";
      }
    }
  }
}

TEST(BlockSums, TheSumEqualsTheNaiveOne) {
  RandomStream random(Seed::from_number(12), "naive");
  constexpr int64_t kSamples = 150, kRows = 5, kWide = 20;
  Layer layer(kWide, 3);
  Parameters& parameters = layer.parameters();
  for (Real& w : parameters.values().values()) w = static_cast<Real>(random.gaussian());
  Matrix x(kSamples * kRows, kWide);
  for (Real& v : x.values()) v = static_cast<Real>(random.gaussian());
  std::vector<int32_t> owners, labels;
  for (int64_t r = 0; r < x.rows(); ++r) owners.push_back(static_cast<int32_t>(r / kRows));
  for (int64_t s = 0; s < kSamples; ++s) labels.push_back(s % 7 == 0 ? kNoLabel : static_cast<int32_t>(s % 3));
  const std::vector<int64_t> offsets = {0, kRows};
  // Clipped to more and to less than they are.
  for (const double norm : {30.0, 0.5}) {
    const auto naive =
        reference::naive_clipping(parameters, kSamples, norm * (1 - bound::kClipMargin), [&](Tape& tape, int64_t s) {
          const Var rows = tape.input(x.view().rows_at(s * kRows, kRows));
          return cross_entropy(segment_sum(matmul(rows, tape.parameter(parameters, 0)), offsets),
                               std::span(labels).subspan(static_cast<size_t>(s), 1), Reduction::Sum);
        });
    const Sum sum = layer(x, owners, labels, {.max_norms = {norm}});
    const double error = length(difference(sum, naive.sum));
    EXPECT_LE(error, 1e-6 * length(naive.sum));
  }
}

// Picked rows are the caller's and cannot be erased: where they are not finite they are skipped.
TEST(BlockSums, APickedRowThatIsNotFiniteIsLeftOut) {
  Parameters parameters;
  const ParameterId weight = parameters.add("weight", 2, 2);
  Matrix x(3, 2);
  for (Real& v : x.values()) v = 1;
  x(1, 0) = std::numeric_limits<Real>::infinity();
  const std::vector<int64_t> offsets = {0, 2, 4, 6};
  const std::vector<int32_t> indices = {0, 1, 0, 1, 0, 1}, rows = {0, 1, 2}, labels = {0, 1, 0};
  const SparseView sparse{3, 2, offsets, indices, x.values()};
  Tape tape(Seed::from_number(0));
  for (const bool is_sparse : {false, true}) {
    ClippedGradient clipped(parameters, {});
    clipped.start();
    tape.start_per_sample(3);
    const Var w = tape.parameter(parameters, weight);
    clipped.add(cross_entropy(is_sparse ? sparse_matmul(tape, {sparse, rows}, w) : gathered_matmul(tape, {x, rows}, w),
                              labels, Reduction::Sum));
    EXPECT_NEAR(length(ClippedGradientPeer::sum(clipped)), 2, 1e-3) << "two samples of norm 1, alike";
  }
}

TEST(BlockSums, SameBitsForAnyNumberOfThreads) {
  for (const SampleModel& model : sample_models()) {
    if (model.name == "node embedding") continue;
    Stars stars(model);
    Sum first;
    for (const int threads : {1, 2, 3}) {
      set_thread_count(threads);
      const Sum sum = stars.sum(0, Stars::kRoots, -1, -1);
      if (first.empty()) first = sum;
      EXPECT_EQ(sum, first) << model.name << ", " << threads << " threads";
    }
  }
  set_thread_count(1);
}

}  // namespace
}  // namespace graphveil::nn::block_sums_test
