#include "graphveil/learn/backbone.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graphveil/base/error.h"
#include "graphveil/nn/ops_linear.h"
#include "tests/nn/gradient_check.h"

namespace graphveil::learn::backbone_test {
namespace {

constexpr BackboneKind kKinds[] = {BackboneKind::Gcn, BackboneKind::Gat, BackboneKind::Transformer};

// 1 - 0 - 2 and 2 -> 3; node 4 is alone.
class BackboneTest : public nn::GradientCheck {
 protected:
  SparseView in() const { return {5, 5, offsets_, sources_, {}}; }
  nn::Edges edges(BackboneKind kind) const { return {in(), edge_options(kind)}; }
  // Weights small and hidden biases 3 or -3, so that differences stay away from the kink of ReLU.
  Backbone make(BackboneKind kind, int64_t layers = 2, int64_t heads = 2) {
    RandomStream random(Seed::from_number(2), "weights");
    Backbone backbone({kind, 3, 4, layers, heads}, random);
    nn::Parameters& p = backbone.parameters();
    nn::fill_away_from_zero(p.values(), random_);
    for (nn::ParameterId id = 0; id < p.count(); ++id) {
      if (p.info(id).rows > 1) kernels::scale(Real(0.3), p.value(id), p.value(id));
      if (layers > 1 && p.info(id).name == "layer0.bias") {
        for (int64_t c = 0; c < 4; ++c) p.value(id)(0, c) = c % 2 == 0 ? 3 : -3;
      }
    }
    return backbone;
  }
  std::vector<int64_t> offsets_ = {0, 2, 3, 4, 5, 5};
  std::vector<int32_t> sources_ = {1, 2, 0, 0, 2};
};

double product(ConstMatrixView x, ConstMatrixView w, int64_t row, int64_t col) {
  double sum = 0;
  for (int64_t k = 0; k < x.cols; ++k) sum += double{x(row, k)} * w(k, col);
  return sum;
}

ConstMatrixView find(const Backbone& backbone, const std::string& name) {
  for (nn::ParameterId id = 0; id < backbone.parameters().count(); ++id) {
    if (backbone.parameters().info(id).name == name) return backbone.parameters().value(id);
  }
  throw std::runtime_error("no parameter " + name);
}

TEST_F(BackboneTest, GcnByHand) {
  const Backbone net = make(BackboneKind::Gcn, 1);
  const Matrix x = random_matrix(5, 3);
  const Matrix y = net.embed(x, edges(BackboneKind::Gcn));
  const auto w = find(net, "layer0.weight"), b = find(net, "layer0.bias");
  for (int64_t c = 0; c < 4; ++c) {
    // In-degrees with self-loops are 3, 2, 2, 2, 1.
    EXPECT_NEAR(y(0, c), product(x, w, 0, c) / 3 + (product(x, w, 1, c) + product(x, w, 2, c)) / std::sqrt(6) + b(0, c),
                1e-5);
    EXPECT_NEAR(y(4, c), product(x, w, 4, c) + b(0, c), 1e-5);
  }
}

TEST_F(BackboneTest, GatByHand) {
  const Backbone net = make(BackboneKind::Gat, 1);
  const Matrix x = random_matrix(5, 3);
  const Matrix y = net.embed(x, edges(BackboneKind::Gat));
  const auto w = find(net, "layer0.weight"), b = find(net, "layer0.bias");
  const auto s = find(net, "layer0.source"), t = find(net, "layer0.target");
  for (int64_t first : {0, 2}) {  // columns of the two heads
    double weights[3], total = 0;
    for (int64_t u = 0; u < 3; ++u) {
      double score = 0;
      for (int64_t c = first; c < first + 2; ++c)
        score += s(0, c) * product(x, w, u, c) + t(0, c) * product(x, w, 0, c);
      total += weights[u] = std::exp(score > 0 ? score : 0.2 * score);
    }
    for (int64_t c = first; c < first + 2; ++c) {
      double want = b(0, c);
      for (int64_t u = 0; u < 3; ++u) want += weights[u] / total * product(x, w, u, c);
      EXPECT_NEAR(y(0, c), want, 1e-5);
    }
  }
}

TEST_F(BackboneTest, TransformerByHand) {
  const Backbone net = make(BackboneKind::Transformer, 1);
  const Matrix x = random_matrix(5, 3);
  const Matrix y = net.embed(x, edges(BackboneKind::Transformer));
  const auto w = [&](const char* part) { return find(net, std::string("layer0.") + part); };
  for (int64_t first : {0, 2}) {
    double weights[3] = {0, 0, 0}, total = 0;
    for (int64_t u = 1; u < 3; ++u) {
      double score = 0;
      for (int64_t c = first; c < first + 2; ++c) {
        score += product(x, w("key"), u, c) * (product(x, w("query"), 0, c) + w("query_bias")(0, c));
      }
      total += weights[u] = std::exp(score / std::sqrt(2.0));
    }
    for (int64_t c = first; c < first + 2; ++c) {
      double want = product(x, w("weight"), 0, c) + w("bias")(0, c);
      for (int64_t u = 1; u < 3; ++u)
        want += weights[u] / total * (product(x, w("value"), u, c) + w("value_bias")(0, c));
      EXPECT_NEAR(y(0, c), want, 1e-5);
      EXPECT_NEAR(y(4, c), product(x, w("weight"), 4, c) + w("bias")(0, c), 1e-5) << "nobody to read";
    }
  }
}

// A frozen backbone passes the gradient on to its input, here through a prompt added to every row, and keeps none.
TEST_F(BackboneTest, GradientOfTheInputThroughFrozenWeights) {
  const nn::ParameterId x = add_input(5, 3), prompt = add_input(1, 3);
  for (const BackboneKind kind : kKinds) {
    Backbone net = make(kind);
    net.freeze();
    const nn::Edges e = edges(kind);
    const std::vector<Real> before(net.parameters().values().values().begin(),
                                   net.parameters().values().values().end());
    check_operation([&](nn::Tape& tape) { return net(nn::add_bias(parameter(tape, x), parameter(tape, prompt)), e); });
    EXPECT_TRUE(std::ranges::equal(net.parameters().values().values(), before));
    EXPECT_TRUE(std::ranges::all_of(net.parameters().gradients().values(), [](Real g) { return g == 0; }));
  }
}

TEST_F(BackboneTest, GradientOfTheWeights) {
  const Matrix x = random_matrix(5, 3);
  for (const BackboneKind kind : kKinds) {
    // Differences in the backbone's own parameters.
    Backbone net = make(kind);
    const nn::Edges e = edges(kind);
    nn::Tape tape(Seed::from_number(1));
    const auto loss = [&] {
      tape.start();
      return project(net(tape.input(x), e));
    };
    net.parameters().zero_gradients();
    tape.backward(loss());
    const auto gradients = net.parameters().gradients().values();
    double difference = 0, size = 0;
    for (size_t i = 0; i < gradients.size(); ++i) {
      Real& p = net.parameters().values().values()[i];
      const Real original = p;
      const double step = 2e-3;
      p = static_cast<Real>(original + step);
      const double up = loss().value()(0, 0);
      p = static_cast<Real>(original - step);
      const double down = loss().value()(0, 0);
      p = original;
      const double numeric = (up - down) / (2 * step);
      difference += (numeric - gradients[i]) * (numeric - gradients[i]);
      size += numeric * numeric;
    }
    EXPECT_LT(std::sqrt(difference), 1e-2 * std::sqrt(size)) << to_string(kind);
  }
}

TEST_F(BackboneTest, GraphsSideBySideGiveWhatEachGivesAlone) {
  const Matrix x = random_matrix(5, 3);
  Matrix twice(10, 3);
  std::vector<int64_t> offsets = offsets_;
  std::vector<int32_t> sources = sources_;
  for (int64_t r = 0; r < 5; ++r) {
    offsets.push_back(offsets_.back() + offsets_[static_cast<size_t>(r) + 1]);
    for (int64_t c = 0; c < 3; ++c) twice(r, c) = 2 * (twice(r + 5, c) = x(r, c));
  }
  for (const int32_t u : sources_) sources.push_back(u + 5);
  for (const BackboneKind kind : kKinds) {
    const Backbone net = make(kind);
    const Matrix alone = net.embed(x, edges(kind));
    const Matrix both = net.embed(twice, nn::Edges({10, 10, offsets, sources, {}}, edge_options(kind)));
    for (int64_t r = 0; r < 5; ++r) {
      for (int64_t c = 0; c < 4; ++c) EXPECT_NEAR(both(r + 5, c), alone(r, c), 1e-6);
    }
  }
}

TEST_F(BackboneTest, FrozenWeightsAreConstantsOfPerSampleSteps) {
  const Matrix x = random_matrix(5, 3);
  const std::vector<int32_t> owners = {0, 0, 0, 0, 1};
  for (const BackboneKind kind : kKinds) {
    Backbone net = make(kind);
    net.freeze();
    const nn::Edges e = edges(kind);
    nn::Tape tape(Seed::from_number(1));
    tape.start_per_sample(2);
    const nn::Var y = net(tape.input(x, owners), e);
    EXPECT_TRUE(std::ranges::equal(tape.owners(y), owners));
  }
}

TEST_F(BackboneTest, LoadsWhatItSaved) {
  const Matrix x = random_matrix(5, 3);
  for (const BackboneKind kind : kKinds) {
    const Backbone net = make(kind);
    nn::State state;
    net.save(state, "backbone.");
    const Backbone again = Backbone::loaded(state, "backbone.");
    EXPECT_EQ(again.shape(), net.shape());
    EXPECT_TRUE(again.parameters().frozen());
    EXPECT_TRUE(std::ranges::equal(again.embed(x, edges(kind)).values(), net.embed(x, edges(kind)).values()));
  }
}

TEST_F(BackboneTest, RefusesWhatDoesNotFitTogether) {
  nn::State good;
  make(BackboneKind::Gat).save(good, "");
  const auto refused = [&](const std::string& name, const std::optional<nn::Tensor>& tensor, const std::string& word) {
    nn::State state = good;
    state.erase(name);
    if (tensor) state[name] = *tensor;
    try {
      Backbone::loaded(state, "");
      ADD_FAILURE() << "accepted a wrong " << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  refused("kind", std::nullopt, "'kind'");
  refused("kind", nn::to_tensor(std::vector<uint8_t>{'x'}), "gcn, gat or transformer");
  refused("heads", nn::to_tensor(int64_t{3}), "heads");
  refused("layers", nn::to_tensor(int64_t{3}), "layer2.weight");
  refused("hidden", nn::to_tensor(int64_t{1} << 40), "wide");
  refused("inputs", nn::to_tensor(int64_t{1000000}), "layer0.weight");
  refused("layer1.bias", std::nullopt, "layer1.bias");
  refused("layer1.bias", nn::to_tensor(Matrix(2, 4)), "layer1.bias");
  Matrix infinite(1, 4);
  infinite(0, 2) = std::numeric_limits<Real>::quiet_NaN();
  refused("layer1.bias", nn::to_tensor(infinite), "not finite");
  RandomStream random(Seed::from_number(1), "weights");
  EXPECT_THROW(Backbone({BackboneKind::Gcn, 0}, random), Error);
}

}  // namespace
}  // namespace graphveil::learn::backbone_test
