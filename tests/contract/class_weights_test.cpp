// Class weights, those that were given and those from noisy counts, on every neighbor: no line may move further than
// without them, and what is public is the same to the bit.
#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "graphveil/method/registry.h"
#include "graphveil/run/class_weights.h"
#include "tests/contract/cases.h"
#include "tests/contract/graphs.h"
#include "tests/contract/harness.h"

namespace graphveil::contract::class_weights_test {
namespace {

// A training with weights as one method.
class Weighed final : public method::Method {
 public:
  Weighed(const method::Method& inner, std::vector<Real> given) : inner_(inner), given_(std::move(given)) {}
  method::Description describe() const override { return inner_.describe(); }
  void declare(Options&) override {}
  void use_paper_settings() override {}
  graph::Dataset prepare(const graph::Dataset& data) const override { return inner_.prepare(data); }
  std::vector<bound::Relation> relations() const override { return inner_.relations(); }
  method::PredictionCover predictions(bound::Relation relation) const override { return inner_.predictions(relation); }
  method::Plan plan(double noise, const method::Setting& setting) const override {
    method::Plan plan = inner_.plan(noise, setting);
    if (given_.empty()) plan.add(run::class_counts_line(plan, setting.facts.classes));
    return plan;
  }
  method::Output run(const method::Task& task, mechanism::Release& release) const override {
    method::Task weighed = task;
    const std::vector<Real> weights = given_.empty() ? run::noisy_balanced_weights(task, release) : given_;
    weighed.class_weights = weights;
    return inner_.run(weighed, release);
  }
  method::Plan inference_plan(double noise, const method::Setting& setting) const override {
    return inner_.inference_plan(noise, setting);
  }
  method::Predictions infer(const nn::State& model, const method::Task& task,
                            mechanism::Release& release) const override {
    return inner_.infer(model, task, release);
  }

 private:
  const method::Method& inner_;
  std::vector<Real> given_;
};

std::vector<Real> steep(int32_t classes) {
  std::vector<Real> out;
  for (int32_t k = 0; k < classes; ++k) out.push_back(k == 0 ? Real(0.01) : Real(1 + 50 * k));
  return out;
}

std::vector<uint8_t> bytes_of(const nn::State& state) {
  std::vector<uint8_t> out;
  for (const auto& [name, tensor] : state) out.insert(out.end(), tensor.bytes.begin(), tensor.bytes.end());
  return out;
}

TEST(ClassWeights, MoveNoLineFurtherThanItsBound) {
  int64_t pairs = 0;
  double counted = 0, trained = 0;  // shares of their bounds that lines came to
  for (const std::string& name : method::method_names()) {
    const Made made = make_quick(name);
    for (const bound::Relation relation : made.method->relations()) {
      if (bound::edge_level(relation) || !made.method->weighs_classes(relation)) continue;
      for (uint64_t seed = 1; seed <= 4; ++seed) {
        const SmallGraph graph = small_graph(seed, seed % 2 == 1);
        for (const std::vector<Real>& given : {std::vector<Real>(), steep(graph.data.classes)}) {
          const Weighed method(*made.method, given);
          for (const Neighbors& neighbors : all_neighbors(graph, relation)) {
            Shares shares;
            const auto found = findings(method, relation, neighbors, {.seed = seed}, &shares);
            ASSERT_TRUE(found.empty()) << name << ": " << found.front();
            if (shares.count("class counts") > 0) counted = std::max(counted, shares["class counts"]);
            if (shares.count("training") > 0) trained = std::max(trained, shares["training"]);
            ++pairs;
          }
        }
      }
    }
  }
  EXPECT_GT(pairs, 200);
  EXPECT_GT(counted, 0.95);
  EXPECT_GT(trained, 0.8) << "the dearest class is clipped as before";
}

// What says that it weighs, does: the model is another one.
TEST(ClassWeights, ChangeTheModelOfEveryMethodThatWeighs) {
  for (const std::string& name : method::method_names()) {
    const Made made = make_quick(name);
    for (const bound::Relation relation : made.method->relations()) {
      if (!made.method->weighs_classes(relation)) continue;
      const SmallGraph graph = small_graph(3, true);
      const Weighed weighed(*made.method, steep(graph.data.classes));
      const Recorded with(weighed, relation, graph.data, graph.split, {.inference = false});
      const Recorded without(*made.method, relation, graph.data, graph.split, {.inference = false});
      EXPECT_NE(bytes_of(with.output().model.value()), bytes_of(without.output().model.value()))
          << name << " under " << bound::name(relation);
    }
  }
}

}  // namespace
}  // namespace graphveil::contract::class_weights_test
