#include "graphveil/attack/member_model.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/subgraph.h"
#include "tests/run/small_run.h"

namespace graphveil::attack::member_model_test {
namespace {

TEST(MemberModel, HalfOfTheCandidatesOrAFewOfEveryClass) {
  const graph::Dataset data = run::tiny();
  const auto all = candidates_of(data, std::nullopt);
  EXPECT_EQ(std::ssize(all), data.nodes());
  const auto half = random_members(data, all, std::nullopt, Seed::from_number(1));
  EXPECT_EQ(half.size(), all.size() / 2);
  EXPECT_TRUE(std::ranges::is_sorted(half));
  const auto few = candidates_of(data, 2);
  EXPECT_EQ(std::ssize(few), 4 * data.classes);
  EXPECT_EQ(std::ssize(candidates_of(data, 1, 2)), 3 * data.classes) << "two others for each member";
  const auto shots = random_members(data, few, 2, Seed::from_number(1));
  std::vector<int> count(static_cast<size_t>(data.classes), 0);
  for (const int32_t v : shots) ++count[static_cast<size_t>(data.labels[v])];
  for (const int c : count) EXPECT_EQ(c, 2);
}

TEST(MemberModel, SaysSomethingAboutEveryCandidate) {
  const graph::Dataset data = run::tiny();
  for (const char* name : {"mlp", "gap-inf", "gap-ndp", "lap", "dpgnn"}) {
    const auto experiment = run::quick(name);
    const Candidates candidates{data, std::nullopt};
    const auto members = random_members(data, candidates_of(data, std::nullopt), std::nullopt, Seed::from_number(1));
    const MemberModels models(*experiment, candidates, std::ssize(members));
    const MemberModel model = models.train(members, Seed::from_number(2));
    EXPECT_EQ(model.people.rows(), data.nodes()) << name;
  }
}

TEST(MemberModel, OfAMethodWithAPublicGraph) {
  const graph::Dataset data = run::tiny();
  std::vector<int32_t> a, b;
  for (int32_t v = 0; v < data.nodes(); ++v) (v % 2 == 0 ? a : b).push_back(v);
  const Candidates candidates{graph::induced_subgraph(data, a), graph::induced_subgraph(data, b)};
  const auto experiment = run::quick("oneshot");
  const auto members = random_members(candidates.people, candidates_of(candidates.people, std::nullopt), std::nullopt,
                                      Seed::from_number(1));
  const MemberModel model =
      MemberModels(*experiment, candidates, std::ssize(members)).train(members, Seed::from_number(2));
  EXPECT_EQ(model.people.rows(), std::ssize(a));
  EXPECT_EQ(model.public_nodes.rows(), std::ssize(b));
  EXPECT_EQ(std::ssize(model.pool), std::ssize(b) / 2);
  EXPECT_THROW(MemberModels(*experiment, {data, std::nullopt}, 10), Error);
}

}  // namespace
}  // namespace graphveil::attack::member_model_test
