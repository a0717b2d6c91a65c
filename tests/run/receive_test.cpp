#include "graphveil/run/receive.h"

#include "graphveil/run/verify.h"
#include "tests/run/small_run.h"

namespace graphveil::run::receive_test {
namespace {

namespace fs = std::filesystem;

// What somebody gets who is sent release/ and nothing else.
class Receive : public SmallRun {
 protected:
  std::string received() {
    const fs::path to = place_ / "sent";
    fs::remove_all(to);
    fs::copy(fs::path(folder_) / artifact::kRelease, to, fs::copy_options::recursive);
    return to.string();
  }
};

TEST_F(Receive, AModelThatReadsNoSumsPredictsForNothing) {
  for (const char* name : {"mlp-dp", "oneshot", "privgnn", "pate-m", "dp-gpl", "prompt-dpsgd", "mlp"}) {
    train_one(name);
    const std::string sent = received();
    EXPECT_TRUE(is_release_alone(sent));
    EXPECT_FALSE(is_release_alone(folder_));
    const graph::Dataset mine = tiny(5);
    const Prediction p = predict(sent, mine, {});
    EXPECT_EQ(p.kind, PredictionKind::Received) << name;
    EXPECT_EQ(p.rows, mine.nodes());
    EXPECT_EQ(p.epsilon, 0);
    EXPECT_FALSE(fs::exists(fs::path(sent) / artifact::kHolder));
    EXPECT_TRUE(verify_path(sent).holds()) << "nothing was written beside it";
    fs::remove_all(folder_);
  }
}

// Row by row what the holder of the run gets.
TEST_F(Receive, TheReceiverGetsWhatTheHolderGets) {
  train_one("mlp-dp");
  const graph::Dataset mine = tiny(5);
  EXPECT_EQ(predict(received(), mine, {}).csv, predict(folder_, mine, {}).csv);
}

TEST_F(Receive, WhereNoiseIsDrawnItSaysWhoCan) {
  train_one("gap-ndp");
  try {
    predict(received(), tiny(5), {});
    FAIL() << "predicted without the run's log";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_NE(std::string(error.what()).find("whoever holds the whole run folder"), std::string::npos);
  }
}

TEST_F(Receive, PublishedPredictionsAreGivenForTheirIds) {
  train_one("gap-edp");
  const std::string sent = received();
  const Prediction p = predict(sent, tiny(), {});
  EXPECT_EQ(p.kind, PredictionKind::Stored);
  EXPECT_EQ(p.audience, mechanism::Audience::Public);
  EXPECT_EQ(p.csv, read(artifact::kRelease, artifact::kPredictions));
  graph::Dataset fewer = tiny();
  std::vector<std::string> names;
  for (int64_t v = 0; v < fewer.nodes(); ++v) names.push_back("person" + std::to_string(v));
  fewer.ids = graph::Names(std::span<const std::string>(names));
  EXPECT_THROW(predict(sent, fewer, {}), Error) << "other people";
}

TEST_F(Receive, WhatIsForTheHolderIsRefused) {
  train_one("mlp-dp");
  EXPECT_THROW(predict(received(), tiny(5), {.total_epsilon = 5}), Error);
  EXPECT_THROW(predict(received(), tiny(5), {.total_epsilon = std::nullopt, .disjoint = true}), Error);
}

}  // namespace
}  // namespace graphveil::run::receive_test
