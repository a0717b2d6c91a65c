#include "graphveil/attack/folder_attacks.h"

#include <gtest/gtest.h>

#include "graphveil/artifact/safetensors.h"
#include "graphveil/method/registry.h"
#include "tests/run/small_run.h"

namespace graphveil::attack::folder_attacks_test {
namespace {

class FolderAttacks : public run::SmallRun {
 protected:
  nn::State sums() const {
    const std::string bytes = read(artifact::kHolder, artifact::kSums);
    return artifact::from_safetensors({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, "sums");
  }
};

TEST_F(FolderAttacks, ReleasedSumsLieOnTheGrid) {
  const artifact::Certificate certificate = train_one("lap", {{"epsilon", "2"}});
  const std::vector<OffGrid> found = support_attack(sums(), certificate.plan);
  ASSERT_FALSE(found.empty());
  for (const OffGrid& f : found) {
    EXPECT_GT(f.numbers, 100) << f.name;
    EXPECT_EQ(f.off, 0) << f.name;
  }
  // Noise in floats is found at once.
  nn::State bad = sums();
  Matrix noisy(10, 3);
  RandomStream random(Seed::from_number(1), "float noise");
  for (Real& x : noisy.values()) x = static_cast<Real>(random.gaussian());
  bad["bad"] = nn::to_tensor(noisy);
  for (const OffGrid& f : support_attack(bad, certificate.plan)) {
    if (f.name != "bad") continue;
    EXPECT_GT(f.off, 20);
  }
}

TEST_F(FolderAttacks, EveryMethodKeepsItsSumsAsTheNoiseLetThemOut) {
  int64_t tested = 0;
  for (const std::string& name : method::method_names()) {
    if (method::make_method(name)->relations().empty() || method::make_method(name)->wants_public_graph()) continue;
    std::vector<run::OptionList> all{{}};
    if (name == "lap") all = {{}, {{"rounds", "3"}}, {{"relation", "record"}, {"rounds", "2"}}};
    for (const run::OptionList& options : all) {
      const run::TrainOutcome outcome = run::train_quick(name, options);
      for (const OffGrid& f : support_attack(outcome.trained.output.sums.private_value(), outcome.certificate.plan)) {
        EXPECT_EQ(f.off, 0) << name << " " << f.name;
        tested += f.numbers;
      }
    }
  }
  EXPECT_GT(tested, 10000);
}

TEST_F(FolderAttacks, TwoReleasesWithOneSeedShowWhatChangedAndSecretOnesDoNot) {
  const auto sums_of = [&](const graph::Dataset& data, bool seeded) {
    data_ = data;
    train_one("gap-edp", seeded ? run::OptionList{{"epsilon", "2"}, {"seed", "5"}, {"hops", "1"}}
                                : run::OptionList{{"epsilon", "2"}, {"hops", "1"}});
    return sums();
  };
  const graph::Dataset before = run::tiny();
  graph::Dataset after = before;
  const int32_t u = 3, v = before.graph.out(3).front();
  after.graph = run::without_edge(before.graph, u, v);
  const nn::State first = sums_of(before, true);
  const std::vector<Shared> seeded = difference_attack(first, sums_of(after, true));
  ASSERT_FALSE(seeded.empty());
  EXPECT_TRUE(seeded[0].shares_noise());
  EXPECT_EQ(seeded[0].differing_rows, (std::vector<int64_t>{std::min(u, v), std::max(u, v)}));
  for (const Shared& f : difference_attack(sums_of(before, false), sums_of(after, false))) {
    EXPECT_FALSE(f.shares_noise()) << f.name << ": " << f.equal << " of " << f.numbers;
  }
}

TEST(OwnList, SucceedsWherePredictionsReadTheListAndOnlyThere) {
  const graph::Dataset data = run::tiny();
  Matrix flat(data.nodes(), data.classes), reads(data.nodes(), data.classes);
  for (Real& x : flat.values()) x = 1 / static_cast<Real>(data.classes);
  for (int32_t v = 0; v < data.nodes(); ++v) {
    for (const int32_t u : data.graph.out(v)) {
      reads(v, data.labels[u]) += 1 / static_cast<Real>(data.graph.out_degree(v));
    }
  }
  EXPECT_GT(own_list_attack(data, reads, flat, 2000, Seed::from_number(1)).auc, 0.65);
  EXPECT_EQ(own_list_attack(data, flat, flat, 2000, Seed::from_number(1)).auc, 0.5);
}

TEST(ReadPredictions, TakesTheLastColumnsAndNamesBadRows) {
  const Matrix p = read_predictions("id,prediction,a,b\n\"x,y\",0,0.25,0.75\n7,1,1,0\n", 2, "file");
  EXPECT_EQ(p.rows(), 2);
  EXPECT_EQ(p(0, 1), 0.75F);
  EXPECT_THROW(read_predictions("id,prediction,a,b\n1,0,0.5\n", 4, "file"), Error);
  EXPECT_THROW(read_predictions("id,prediction,a,b\n1,0,0.5,much\n", 2, "file"), Error);
}

}  // namespace
}  // namespace graphveil::attack::folder_attacks_test
