#include "graphveil/nn/clipped_gradient.h"

#include <limits>

#include <gtest/gtest.h>

#include "graphveil/mechanism/release.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/optimizer.h"
#include "tests/nn/clipped_gradient_peer.h"
#include "tests/nn/sample_models.h"
#include "tests/reference/naive_clipping.h"

namespace graphveil::nn::clipped_gradient_test {
namespace {

// A random directed graph of 40 nodes with features and labels.
struct Data {
  explicit Data(uint64_t seed) : random(Seed::from_number(seed), "data") {
    std::vector<int32_t> sources, targets;
    for (int64_t e = 0; e < 70; ++e) {
      sources.push_back(static_cast<int32_t>(random.below(kNodes)));
      targets.push_back(static_cast<int32_t>(random.below(kNodes)));
    }
    graph = graph::Graph::from_edges(kNodes, sources, targets);
    features = Matrix(kNodes, kIn);
    for (Real& v : features.values()) v = random.bernoulli(0.5) ? static_cast<Real>(random.gaussian()) : Real(0);
    for (int64_t v = 0; v < kNodes; ++v) labels.push_back(static_cast<int32_t>(random.below(kOut)));
    offsets.push_back(0);
    for (int64_t r = 0; r < kNodes; ++r) {
      for (int64_t c = 0; c < kIn; ++c) {
        if (features(r, c) == 0) continue;
        indices.push_back(static_cast<int32_t>(c));
        values.push_back(features(r, c));
      }
      offsets.push_back(static_cast<int64_t>(indices.size()));
    }
  }
  static constexpr int64_t kNodes = 40;
  RandomStream random;
  graph::Graph graph;
  Matrix features;
  std::vector<int32_t> labels;
  std::vector<int64_t> offsets;
  std::vector<int32_t> indices;
  std::vector<Real> values;
};

// Loss of the roots, each sample's own.
class Step {
 public:
  Step(const Data& data, const SampleModel& model, bool sparse)
      : data_(data), sparse_(sparse), batch_(data.graph, model.hops, model.edges) {}

  Var loss(Tape& tape, const Forward& forward, std::span<const int32_t> roots) {
    batch_.assign(roots);
    labels_.clear();
    for (const int32_t root : roots) labels_.push_back(data_.labels[static_cast<size_t>(root)]);
    if (sparse_) {
      const SparseInput x{
          {Data::kNodes, kIn, data_.offsets, data_.indices, data_.values}, batch_.nodes(), batch_.owners()};
      return finish(forward(Input(tape, x), batch_));
    }
    rows_ = Matrix(batch_.rows(), kIn);
    for (int64_t r = 0; r < batch_.rows(); ++r) {
      std::copy_n(data_.features.row(batch_.nodes()[static_cast<size_t>(r)]).data(), kIn, rows_.row(r).data());
    }
    return finish(forward(tape.input(rows_, batch_.owners()), batch_));
  }

 private:
  Var finish(Var logits) { return cross_entropy(gather_rows(logits, batch_.root_rows()), labels_, Reduction::Sum); }
  const Data& data_;
  bool sparse_;
  RootedBatch batch_;
  std::vector<int32_t> labels_;
  Matrix rows_;
};

void expect_equals_naive(const SampleModel& model, bool sparse) {
  SCOPED_TRACE(model.name + (sparse ? " (sparse features)" : ""));
  const Data data(3);
  Parameters parameters;
  RandomStream random(Seed::from_number(9), "init");
  const Forward forward = model.build(parameters, random);
  Step step(data, model, sparse);
  const std::vector<int32_t> roots = {4, 17, 3, 25, 9, 17, 38, 0, 21};
  const auto sample_loss = [&](Tape& tape, int64_t s) {
    return step.loss(tape, forward, std::span(roots).subspan(static_cast<size_t>(s), 1));
  };
  const auto count = static_cast<int64_t>(roots.size());
  // Clip at the mean norm, so that some are clipped and some are not.
  double max_norm = 0;
  for (const double norm : reference::naive_clipping(parameters, count, 1, sample_loss).norms) {
    max_norm += norm / static_cast<double>(count);
  }
  const reference::NaiveClipping naive =
      reference::naive_clipping(parameters, count, max_norm * (1 - bound::kClipMargin), sample_loss);
  Tape tape(Seed::from_number(0));
  ClippedGradient clipped(parameters, {.max_norms = {max_norm}});
  clipped.start();
  tape.start_per_sample(static_cast<int64_t>(roots.size()));
  clipped.add(step.loss(tape, forward, roots));

  for (size_t s = 0; s < roots.size(); ++s) {
    EXPECT_NEAR(ClippedGradientPeer::norm(clipped, static_cast<int64_t>(s)), naive.norms[s], 2e-5 * naive.norms[s]);
  }
  for (size_t i = 0; i < naive.sum.size(); ++i) {
    EXPECT_NEAR(ClippedGradientPeer::sum(clipped)[i], naive.sum[i], 1e-5 * max_norm * static_cast<double>(roots.size()))
        << i;
  }
}

TEST(ClippedGradient, EqualsTheNaiveSumForEveryLayerType) {
  for (const SampleModel& model : sample_models()) {
    expect_equals_naive(model, false);
    if (model.sparse_input) expect_equals_naive(model, true);
  }
}

// A model and the samples of a step.
struct SixSamples {
  Data data{4};
  SampleModel model = sample_models()[2];
  Parameters parameters;
  RandomStream random{Seed::from_number(9), "init"};
  Forward forward = model.build(parameters, random);
  Step step{data, model, false};
  std::vector<int32_t> roots{1, 2, 3, 4, 5, 6};
};

TEST(ClippedGradient, SeveralStepsAddUp) {
  SixSamples six;
  Tape tape(Seed::from_number(0));
  ClippedGradient clipped(six.parameters, {});
  const auto sum = [&](size_t size) {
    clipped.start();
    for (size_t begin = 0; begin < six.roots.size(); begin += size) {
      tape.start_per_sample(static_cast<int64_t>(size));
      clipped.add(six.step.loss(tape, six.forward, std::span(six.roots).subspan(begin, size)));
    }
    return ClippedGradientPeer::sum(clipped);
  };
  const auto whole = sum(6), parts = sum(2);
  for (size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(whole[i], parts[i], 1e-5);
}

// Blocks that others summed: the same bits.
TEST(ClippedGradient, TakesWhatOthersSummed) {
  SixSamples six;
  const auto add = [&](ClippedGradient& clipped, size_t begin, size_t end, std::span<const int64_t> block_ends) {
    Tape tape(Seed::from_number(0));
    tape.start_per_sample(static_cast<int64_t>(end - begin));
    clipped.add(six.step.loss(tape, six.forward, std::span(six.roots).subspan(begin, end - begin)), block_ends);
  };
  ClippedGradient whole(six.parameters, {}), first(six.parameters, {}), second(six.parameters, {}),
      third(six.parameters, {});
  for (ClippedGradient* clipped : {&whole, &first, &second, &third}) clipped->start();
  add(whole, 0, 6, std::vector<int64_t>{2, 3, 6});
  add(first, 0, 2, {});
  add(second, 3, 6, {});
  add(third, 2, 3, {});
  first.take(std::vector<const ClippedGradient*>{&second, &third});
  EXPECT_EQ(ClippedGradientPeer::sum(first), ClippedGradientPeer::sum(whole));
}

TEST(ClippedGradient, AnEmptyBatchIsZeroAndStillBounded) {
  Parameters parameters;
  RandomStream random(Seed::from_number(9), "init");
  const Mlp mlp(parameters, "mlp", {.widths = {3, 2}}, random);
  Tape tape(Seed::from_number(0));
  ClippedGradient clipped(parameters, {.max_norms = {2}});
  clipped.start();
  tape.start_per_sample(0);
  const Matrix none(0, 3);
  clipped.add(cross_entropy(mlp(tape.input(none)), {}, Reduction::Sum));
  for (const double g : ClippedGradientPeer::sum(clipped)) EXPECT_EQ(g, 0);
  const PoissonBatches batches({0, 1, 2}, {.rate = 0.1}, Seed::from_number(1));
  const auto sum = clipped.finish(batches, bound::Relation::Node);
  EXPECT_EQ(sum.sensitivity().amount, 2 * bound::kRoundingInflation);
  EXPECT_TRUE(std::holds_alternative<account::Poisson>(sum.sensitivity().sampling));
}

TEST(ClippedGradient, GroupsAreClippedApart) {
  Parameters parameters;
  RandomStream random(Seed::from_number(9), "init");
  const Mlp mlp(parameters, "mlp", {.widths = {4, 6, 3}}, random);
  Matrix x(1, 4);
  for (Real& v : x.values()) v = 50;
  const std::vector<int32_t> labels = {1};
  Tape tape(Seed::from_number(0));
  ClippedGradient clipped(parameters, {.max_norms = {0.5, 0.25}});
  clipped.start();
  tape.start_per_sample(1);
  clipped.add(cross_entropy(mlp(tape.input(x)), labels, Reduction::Sum));
  double squares[2] = {0, 0};
  for (ParameterId id = 0; id < parameters.count(); ++id) {
    const ParameterInfo& info = parameters.info(id);
    for (int64_t i = 0; i < info.size(); ++i)
      squares[info.group] += std::pow(ClippedGradientPeer::sum(clipped)[static_cast<size_t>(info.offset + i)], 2);
  }
  EXPECT_NEAR(std::sqrt(squares[0]), 0.5, 1e-4);
  EXPECT_NEAR(std::sqrt(squares[1]), 0.25, 1e-4);
  EXPECT_NEAR(clipped.finish(FullBatch({0}), bound::Relation::Node).sensitivity().amount,
              std::sqrt(0.3125) * bound::kRoundingInflation, 1e-12);
  EXPECT_THROW(ClippedGradient(parameters, {.max_norms = {1, 1, 1}}), Error);
}

// Divided by their clip norms and multiplied by them again, groups are what they are without.
TEST(ClippedGradient, RelativeGroupsComeBack) {
  Parameters parameters;
  RandomStream random(Seed::from_number(9), "init");
  const Mlp mlp(parameters, "mlp", {.widths = {4, 6, 3}}, random);
  Matrix x(5, 4);
  for (Real& v : x.values()) v = static_cast<Real>(2 * random.gaussian());
  const std::vector<int32_t> labels = {1, 0, 2, 1, 1};
  Tape tape(Seed::from_number(0));
  const auto sum = [&](bool relative) {
    ClippedGradient clipped(parameters, {.max_norms = {0.5, 0.25}, .relative = relative});
    clipped.start();
    tape.start_per_sample(5);
    clipped.add(cross_entropy(mlp(tape.input(x)), labels, Reduction::Sum));
    std::vector<double> gradients = ClippedGradientPeer::sum(clipped);
    const double before = gradients[0];
    clipped.undo_relative(gradients);
    EXPECT_EQ(gradients[0] == before, !relative);
    return gradients;
  };
  const std::vector<double> plain = sum(false), relative = sum(true);
  for (size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(plain[i], relative[i], 1e-5);
}

TEST(ClippedGradient, NormalizedGradientsHaveTheNormOfTheClip) {
  Parameters parameters;
  RandomStream random(Seed::from_number(9), "init");
  const Mlp mlp(parameters, "mlp", {.widths = {4, 3}}, random);
  Matrix x(1, 4);
  for (Real& v : x.values()) v = Real(0.001);
  const std::vector<int32_t> labels = {1};
  Tape tape(Seed::from_number(0));
  ClippedGradient clipped(parameters, {.style = bound::ClipStyle::Normalize, .max_norms = {3}, .offset = 1e-3});
  clipped.start();
  tape.start_per_sample(1);
  clipped.add(cross_entropy(mlp(tape.input(x)), labels, Reduction::Sum));
  double square = 0;
  for (const double g : ClippedGradientPeer::sum(clipped)) square += g * g;
  EXPECT_NEAR(std::sqrt(square), 3, 0.01);
}

// A record with values that are not finite, or overflow on the way, must not spoil the sum of the others.
TEST(ClippedGradient, ARecordThatIsNotFiniteIsLeftOut) {
  for (const Real bad : {std::numeric_limits<Real>::infinity(), std::numeric_limits<Real>::quiet_NaN(), Real(3e38)}) {
    for (const SampleModel& model : sample_models()) {
      SCOPED_TRACE(model.name);
      Data data(5);
      Parameters parameters;
      RandomStream random(Seed::from_number(9), "init");
      const Forward forward = model.build(parameters, random);
      Step step(data, model, false);
      const std::vector<int32_t> roots = {4, 17, 3};
      for (Real& v : data.features.row(17)) v = bad;
      Tape tape(Seed::from_number(0));
      ClippedGradient clipped(parameters, {});
      clipped.start();
      tape.start_per_sample(3);
      clipped.add(step.loss(tape, forward, roots));
      double square = 0;
      for (const double g : ClippedGradientPeer::sum(clipped)) square += g * g;
      EXPECT_LE(std::sqrt(square), 3) << "not finite, or too long";
    }
  }
}

TEST(ClippedGradient, RefusesWhatMixesSamples) {
  Parameters parameters;
  RandomStream random(Seed::from_number(9), "init");
  const GcnLayer layer(parameters, "gcn", 2, 2, random);
  const std::vector<int64_t> offsets = {0, 1, 1};
  const std::vector<int32_t> sources = {1};
  const Edges edges({2, 2, offsets, sources, {}}, {true, EdgeWeights::Symmetric});
  const Matrix x(2, 2);
  const std::vector<int32_t> one_owner = {0, 0}, labels = {0, 1};
  Tape tape(Seed::from_number(0));
  const auto kind = [&](const std::function<void()>& body) {
    try {
      body();
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::Internal;
  };
  EXPECT_EQ(kind([&] {
              tape.start_per_sample(2);
              layer(tape.input(x), edges);
            }),
            ErrorKind::Unsupported)
      << "an edge between samples";
  tape.start_per_sample(1);
  EXPECT_NO_THROW(layer(tape.input(x, one_owner), edges));
  EXPECT_EQ(kind([&] {
              tape.start_per_sample(2);
              layer(layer(tape.input(x), edges), edges);
            }),
            ErrorKind::Unsupported);
  EXPECT_EQ(kind([&] {
              tape.start_per_sample(1);
              const Var h = layer(tape.input(x, one_owner), edges);
              layer(h, edges);
            }),
            ErrorKind::Unsupported)
      << "a parameter used twice";
  EXPECT_EQ(kind([&] {
              tape.start_per_sample(2);
              const Var w = tape.parameter(parameters, 0);
              l2_penalty(w, 1);
            }),
            ErrorKind::Unsupported)
      << "a penalty belongs to no sample";
  EXPECT_EQ(kind([&] {
              tape.start_per_sample(2);
              add(tape.input(x), tape.parameter(parameters, 0));
            }),
            ErrorKind::Unsupported)
      << "a parameter without a rule";
  EXPECT_EQ(kind([&] {
              tape.start_per_sample(2);
              const Var h = tape.input(x);
              matmul(h, h);
            }),
            ErrorKind::Unsupported)
      << "a product of two samples' rows";
  EXPECT_EQ(kind([&] {
              tape.start_per_sample(2);
              const Var h = matmul(tape.input(x), tape.parameter(parameters, 0));
              add(h, gather_rows(h, std::vector<int32_t>{1, 0}));
            }),
            ErrorKind::Unsupported)
      << "rows exchanged between samples";
  EXPECT_EQ(kind([&] {
              tape.start_per_sample(2);
              scatter_rows(tape.input(x), std::vector<int32_t>{0, 0}, 1);
            }),
            ErrorKind::Unsupported);
  EXPECT_EQ(kind([&] {
              tape.start_per_sample(2);
              const std::vector<int64_t> all = {0, 2};
              readout(tape.input(x), all, Aggregator::Sum);
            }),
            ErrorKind::Unsupported);
}

TEST(ClippedGradient, ADpSgdStepThroughAMechanism) {
  Parameters parameters;
  RandomStream random(Seed::from_number(9), "init");
  const Mlp mlp(parameters, "mlp", {.widths = {2, 2}}, random);
  const Matrix x(4, 2);
  const std::vector<int32_t> labels = {0, 1, 1, 1};
  Tape tape(Seed::from_number(0));
  ClippedGradient clipped(parameters, {});
  const mechanism::Plan plan{
      {{"classifier", account::Gaussian{1.5}, account::Poisson{0.5}, 2},
       bound::clipped_sum_bound(clipped.clipping(), {.rate = 0.5}, bound::source::Reach::OwnSample)}};
  auto release = mechanism::Release::open(bound::Relation::Node, plan, {1e6, 1e-5}, Seed::from_number(1));
  const PoissonBatches batches({0, 1, 2, 3}, {.rate = 0.5}, Seed::from_number(1));
  Sgd sgd;
  const Matrix before = parameters.values().clone();
  for (int step = 0; step < 2; ++step) {
    clipped.start();
    tape.start_per_sample(4);
    clipped.add(cross_entropy(mlp(tape.input(x)), labels, Reduction::Sum));
    auto noisy = release.gaussian("classifier", clipped.finish(batches, bound::Relation::Node));
    sgd.step(parameters, noisy.value(), 0.1, 1.0 / 4);
    clipped.reuse(std::move(noisy).value());
  }
  EXPECT_TRUE(release.complete());
  EXPECT_NE(before(0, 0), parameters.values()(0, 0));
}

}  // namespace
}  // namespace graphveil::nn::clipped_gradient_test
