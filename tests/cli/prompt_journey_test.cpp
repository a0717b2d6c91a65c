// From a public graph to a backbone, to a student of private prompts, to its certificate: as a user would.
#include <filesystem>
#include <fstream>

#include "tests/cli/journey.h"

namespace graphveil::cli::prompt_journey_test {
namespace {

namespace fs = std::filesystem;

class PromptJourney : public Journey {
 protected:
  Outcome train_gpl(const std::string& method, const std::string& name, const std::string& options) {
    return run(folder_,
               "train " + method + " --data " + graph_ + " -q --json --private-nodes 150 --public-nodes 120 " +
                   "--public-test 40 --epochs 5 --teachers 10 --svd 8 --hidden-dim 8 --backbone-epochs 5 --out " +
                   folder_.path(name) + " " + options);
  }
};

TEST_F(PromptJourney, ABackboneFromAFileServesPrivatePrompts) {
  const std::string backbone = folder_.path("backbone.safetensors"), other = generated("other", 2);
  const Outcome made =
      run(folder_, "pretrain --data " + other + " --svd 8 --hidden-dim 8 --epochs 5 -q --out " + backbone);
  ASSERT_EQ(made.exit_code, 0) << made.error;
  const Outcome trained = train_gpl("dp-gpl", "run", "-e 2 --backbone " + backbone);
  ASSERT_EQ(trained.exit_code, 0) << trained.error;
  EXPECT_EQ(trained.json()["relation"], "node");
  EXPECT_EQ(trained.json()["valid"], true);
  EXPECT_LE(trained.json()["epsilon"].get<double>(), 2);
  EXPECT_EQ(run(folder_, "verify --json " + folder_.path("run")).json()["valid"], true);
  EXPECT_EQ(run(folder_, "predict " + folder_.path("run") + " --data " + other + " -q --out " + folder_.path("p.csv"))
                .exit_code,
            0);
  // What reads the votes stays with the holder.
  EXPECT_NE(files::read_bytes(folder_.path("run/holder/metrics.jsonl")).find("data-dependent"), std::string::npos);
  for (const auto& entry : fs::directory_iterator(folder_.path("run/release"))) {
    EXPECT_EQ(files::read_bytes(entry.path().string()).find("data-dependent"), std::string::npos) << entry.path();
  }

  std::ofstream(backbone) << "no arrays";
  const Outcome broken = train_gpl("dp-gpl", "broken", "--backbone " + backbone);
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_NE(broken.error.find("backbone.safetensors"), std::string::npos) << broken.error;
  const Outcome model = train_gpl("dp-gpl", "model", "--backbone " + folder_.path("run/release/model.safetensors"));
  EXPECT_EQ(model.exit_code, 2);
  EXPECT_NE(model.error.find("is not a backbone"), std::string::npos) << model.error;
  EXPECT_FALSE(there("broken"));
  EXPECT_FALSE(there("model"));
}

TEST_F(PromptJourney, ABackboneFromAFileCanBeAttackedAndAudited) {
  const std::string backbone = folder_.path("backbone.safetensors");
  const Outcome made = run(
      folder_, "pretrain --data " + generated("other", 2) + " --svd 8 --hidden-dim 8 --epochs 3 -q --out " + backbone);
  ASSERT_EQ(made.exit_code, 0) << made.error;
  const std::string few =
      " -q --json -e 2 --epochs 2 --teachers 4 --seed 1 --svd 8 --hidden-dim 8 --backbone-epochs 3 --backbone " +
      backbone;
  const Outcome audited = run(folder_, "audit dp-gpl --train --models 24" + few);
  ASSERT_EQ(audited.exit_code, 0) << audited.error;
  EXPECT_EQ(audited.json()["level"], "training");
  EXPECT_LE(audited.json()["epsilon_low"].get<double>(), audited.json()["epsilon_claimed"].get<double>());
  const Outcome attacked = run(folder_, "attack lira dp-gpl --models 8 --data " + graph_ + few);
  ASSERT_EQ(attacked.exit_code, 0) << attacked.error;
  EXPECT_EQ(attacked.json()["attack"], "lira");
  std::ofstream(backbone) << "no arrays";
  for (const std::string& command :
       {std::string("audit dp-gpl --train --models 24"), "attack lira dp-gpl --models 8 --data " + graph_}) {
    const Outcome broken = run(folder_, command + few);
    EXPECT_EQ(broken.exit_code, 2) << broken.error;
    EXPECT_NE(broken.error.find("backbone.safetensors"), std::string::npos) << broken.error;
  }
}

TEST_F(PromptJourney, EveryDegreeClassHasItsStatement) {
  const Outcome trained = train_gpl("dp-gpl-w", "run", "-e 4 --degree-cuts 2,5");
  ASSERT_EQ(trained.exit_code, 0) << trained.error;
  EXPECT_EQ(trained.json()["relation"], "record");
  double least = 4;
  int classes = 0;
  const nlohmann::json json = trained.json();
  for (const auto& statement : json["statements"]) {
    if (!statement["what"].get<std::string>().starts_with("parameters, records")) continue;
    ++classes;
    least = std::min(least, statement["epsilon"].get<double>());
  }
  EXPECT_EQ(classes, 3);
  EXPECT_LT(least, 3.5);  // the others weigh less
  EXPECT_EQ(run(folder_, "verify --json " + folder_.path("run")).json()["valid"], true);
  EXPECT_EQ(train_gpl("dp-gpl-w", "node", "--relation node").exit_code, 2);
  const Outcome cuts = train_gpl("dp-gpl-w", "cuts", "--degree-cuts 5,2");
  EXPECT_EQ(cuts.exit_code, 2);
  EXPECT_NE(cuts.error.find("--degree-cuts is '5,2'"), std::string::npos) << cuts.error;
}

// Prompts of one record each know one class: they never all agree.
TEST_F(PromptJourney, SaysThatNoQueryWillBeAnsweredAndThatNoneWas) {
  const Outcome trained =
      run(folder_,
          "train dp-gpl --data " + graph_ + " --private-nodes 150 --public-nodes 120 --public-test 40 --epochs 5 " +
              "--svd 8 --hidden-dim 8 --backbone-epochs 5 --preset paper --accounting published --check-sigma 0.1 " +
              "--vote-sigma 20 -d 1.5e-4 --teachers 10 --shots 1 --threshold 1");
  ASSERT_EQ(trained.exit_code, 0) << trained.error;
  EXPECT_NE(trained.error.find("few queries or none will be answered"), std::string::npos) << trained.error;
  EXPECT_NE(trained.out.find("answers        0 of 50 queries: the student had nothing to learn from"),
            std::string::npos)
      << trained.out;
}

TEST_F(PromptJourney, ThePapersNoiseIsNeverValid) {
  const Outcome trained =
      train_gpl("dp-gpl", "run", "--preset paper --accounting published --check-sigma 1 --vote-sigma 20 -d 1.5e-4");
  ASSERT_EQ(trained.exit_code, 0) << trained.error;
  EXPECT_EQ(trained.json()["valid"], false);
  EXPECT_NEAR(trained.json()["epsilon"].get<double>(), 49.95, 0.01);  // 50 checks and answers
  EXPECT_FALSE(there("run/release"));
}

}  // namespace
}  // namespace graphveil::cli::prompt_journey_test
