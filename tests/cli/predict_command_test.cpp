// graphveil predict, run as a user would.
#include <sys/stat.h>

#include <fstream>

#include "tests/cli/journey.h"

namespace graphveil::cli::predict_command_test {
namespace {

namespace fs = std::filesystem;

class PredictCommand : public Journey {
 protected:
  Outcome predict(const std::string& data, const std::string& out, const std::string& options = "") {
    return run(folder_, "predict " + folder_.path("run") + " -q --json --data " + data + " --out " + folder_.path(out) +
                            " " + options);
  }
  std::string log() const { return files::read_bytes(folder_.path("run/holder/releases.jsonl")); }
};

TEST_F(PredictCommand, IsFreeAtHomeAndAddsUpElsewhere) {
  const Outcome trained = train("lap", "run", "-e 2 --relation node");
  ASSERT_EQ(trained.exit_code, 0) << trained.error;
  const double training = trained.json()["epsilon"];
  const Outcome home = predict(graph_, "home.csv");
  ASSERT_EQ(home.exit_code, 0) << home.error;
  has_fields(home.json(), {"epsilon_inference", "epsilon_total", "delta", "rows", "out"});
  EXPECT_EQ(home.json()["kind"], "stored");
  EXPECT_EQ(home.json()["epsilon_inference"], 0);
  EXPECT_NEAR(home.json()["epsilon_total"].get<double>(), training, 1e-9);
  EXPECT_EQ(home.json()["rows"], 300);
  EXPECT_EQ(files::read_bytes(folder_.path("home.csv")), files::read_bytes(folder_.path("run/owners/predictions.csv")));

  double total = training;
  for (int i = 0; i < 4; ++i) {
    const std::string other = generated("other" + std::to_string(i), 10 + i), name = "away" + std::to_string(i);
    const std::string before = log();
    const Outcome refused = predict(other, name);
    EXPECT_EQ(refused.exit_code, 3) << refused.out;
    EXPECT_EQ(refused.json()["exit_code"], 3);
    EXPECT_NE(refused.error.find("--total-epsilon"), std::string::npos);
    EXPECT_FALSE(there(name));
    EXPECT_EQ(log(), before);
    const Outcome away = predict(other, name, "--total-epsilon 50");
    ASSERT_EQ(away.exit_code, 0) << away.error;
    EXPECT_EQ(away.json()["kind"], "released");
    EXPECT_EQ(away.json()["audience"], "owner");
    EXPECT_GT(away.json()["epsilon_inference"].get<double>(), 0);
    EXPECT_GT(away.json()["epsilon_total"].get<double>(), total);
    total = away.json()["epsilon_total"];
  }
  const Outcome verified = run(folder_, "verify --json " + folder_.path("run"));
  EXPECT_EQ(verified.exit_code, 0) << verified.out;
  EXPECT_NEAR(verified.json()["epsilon_total"].get<double>(), total, 1e-9);
  EXPECT_NEAR(verified.json()["epsilon"].get<double>(), training, 1e-9);
}

TEST_F(PredictCommand, ACallThatFailsCostsNothing) {
  ASSERT_EQ(train("gap-edp", "run", "-e 2").exit_code, 0);
  const std::string other = generated("other", 2), before = log();
  folder_.write("there.csv", "x");
  const std::string narrow = folder_.write("narrow.npz", files::npz(files::good_arrays()));
  EXPECT_EQ(predict(other, "there.csv", "--total-epsilon 50").exit_code, 2);      // exists
  EXPECT_EQ(predict(other, "no/such/a.csv", "--total-epsilon 50").exit_code, 2);  // unwritable
  EXPECT_EQ(predict(narrow, "a.csv", "--total-epsilon 50").exit_code, 2);         // does not fit the model
  EXPECT_EQ(predict(folder_.path("gone.gvg"), "a.csv", "--total-epsilon 50").exit_code, 2);
  EXPECT_EQ(predict(other, "a.csv", "--total-epsilon 2.1").exit_code, 3);
  EXPECT_EQ(log(), before);
  EXPECT_FALSE(there("a.csv"));
  EXPECT_EQ(files::read_bytes(folder_.path("there.csv")), "x");
  EXPECT_EQ(run(folder_, "predict " + folder_.path("gone") + " --data " + other + " --out x").exit_code, 2);
}

TEST_F(PredictCommand, WhatIsNotForEverybodyIsWrittenForItsOwner) {
  ASSERT_EQ(train("mlp-dp", "run").exit_code, 0);
  ASSERT_EQ(predict(graph_, "owner.csv").exit_code, 0);
  EXPECT_EQ(static_cast<unsigned>(fs::status(folder_.path("owner.csv")).permissions()), 0600u);
}

TEST_F(PredictCommand, RowsOfASeededRunAreNotHandedOut) {
  ASSERT_EQ(train("lap", "run", "--seed 3").exit_code, 0);
  EXPECT_FALSE(there("run/release"));
  const Outcome r =
      run(folder_, "predict " + folder_.path("run") + " -q --data " + graph_ + " --out " + folder_.path("rows.csv"));
  ASSERT_EQ(r.exit_code, 0) << r.error;
  EXPECT_NE(r.out.find("not releasable"), std::string::npos) << r.out;
}

TEST_F(PredictCommand, WithoutAGuaranteeThereIsNoEpsilon) {
  ASSERT_EQ(train("gap-inf", "run").exit_code, 0);
  for (const std::string& data : {graph_, generated("other", 2)}) {
    const Outcome r = predict(data, "p" + std::to_string(data.size()));
    ASSERT_EQ(r.exit_code, 0) << r.error;
    EXPECT_TRUE(r.json()["epsilon_inference"].is_null());
    EXPECT_TRUE(r.json()["epsilon_total"].is_null());
    EXPECT_EQ(r.json()["audience"], "holder");
  }
}

TEST_F(PredictCommand, ADeclarationIsRepeated) {
  ASSERT_EQ(train("gap-edp", "run").exit_code, 0);
  const Outcome r = predict(generated("other", 2), "a.csv", "--disjoint");
  ASSERT_EQ(r.exit_code, 0) << r.error;
  EXPECT_EQ(r.json()["assumptions"].size(), 1u);
}

}  // namespace
}  // namespace graphveil::cli::predict_command_test
