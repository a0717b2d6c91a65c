// Small networks of every layer type on rooted subgraphs, for tests of per-sample clipping.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graphveil/nn/ops_normalize.h"
#include "tests/nn/test_layers.h"
#include "tests/reference/rooted_batch.h"

namespace graphveil::nn {

// Logits of all rows of a batch from their input; the test takes those of the roots.
using Forward = std::function<Var(const Input&, const RootedBatch&)>;

struct SampleModel {
  std::string name;
  int64_t hops;
  EdgeOptions edges;
  bool sparse_input;                                         // whether it can read sparse features
  std::function<Forward(Parameters&, RandomStream&)> build;  // kIn features to kOut logits
};

inline constexpr int64_t kIn = 5, kHidden = 4, kOut = 3;

// Two layers of one type with an activation between.
template <typename Make>
std::function<Forward(Parameters&, RandomStream&)> two_layers(Make make) {
  return [make](Parameters& p, RandomStream& r) -> Forward {
    auto first = std::make_shared<decltype(make(p, "", 0, 0, r))>(make(p, "first", kIn, kHidden, r));
    auto second = std::make_shared<decltype(make(p, "", 0, 0, r))>(make(p, "second", kHidden, kOut, r));
    return [=](const Input& x, const RootedBatch& b) { return (*second)(nn::tanh((*first)(x, b.edges())), b.edges()); };
  };
}

inline std::vector<SampleModel> sample_models() {
  const EdgeOptions plain{}, loops{true, EdgeWeights::None};
  const EdgeOptions symmetric{true, EdgeWeights::Symmetric}, mean{false, EdgeWeights::InverseDegree};
  const auto sage = [](Aggregator aggregator) {
    return two_layers([=](Parameters& p, const std::string& n, int64_t in, int64_t out, RandomStream& r) {
      return SageLayer(p, n, in, out, aggregator, r);
    });
  };
  const auto gat = [](Attention attention) {
    return two_layers([=](Parameters& p, const std::string& n, int64_t in, int64_t out, RandomStream& r) {
      const bool last = out == kOut;
      return GatLayer(
          p, n, {.in = in, .width = last ? out : out / 2, .heads = 2, .concat = !last, .attention = attention}, r);
    });
  };
  const auto gcn = two_layers([](Parameters& p, const std::string& n, int64_t in, int64_t out, RandomStream& r) {
    return GcnLayer(p, n, in, out, r);
  });
  // A prompt model: a frozen GCN below, prompts in front of it trained.
  const auto frozen_gcn = [] {
    auto frozen = std::make_shared<Parameters>();
    RandomStream random(Seed::from_number(77), "frozen");
    auto first = std::make_shared<GcnLayer>(*frozen, "first", kIn, kHidden, random);
    auto second = std::make_shared<GcnLayer>(*frozen, "second", kHidden, kOut, random);
    frozen->freeze();
    return [=](Var x, const RootedBatch& b) {
      (void)frozen;  // keeps the weights alive
      return (*second)(nn::tanh((*first)(x, b.edges())), b.edges());
    };
  };
  const auto filled = [](Parameters& p, const std::string& name, int64_t rows, int64_t cols, RandomStream& r) {
    const ParameterId id = p.add(name, rows, cols);
    fill_fan_in_uniform(p.value(id), 1, r);
    return id;
  };

  std::vector<SampleModel> models;
  models.push_back({"mlp", 0, plain, true, [](Parameters& p, RandomStream& r) -> Forward {
                      auto mlp = std::make_shared<Mlp>(
                          p, "mlp", MlpOptions{.widths = {kIn, kHidden, kHidden, kOut}, .activation = Activation::Selu},
                          r);
                      return [=](const Input& x, const RootedBatch&) { return (*mlp)(x); };
                    }});
  // The same network on several rows of a sample, averaged by the edges at the end.
  models.push_back({"mlp of neighborhoods", 2, symmetric, true, [](Parameters& p, RandomStream& r) -> Forward {
                      auto mlp = std::make_shared<Mlp>(p, "mlp", MlpOptions{.widths = {kIn, kHidden, kOut}}, r);
                      return [=](const Input& x, const RootedBatch& b) { return aggregate((*mlp)(x), b.edges()); };
                    }});
  models.push_back({"gcn symmetric", 2, symmetric, true, gcn});
  models.push_back({"gcn inverse degree", 2, {true, EdgeWeights::InverseDegree}, true, gcn});
  models.push_back({"sage sum", 2, plain, true, sage(Aggregator::Sum)});
  models.push_back({"sage mean", 2, mean, true, sage(Aggregator::Mean)});
  models.push_back({"sage max", 2, plain, false, sage(Aggregator::Max)});
  models.push_back({"gin", 2, plain, true,
                    two_layers([](Parameters& p, const std::string& n, int64_t in, int64_t out, RandomStream& r) {
                      return GinLayer(p, n, in, out, Activation::Elu, true, r);
                    })});
  models.push_back({"gat additive", 2, loops, true, gat(Attention::Additive)});
  models.push_back({"gat dot product", 2, loops, true, gat(Attention::DotProduct)});
  // Several projections of one input share nothing, so a transformer may read sparse features too.
  models.push_back({"transformer", 2, plain, true,
                    two_layers([](Parameters& p, const std::string& n, int64_t in, int64_t out, RandomStream& r) {
                      return TransformerLayer(p, n, {.in = in, .width = out, .heads = 2, .concat = false}, r);
                    })});
  models.push_back({"prompt added", 2, symmetric, false, [=](Parameters& p, RandomStream& r) -> Forward {
                      const ParameterId prompt = filled(p, "prompt", 1, kIn, r);
                      return [&p, prompt, gnn = frozen_gcn()](const Input& x, const RootedBatch& b) {
                        return gnn(add_bias(x.dense(), x.tape().parameter(p, prompt)), b);
                      };
                    }});
  models.push_back({"prompt multiplied", 2, symmetric, false, [=](Parameters& p, RandomStream& r) -> Forward {
                      const ParameterId prompt = filled(p, "prompt", 1, kIn, r), slope = filled(p, "slope", 1, 1, r);
                      return [&p, prompt, slope, gnn = frozen_gcn()](const Input& x, const RootedBatch& b) {
                        const Var scaled = scale_columns(x.dense(), x.tape().parameter(p, prompt));
                        return gnn(prelu(scaled, x.tape().parameter(p, slope)), b);
                      };
                    }});
  // GPF-plus: every row gets a mixture of prompt tokens, x + softmax(x A) P.
  models.push_back({"prompt tokens", 2, symmetric, false, [=](Parameters& p, RandomStream& r) -> Forward {
                      const ParameterId a = filled(p, "attention", kIn, 3, r), tokens = filled(p, "tokens", 3, kIn, r);
                      return [&p, a, tokens, gnn = frozen_gcn()](const Input& x, const RootedBatch& b) {
                        const Var share = softmax(matmul(x.dense(), x.tape().parameter(p, a)));
                        return gnn(add(x.dense(), matmul(share, x.tape().parameter(p, tokens))), b);
                      };
                    }});
  models.push_back({"node embedding", 2, symmetric, false, [=](Parameters& p, RandomStream& r) -> Forward {
                      const ParameterId table = filled(p, "table", 64, kIn, r);
                      return [&p, table, gnn = frozen_gcn()](const Input& x, const RootedBatch& b) {
                        const Var rows = embedding(x.tape().parameter(p, table), b.nodes(), b.owners());
                        return gnn(add(x.dense(), rows), b);
                      };
                    }});
  return models;
}

}  // namespace graphveil::nn
