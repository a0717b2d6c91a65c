// The harness has teeth: each planted mistake is found by it alone, and the method without one is not accused.
#include <gtest/gtest.h>

#include "tests/contract/harness.h"
#include "tests/contract/planted_method.h"

namespace graphveil::contract::planted_bugs_test {
namespace {

// What the harness says of a bug over a few graphs.
std::vector<std::string> found(Bug bug, uint64_t graphs = 20) {
  const PlantedMethod method(bug);
  std::vector<std::string> out;
  for (uint64_t seed = 1; seed <= graphs; ++seed) {
    const SmallGraph graph = small_graph(seed, seed % 2 == 0);
    const int64_t degree = largest_degree(graph.data.graph);
    for (const Neighbors& neighbors : all_neighbors(graph, bound::Relation::Node)) {
      for (std::string& what :
           findings(method, bound::Relation::Node, neighbors, {.protect_degree = degree, .seed = seed})) {
        out.push_back(std::move(what));
      }
    }
  }
  return out;
}

bool says(const std::vector<std::string>& found, const std::string& what) {
  return std::any_of(found.begin(), found.end(),
                     [&](const std::string& f) { return f.find(what) != std::string::npos; });
}

TEST(PlantedBugs, TheSoundMethodIsNotAccused) {
  const auto none = found(Bug::None);
  EXPECT_TRUE(none.empty()) << none.front();
}

// What the harness says of a bug on a wide graph, some of whose nodes have more edges than are protected, both ways.
std::vector<std::string> found_among_hubs(Bug bug) {
  const PlantedMethod method(bug);
  std::vector<std::string> out;
  const WideGraph graph = wide_graph(Shape::Hubs, true, false);
  const HarnessOptions options{.protect_degree = graph.protect_degree};
  for (const Neighbors& pair : chosen_neighbors(graph, bound::Relation::Node)) {
    const Recorded present(method, bound::Relation::Node, pair.present, pair.split, options);
    const Recorded other(method, bound::Relation::Node, pair.other, pair.split, options);
    for (std::string& what : present.against(pair, pair.other)) out.push_back(std::move(what));
    for (std::string& what : other.against(pair, pair.present)) out.push_back(std::move(what));
  }
  return out;
}

TEST(PlantedBugs, NodesAboveTheProtectedDegreeMayMoveSumsByMore) {
  const auto none = found_among_hubs(Bug::None);
  EXPECT_TRUE(none.empty()) << none.front();
  EXPECT_TRUE(says(found_among_hubs(Bug::ForgottenClip), "'sums' moves by"));
  EXPECT_TRUE(says(found_among_hubs(Bug::OwnListInTraining), "'training' moves by"));
}

TEST(Harness, KnowsHowOftenChanceAllows) {
  EXPECT_NEAR(binomial_upper_tail(3, 5, 0.5), 0.5, 1e-12);
  EXPECT_NEAR(binomial_upper_tail(2, 2, 0.3), 0.09, 1e-12);
  EXPECT_NEAR(binomial_upper_tail(1, 10, 0.1), 1 - std::pow(0.9, 10), 1e-12);
  EXPECT_EQ(binomial_upper_tail(0, 10, 0.1), 1);
}

TEST(PlantedBugs, AForgottenClip) { EXPECT_TRUE(says(found(Bug::ForgottenClip), "'sums' moves by")); }

TEST(PlantedBugs, AWeightThatReadsADegree) { EXPECT_TRUE(says(found(Bug::WeightReadsDegree), "'sums' moves by")); }

TEST(PlantedBugs, InDegreeSampling) { EXPECT_TRUE(says(found(Bug::InDegreeSampling), "'sums' moves by")); }

TEST(PlantedBugs, OnesOwnListReadInTraining) {
  const auto list = found(Bug::OwnListInTraining);
  EXPECT_TRUE(says(list, "'training' moves by") || says(list, "prediction of training about node"));
}

TEST(PlantedBugs, TheBestEpochByPrivateValidation) {
  EXPECT_TRUE(says(found(Bug::BestEpochByValidation), "the public model differs"));
}

TEST(PlantedBugs, DivisionByTheBatchsActualSize) {
  EXPECT_TRUE(says(found(Bug::DividesByBatchSize), "the public model differs"));
}

TEST(PlantedBugs, FeaturesStandardizedOverTheDataSet) { EXPECT_FALSE(found(Bug::StandardizedFeatures).empty()); }

TEST(PlantedBugs, PrivateRowsInAPublicModel) {
  EXPECT_TRUE(says(found(Bug::PublishesPrivateRows), "the public model differs"));
}

TEST(PlantedBugs, ALineSpentTwice) { EXPECT_THROW(found(Bug::SpendsTwice, 1), Error); }

TEST(PlantedBugs, NoiseDrawnTwiceFromOneStream) {
  const PlantedMethod method(Bug::None);
  const SmallGraph one = small_graph(3, true), two = small_graph(4, true);
  // A model to infer with.
  const method::Setting setting{bound::Relation::Node, 5, {9, 5, 5, 3}};
  mechanism::Release release =
      mechanism::Release::open(bound::Relation::Node, method.plan(2, setting), {1e300, 1e-5}, Seed::from_number(1));
  const method::Task task{.data = one.data, .split = one.split, .protect_degree = 5, .seed = Seed::from_number(2)};
  const nn::State model = method.run(task, release).model.value();
  const auto noise = [&](const SmallGraph& graph, uint64_t seed) {
    return inference_noise(method, bound::Relation::Node, graph, model, Seed::from_number(seed), {.protect_degree = 5});
  };
  std::vector<Noise> shared = noise(one, 7), apart = shared;
  for (Noise& more : noise(two, 7)) shared.push_back(more);
  for (Noise& more : noise(two, 8)) apart.push_back(more);
  EXPECT_FALSE(shared_noise(shared).empty());
  EXPECT_TRUE(shared_noise(apart).empty());
}

}  // namespace
}  // namespace graphveil::contract::planted_bugs_test
