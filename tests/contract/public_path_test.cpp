// What is settled before a release is opened (split, public numbers, delta, noise, plan) reads nothing that neighbors
// differ in.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "graphveil/method/registry.h"
#include "graphveil/run/experiment.h"
#include "graphveil/run/parts.h"
#include "tests/contract/graphs.h"

namespace graphveil::contract::public_path_test {
namespace {

// A neighbor as far as the split may know it: who has a label is public, which one is not.
graph::Dataset with_other_label(const Neighbors& neighbors) {
  graph::Dataset out = neighbors.other;
  if (!neighbors.node) return out;
  std::vector<int32_t> labels(out.labels.begin(), out.labels.end());
  const int32_t label = neighbors.present.labels[*neighbors.node];
  labels[static_cast<size_t>(*neighbors.node)] =
      label == graph::kUnlabeled ? graph::kUnlabeled : (label + 1) % out.classes;
  out.labels = SharedArray<int32_t>(std::move(labels));
  return out;
}

std::unique_ptr<run::Experiment> experiment_of(const std::string& name, bool stored_split) {
  auto experiment = std::make_unique<run::Experiment>(name);
  // The noise is fixed: finding it reads the plan alone, which is compared.
  experiment->set("noise-multiplier", "2");
  if (stored_split) experiment->set("split", "file");
  return experiment;
}

void expect_same_path(const run::Experiment& experiment, bound::Relation relation, const graph::Dataset& present,
                      const graph::Dataset& other, const std::string& what) {
  run::InputData a{present, std::nullopt}, b{other, std::nullopt};
  if (experiment.method().wants_public_graph()) a.public_data = b.public_data = small_graph(12345, true).data;
  const Seed seed = Seed::from_number(5);
  const run::Parts x = run::make_parts(experiment, a, seed), y = run::make_parts(experiment, b, seed);
  EXPECT_EQ(x.split.train, y.split.train) << what;
  EXPECT_EQ(x.split.val, y.split.val) << what;
  EXPECT_EQ(x.split.test, y.split.test) << what;
  EXPECT_EQ(x.evaluated_split.train, y.evaluated_split.train) << what;
  EXPECT_EQ(x.evaluated_ids, y.evaluated_ids) << what;
  const method::PublicFacts facts = run::public_facts(x, a);
  EXPECT_EQ(facts, run::public_facts(y, b)) << what;
  EXPECT_EQ(facts, run::planned_facts(experiment, b)) << what;
  const run::Prepared p = run::prepare(experiment, relation, facts);
  const run::Prepared q = run::prepare(experiment, relation, run::public_facts(y, b));
  EXPECT_EQ(p.delta, q.delta) << what;
  EXPECT_EQ(p.noise, q.noise) << what;
  EXPECT_EQ(p.plan, q.plan) << what;
}

TEST(PublicPath, IsTheSameOnEveryNeighbor) {
  int64_t compared = 0;
  for (const std::string& name : method::method_names()) {
    for (const bound::Relation relation : method::make_method(name)->relations()) {
      const auto drawn = experiment_of(name, false);
      for (const bool symmetric : {true, false}) {
        if (relation == bound::Relation::UndirectedEdge && !symmetric) continue;
        for (const Neighbors& neighbors : chosen_neighbors(wide_graph(Shape::Hubs, symmetric, !symmetric), relation)) {
          const std::string what = name + ", " + neighbors.what;
          expect_same_path(*drawn, relation, neighbors.present, with_other_label(neighbors), what);
          ++compared;
          if (drawn->method().wants_public_graph()) continue;
          // A split that came with the data keeps the place of a node that is blank.
          graph::Dataset present = neighbors.present, other = neighbors.other;
          present.split = other.split = neighbors.split;
          expect_same_path(*experiment_of(name, true), relation, present, other, what + ", stored split");
        }
      }
    }
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace graphveil::contract::public_path_test
