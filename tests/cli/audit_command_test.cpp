// graphveil audit and graphveil attack, run as a user would.
#include <fstream>

#include <nlohmann/json.hpp>

#include <cmath>

#include "tests/cli/journey.h"

namespace graphveil::cli::audit_command_test {
namespace {

class AuditCommand : public Journey {};

TEST_F(AuditCommand, AMethodStandsAndAPaperFalls) {
  const Outcome good = run(folder_, "audit gap-edp -e 2 -s 1 --draws 1e6 --json -q --out " + folder_.path("a.json"));
  EXPECT_EQ(good.exit_code, 0) << good.error;
  has_fields(good.json(), {"epsilon_claimed", "epsilon_low", "confidence", "refuted", "delta", "rows"});
  EXPECT_EQ(good.json()["refuted"], false);
  EXPECT_LE(good.json()["epsilon_low"].get<double>(), good.json()["epsilon_claimed"].get<double>());
  EXPECT_TRUE(there("a.json"));

  const Outcome bad = run(folder_,
                          "audit privgnn -e 4 -d 1e-3 -s 1 --accounting published --noise laplace --queries 4 "
                          "--sampling-rate 0.3 --draws 4e6 --json -q");
  EXPECT_EQ(bad.exit_code, 1) << bad.error;
  EXPECT_EQ(bad.json()["refuted"], true);
  EXPECT_GT(bad.json()["epsilon_low"].get<double>(), bad.json()["epsilon_claimed"].get<double>());
}

TEST_F(AuditCommand, TrainingsWithEveryKindOfCanary) {
  const Outcome found = run(folder_,
                            "audit lap --relation record --train --canary all --degrees 2 --models 30 --steps 2 "
                            "-s 1 --json -q");
  EXPECT_EQ(found.exit_code, 0) << found.error;
  ASSERT_EQ(found.json()["rows"].size(), 3);
  EXPECT_TRUE(found.json()["rows"][2]["epsilon_claimed"].is_null());  // record does not speak of a node's edges
  EXPECT_FALSE(found.json()["rows"][1]["epsilon_claimed"].is_null());
}

TEST_F(AuditCommand, WhatCannotBeIsSaidInOneLine) {
  EXPECT_EQ(run(folder_, "audit gap-inf -q").exit_code, 2);
  EXPECT_EQ(run(folder_, "audit gap-edp --confidence 1.5 -q").exit_code, 2);
  EXPECT_EQ(run(folder_, "audit nonsense").exit_code, 2);
  EXPECT_EQ(run(folder_, "audit claims -e -1").exit_code, 2);
  std::ofstream(folder_.path("there")) << "x";
  EXPECT_EQ(run(folder_, "audit gap-edp -q --out " + folder_.path("there")).exit_code, 2);
}

TEST_F(AuditCommand, AttacksOnMethods) {
  const Outcome members = run(folder_, "attack membership mlp --epochs 20 -r 1 -s 1 --json -q --data " + graph_ +
                                           " --out " + folder_.path("roc.json"));
  EXPECT_EQ(members.exit_code, 0) << members.error;
  EXPECT_TRUE(members.json()["members"]["auc"].contains("mean"));
  std::ifstream in(folder_.path("roc.json"));
  const nlohmann::json file = nlohmann::json::parse(in);
  EXPECT_GT(file["members"]["roc"][0]["fpr"].size(), 2);
  // Beside the AUC of a method with a guarantee stands what the guarantee allows.
  const Outcome bounded = run(folder_, "attack membership mlp-dp --steps 3 -r 1 -s 1 -e 1 -d 1e-3 --json -q --data " +
                                           graph_ + " --out " + folder_.path("bounded.json"));
  ASSERT_EQ(bounded.exit_code, 0) << bounded.error;
  const auto bounds = nlohmann::json::parse(files::read_bytes(folder_.path("bounded.json")));
  EXPECT_EQ(bounds["relation"], "node");
  EXPECT_EQ(bounds["delta"], 1e-3);
  EXPECT_NEAR(bounds["allowed"]["largest_auc"].get<double>(), 0.7316, 1e-4);  // by hand
  EXPECT_NEAR(bounds["allowed"]["largest_tpr_at_1_percent_fpr"].get<double>(), 0.01 * std::exp(1.0) + 1e-3, 1e-9);
  EXPECT_GT(bounds["members"]["roc"][0]["fpr"].size(), 5u);
  EXPECT_TRUE(bounded.json().contains("allowed"));
  EXPECT_FALSE(members.json().contains("allowed"));
  EXPECT_EQ(run(folder_, "attack lira mlp --epochs 3 --models 8 -s 1 --json -q --data " + graph_).exit_code, 0);
  EXPECT_EQ(run(folder_,
                "attack links gap-edp --epochs 3 --encoder-epochs 3 -r 1 --pairs 50 --probes 4 -s 1 --json -q "
                "--data " +
                    graph_)
                .exit_code,
            0);
  EXPECT_EQ(run(folder_, "attack timing lap --steps 2 -r 2 --json -q --data " + graph_).exit_code, 0);
}

TEST_F(AuditCommand, AttacksOnFolders) {
  ASSERT_EQ(train("lap", "record", "--relation record -e 4").exit_code, 0);
  ASSERT_EQ(train("lap", "seeded", "-e 4 -s 3").exit_code, 0);
  ASSERT_EQ(train("lap", "again", "-e 4 -s 3").exit_code, 0);
  const Outcome forged = run(folder_, "attack forge --json " + folder_.path("record"));
  EXPECT_EQ(forged.exit_code, 0) << forged.out << forged.error;
  EXPECT_EQ(forged.json()["passed"], 0);
  EXPECT_EQ(run(folder_, "attack support " + folder_.path("record")).exit_code, 0);
  EXPECT_EQ(run(folder_, "attack differences " + folder_.path("record") + " " + folder_.path("seeded")).exit_code, 0);
  EXPECT_EQ(run(folder_, "attack differences " + folder_.path("seeded") + " " + folder_.path("again")).exit_code, 1);
  const Outcome lists = run(folder_, "attack own-list --json " + folder_.path("record") + " --data " + graph_);
  EXPECT_EQ(lists.exit_code, 0) << lists.error;
  EXPECT_TRUE(lists.json()["release"].is_null());
  EXPECT_GT(lists.json()["owners"]["auc"].get<double>(), 0.6);
  EXPECT_EQ(run(folder_, "attack forge " + folder_.path("nowhere")).exit_code, 2);
}

}  // namespace
}  // namespace graphveil::cli::audit_command_test
