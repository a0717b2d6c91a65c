// Tries to break the stated sensitivity of clipped sums: neighboring data sets made to hurt, for every layer type.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/bound/out_degree.h"
#include "graphveil/nn/clipped_gradient.h"
#include "graphveil/nn/ops_loss.h"
#include "tests/nn/clipped_gradient_peer.h"
#include "tests/nn/sample_models.h"

namespace graphveil::nn::sensitivity_test {
namespace {

constexpr int64_t kNodes = 10;
constexpr int64_t kMaxOutDegree = 2;
constexpr int kTries = 1000;

struct Records {
  std::vector<int32_t> sources, targets;
  Matrix features{kNodes, kIn};
  std::vector<int32_t> labels;
};

// Values over many orders of magnitude, rows that cancel each other, now and then something not finite.
Records hostile_records(RandomStream& random) {
  Records data;
  for (int e = 0; e < 25; ++e) {
    data.sources.push_back(static_cast<int32_t>(random.below(kNodes)));
    data.targets.push_back(static_cast<int32_t>(random.below(kNodes)));
  }
  const double spread = random.bernoulli(0.5) ? 1 : 12;
  for (int64_t v = 0; v < kNodes; ++v) {
    const double size = std::pow(10, spread * (random.uniform() - 0.5));
    for (Real& x : data.features.row(v)) x = static_cast<Real>(size * random.gaussian());
    if (v > 0 && random.bernoulli(0.2)) {
      for (int64_t c = 0; c < kIn; ++c) data.features(v, c) = -data.features(v - 1, c) * Real(1.000001);
    }
    if (random.bernoulli(0.01)) data.features(v, 0) = std::numeric_limits<Real>::infinity();
    data.labels.push_back(static_cast<int32_t>(random.below(kOut)));
  }
  return data;
}

// The record of v made blank: no features, no label, no outgoing edges.
Records without(const Records& data, int32_t v) {
  Records rest;
  rest.features = data.features.clone();
  rest.labels = data.labels;
  for (Real& x : rest.features.row(v)) x = 0;
  rest.labels[static_cast<size_t>(v)] = kNoLabel;
  for (size_t e = 0; e < data.sources.size(); ++e) {
    if (data.sources[e] == v) continue;
    rest.sources.push_back(data.sources[e]);
    rest.targets.push_back(data.targets[e]);
  }
  return rest;
}

class Sum {
 public:
  Sum(const SampleModel& model, RandomStream& random) : model_(model), forward_(model.build(parameters_, random)) {}

  Parameters& parameters() { return parameters_; }

  std::vector<double> operator()(const Records& data, const std::vector<int32_t>& roots,
                                 const bound::Clipping& clipping) {
    const bound::BoundedGraph bounded = bound::bound_out_degree(
        graph::Graph::from_edges(kNodes, data.sources, data.targets), kMaxOutDegree, Seed::from_number(3));
    RootedBatch batch(bounded.graph(), model_.hops, model_.edges);
    batch.assign(roots);
    Matrix rows(batch.rows(), kIn);
    for (int64_t r = 0; r < batch.rows(); ++r) {
      std::copy_n(data.features.row(batch.nodes()[static_cast<size_t>(r)]).data(), kIn, rows.row(r).data());
    }
    std::vector<int32_t> labels;
    for (const int32_t root : roots) labels.push_back(data.labels[static_cast<size_t>(root)]);
    ClippedGradient clipped(parameters_, clipping);
    clipped.start();
    tape_.start_per_sample(batch.samples());
    const Var logits = gather_rows(forward_(tape_.input(rows, batch.owners()), batch), batch.root_rows());
    clipped.add(cross_entropy(logits, labels, Reduction::Sum));
    return ClippedGradientPeer::sum(clipped);
  }

 private:
  const SampleModel& model_;
  Parameters parameters_;
  Forward forward_;
  Tape tape_{Seed::from_number(0)};
};

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double square = 0;
  for (size_t i = 0; i < a.size(); ++i) square += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(square);
}

class Sensitivity : public ::testing::TestWithParam<size_t> {};

TEST_P(Sensitivity, NeverExceeded) {
  const SampleModel model = sample_models()[GetParam()];
  SCOPED_TRACE(model.name);
  RandomStream random(Seed::from_number(17 + GetParam()), "sensitivity");
  Sum sum(model, random);
  // A record is in at most 1 + K + K^2 samples; the root's own is gone when the record is blank.
  int64_t reach = 0;
  for (int64_t hop = 0, power = 1; hop <= model.hops; ++hop, power *= kMaxOutDegree) reach += power;
  double largest = 0;
  for (int trial = 0; trial < kTries; ++trial) {
    const double scale = std::pow(10, 3 * random.uniform() - 1);
    for (Real& w : sum.parameters().values().values()) w = static_cast<Real>(scale * random.gaussian());
    const Records data = hostile_records(random);
    bound::Clipping clipping{.max_norms = {std::pow(10, 4 * random.uniform() - 2)}};
    if (random.bernoulli(0.3)) clipping.style = bound::ClipStyle::Normalize;
    if (random.bernoulli(0.3))
      clipping.max_norms.assign(static_cast<size_t>(sum.parameters().groups()), clipping.max_norms[0]);
    std::vector<int32_t> all(kNodes);
    for (int32_t v = 0; v < kNodes; ++v) all[static_cast<size_t>(v)] = v;
    const auto chosen = static_cast<int32_t>(random.below(kNodes));
    const std::vector<double> whole = sum(data, all, clipping);

    // One sample that counts or does not, nothing else touched: at most the clipped norm.
    Records unlabeled = without(data, chosen);
    unlabeled.sources = data.sources;
    unlabeled.targets = data.targets;
    unlabeled.features = data.features.clone();
    const double one = bound::clipped_sum_sensitivity(clipping, {});
    const double moved = distance(whole, sum(unlabeled, all, clipping));
    ASSERT_LE(moved, one) << "trial " << trial;
    largest = std::max(largest, moved / one);

    // One record blank: it leaves its sample and changes those that read it.
    const double many =
        bound::clipped_sum_sensitivity(clipping, {.rate = 1, .deletions = reach, .insertions = reach - 1});
    ASSERT_LE(distance(whole, sum(without(data, chosen), all, clipping)), many) << "trial " << trial;
  }
  EXPECT_GT(largest, 0.9) << "the tries do not come near the bound, so they test nothing";
}

std::string test_name(const ::testing::TestParamInfo<size_t>& info) {
  std::string name = sample_models()[info.param].name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Layers, Sensitivity, ::testing::Range(size_t{0}, sample_models().size()), test_name);

}  // namespace
}  // namespace graphveil::nn::sensitivity_test
