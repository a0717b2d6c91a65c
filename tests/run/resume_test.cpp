#include "graphveil/run/resume.h"

#include <filesystem>

#include "tests/run/small_run.h"

namespace graphveil::run::resume_test {
namespace {

class Resume : public SmallRun {};

TEST_F(Resume, ARunComesBackWithItsOptionsAndInputs) {
  const auto experiment = quick("privgnn", {{"queries", "5"}, {"seed", "3"}, {"epsilon", "2"}});
  const InputData input{data_, std::nullopt};
  const RunInputs inputs{.graphs = {.data = "here.gvg", .private_graph = "", .public_graph = "", .target = "gender"},
                         .signing_key = "key.pem"};
  Seed seed;
  {
    const auto journal = new_journal(folder_, *experiment, inputs, input);
    ASSERT_NE(journal, nullptr);
    seed = journal->seed();
    journal->begin("training", "plan");
  }
  const Resumed again = resume(folder_);
  EXPECT_EQ(again.experiment->values(), experiment->values());
  EXPECT_EQ(again.journal->seed().bytes(), seed.bytes());
  // The run may go on elsewhere.
  EXPECT_EQ(again.inputs.graphs.data, std::filesystem::absolute("here.gvg").string());
  EXPECT_EQ(again.inputs.signing_key, std::filesystem::absolute("key.pem").string());
  EXPECT_EQ(again.inputs.graphs.private_graph, "");
  EXPECT_EQ(again.inputs.graphs.target, "gender");
  EXPECT_NO_THROW(check_same_data(*again.journal, input));
  EXPECT_THROW(check_same_data(*again.journal, {tiny(2), std::nullopt}), Error);
  EXPECT_THROW(check_same_data(*again.journal, {data_, tiny(2)}), Error);
}

TEST_F(Resume, WhatIsDoneOrNeverBegunCannotGoOn) {
  EXPECT_THROW(resume(folder_), Error);
  {
    const auto experiment = quick("privgnn", {{"queries", "5"}});
    new_journal(folder_, *experiment, {}, {data_, std::nullopt})->begin("training", "plan");
  }
  std::filesystem::create_directory(folder_);
  EXPECT_THROW(resume(folder_), Error);
  EXPECT_FALSE(std::filesystem::exists(artifact::Journal::path_of(folder_)));
}

TEST_F(Resume, OthersHaveNoJournal) {
  EXPECT_EQ(new_journal(folder_, *quick("mlp-dp"), {}, {data_, std::nullopt}), nullptr);
}

}  // namespace
}  // namespace graphveil::run::resume_test
