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
  EXPECT_NO_THROW(check_same_data(*again.journal, *again.experiment, input));
  EXPECT_THROW(check_same_data(*again.journal, *again.experiment, {tiny(2), std::nullopt}), Error);
  EXPECT_THROW(check_same_data(*again.journal, *again.experiment, {data_, tiny(2)}), Error);
}

TEST_F(Resume, NeitherTheSplitNorAPublicFileMayChange) {
  graph::Dataset split = data_;
  split.split = graph::Split{{0, 1, 2, 3}, {4}, {5, 6}};
  const auto experiment = quick("mlp-dp");
  {
    const auto journal = new_journal(folder_, *experiment, {}, {split, std::nullopt});
    journal->begin("training", "plan");
  }
  const Resumed again = resume(folder_);
  EXPECT_NO_THROW(check_same_data(*again.journal, *experiment, {split, std::nullopt}));
  split.split = graph::Split{{0, 1, 2, 7}, {4}, {5, 6}};  // one record for another
  EXPECT_THROW(check_same_data(*again.journal, *experiment, {split, std::nullopt}), Error);
  EXPECT_THROW(check_same_data(*again.journal, *experiment, {data_, std::nullopt}), Error);
  const std::string file = folder_ + ".arrays";
  std::ofstream(file) << "one";
  const auto prompts = quick("dp-gpl", {{"backbone", file}});
  ASSERT_EQ(prompts->method().public_file(), file);
  std::filesystem::remove(artifact::Journal::path_of(folder_));
  {
    const auto journal = new_journal(folder_, *prompts, {}, {data_, std::nullopt});
    journal->begin("training", "plan");
  }
  const Resumed other = resume(folder_);
  EXPECT_NO_THROW(check_same_data(*other.journal, *prompts, {data_, std::nullopt}));
  std::ofstream(file) << "two";
  EXPECT_THROW(check_same_data(*other.journal, *prompts, {data_, std::nullopt}), Error);
  std::filesystem::remove(file);
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

TEST_F(Resume, ASealedJournalWantsItsKey) {
  const artifact::SealKey key(std::array<uint8_t, 32>{1, 2, 3}), other(std::array<uint8_t, 32>{3, 2, 1});
  Seed seed;
  {
    const auto journal = new_journal(folder_, *quick("mlp-dp"), {}, {data_, std::nullopt}, key);
    seed = journal->seed();
    journal->begin("training", "plan");
  }
  std::ifstream in(artifact::Journal::path_of(folder_));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text.find(artifact::to_hex(seed.bytes())), std::string::npos);
  EXPECT_THROW(resume(folder_), Error);
  EXPECT_THROW(resume(folder_, other), Error);
  EXPECT_EQ(resume(folder_, key).journal->seed().bytes(), seed.bytes());
}

TEST_F(Resume, AKeyFileHasAtLeastSixteenBytes) {
  const std::string path = folder_ + ".key";
  std::ofstream(path) << "short";
  EXPECT_THROW(read_seal_key(path), Error);
  std::ofstream(path) << "long enough for a key";
  EXPECT_EQ(read_seal_key(path), artifact::key_from_hex(sha256_text("long enough for a key"), ""));
  EXPECT_THROW(read_seal_key(path + ".gone"), Error);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace graphveil::run::resume_test
