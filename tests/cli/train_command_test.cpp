// graphveil methods, train and verify: the whole journey, run as a user would.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace graphveil::cli {
namespace {

class Journey : public testing::Test {
 protected:
  Journey() : graph_(folder_.path("tiny.gvg")) {
    const Outcome made = run(folder_, "data generate " + graph_ + " --preset tiny --seed 1 -q");
    EXPECT_EQ(made.exit_code, 0) << made.error;
  }
  TemporaryFolder folder_;
  std::string graph_;
};

TEST_F(Journey, MethodsAreListed) {
  const auto json = nlohmann::json::parse(run(folder_, "methods --json").out);
  EXPECT_GE(json["methods"].size(), 8u);
  const Outcome text = run(folder_, "methods");
  EXPECT_NE(text.out.find("gap-edp"), std::string::npos);
}

TEST_F(Journey, TrainVerifyAndTamper) {
  const std::string out = folder_.path("run");
  const Outcome trained =
      run(folder_, "train gap-edp --data " + graph_ + " -e 2 --epochs 5 --encoder_epochs 5 --out " + out + " --json");
  ASSERT_EQ(trained.exit_code, 0) << trained.error;
  const auto json = nlohmann::json::parse(trained.out);
  for (const char* name : {"method", "relation", "accounting", "covers", "epsilon", "delta", "valid", "noise",
                           "test_accuracy", "seconds", "peak_memory_mb", "out"}) {
    EXPECT_TRUE(json.contains(name)) << name;
  }
  EXPECT_EQ(json["relation"], "undirected-edge");
  EXPECT_TRUE(json["valid"].get<bool>());
  EXPECT_LE(json["epsilon"].get<double>(), 2);
  for (const char* name : {"mean", "std", "ci95", "values"}) EXPECT_TRUE(json["test_accuracy"].contains(name)) << name;

  const Outcome good = run(folder_, "verify " + out + " --json");
  EXPECT_EQ(good.exit_code, 0) << good.out;
  const auto verdict = nlohmann::json::parse(good.out);
  for (const char* name : {"valid", "epsilon", "delta", "relation", "reasons"}) EXPECT_TRUE(verdict.contains(name));

  std::string certificate = files::read_bytes(out + "/certificate.json");
  const size_t at = certificate.find("\"count\": 2");
  ASSERT_NE(at, std::string::npos);
  certificate.replace(at, 10, "\"count\": 1");
  std::ofstream(out + "/certificate.json") << certificate;
  EXPECT_EQ(run(folder_, "verify " + out).exit_code, 1);
}

TEST_F(Journey, PredictIsFreeAtHomeAndChargedElsewhere) {
  const std::string out = folder_.path("run"), other = folder_.path("other.gvg");
  ASSERT_EQ(run(folder_, "data generate " + other + " --preset tiny --seed 2 -q").exit_code, 0);
  ASSERT_EQ(run(folder_, "train lap --data " + graph_ + " -e 2 --relation node --steps 5 --out " + out).exit_code, 0);
  const std::string predict = "predict " + out + " --json --data ";

  const Outcome home = run(folder_, predict + graph_ + " --out " + folder_.path("home.csv"));
  ASSERT_EQ(home.exit_code, 0) << home.error;
  EXPECT_EQ(nlohmann::json::parse(home.out)["kind"], "stored");
  EXPECT_EQ(files::read_bytes(folder_.path("home.csv")), files::read_bytes(out + "/predictions.csv"));

  const Outcome away = run(folder_, predict + other + " --out " + folder_.path("away.csv"));
  ASSERT_EQ(away.exit_code, 0) << away.error;
  const auto json = nlohmann::json::parse(away.out);
  EXPECT_EQ(json["kind"], "released");
  EXPECT_GT(json["epsilon"].get<double>(), 0);
  EXPECT_LT(json["epsilon"].get<double>(), 2);  // the sums' share
  int exit_code = 0;
  for (int i = 0; i < 20 && exit_code == 0; ++i) {
    exit_code = run(folder_, predict + other + " --out " + folder_.path("again" + std::to_string(i))).exit_code;
  }
  EXPECT_EQ(exit_code, 3);  // until the budget is spent
  EXPECT_EQ(run(folder_, predict + other + " --out " + folder_.path("home.csv")).exit_code, 2);  // exists
  EXPECT_EQ(run(folder_, "predict " + folder_.path("gone") + " --data " + other + " --out x").exit_code, 2);
  EXPECT_EQ(run(folder_, "verify " + out).exit_code, 0);
}

TEST_F(Journey, AutoChoosesAndSaysWhy) {
  const std::string out = folder_.path("run");
  const Outcome r = run(folder_, "train auto --data " + graph_ + " -e 2 --mean-degree 60 --json --out " + out);
  ASSERT_EQ(r.exit_code, 0) << r.error;
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_EQ(json["method"], "lap");
  EXPECT_EQ(json["options"]["share"], "0.7");
  EXPECT_FALSE(json["why"].get<std::string>().empty());
  EXPECT_EQ(run(folder_, "verify " + out).exit_code, 0);
  EXPECT_NE(files::read_bytes(out + "/config.toml").find("share = 0.7"), std::string::npos);
  const Outcome parameters = run(folder_, "train auto --data " + graph_ + " -e 2 --coverage parameters --json");
  ASSERT_EQ(parameters.exit_code, 0) << parameters.error;
  EXPECT_EQ(nlohmann::json::parse(parameters.out)["covers"], "parameters");
}

TEST_F(Journey, PublishedAccountingIsNeverValid) {
  const std::string out = folder_.path("run");
  const Outcome trained =
      run(folder_, "train gap-edp --data " + graph_ +
                       " -e 2 --epochs 2 --encoder-epochs 2 --accounting published --json --out " + out);
  ASSERT_EQ(trained.exit_code, 0) << trained.error;
  const auto json = nlohmann::json::parse(trained.out);
  EXPECT_FALSE(json["valid"].get<bool>());
  EXPECT_EQ(json["published_epsilon"], 2);
  EXPECT_GT(json["epsilon"].get<double>(), 2);
  EXPECT_EQ(run(folder_, "verify " + out).exit_code, 1);
}

TEST_F(Journey, ConfigFileIsBetweenDefaultsAndCommandLine) {
  const std::string config = folder_.write("c.toml", "epochs = 2\nencoder_epochs = 2\nhops = 3\nseed = 7\n");
  const std::string base = "train gap-edp --data " + graph_ + " --config " + config + " --json --out ";
  ASSERT_EQ(run(folder_, base + folder_.path("a")).exit_code, 0);
  ASSERT_EQ(run(folder_, base + folder_.path("b") + " --hops 1").exit_code, 0);
  EXPECT_NE(files::read_bytes(folder_.path("a") + "/config.toml").find("hops = 3"), std::string::npos);
  EXPECT_NE(files::read_bytes(folder_.path("b") + "/config.toml").find("hops = 1"), std::string::npos);
  // A run's own config file repeats it: same seed, same model.
  const std::string again = "train gap-edp --data " + graph_ + " --config " + folder_.path("a") + "/config.toml --out ";
  ASSERT_EQ(run(folder_, again + folder_.path("c")).exit_code, 0);
  EXPECT_EQ(files::read_bytes(folder_.path("a") + "/model.safetensors"),
            files::read_bytes(folder_.path("c") + "/model.safetensors"));
}

TEST_F(Journey, BadUsageIsExitCodeTwoAndLeavesNoFolder) {
  const std::string out = folder_.path("never");
  const std::string data = " --data " + graph_ + " --out " + out;
  for (const std::string& call :
       {"train" + data, "train nothing" + data, "train gap-edp --out " + out, "train gap-edp --epsilon 0" + data,
        "train gap-edp --epsilon nan" + data, "train gap-edp --hops 0" + data, "train gap-edp --relation node" + data,
        "train gap-edp --split 90/20/10" + data, "train gap-edp --bogus 1" + data, "train gap-edp --preset none" + data,
        "train gap-edp --data " + folder_.path("gone.gvg") + " --out " + out,
        "train gap-edp --config " + folder_.write("bad.toml", "hopps = 3\n") + data,
        "train gap-ndp --noise-split 1:2" + data, "verify " + folder_.path("gone")}) {
    const Outcome r = run(folder_, call);
    EXPECT_EQ(r.exit_code, 2) << call << "\n" << r.out << r.error;
    EXPECT_FALSE(r.error.empty()) << call;
    EXPECT_FALSE(std::filesystem::exists(out)) << call;
  }
}

TEST_F(Journey, APublicGraphBesideAPrivateOne) {
  const std::string other = folder_.path("other.gvg"), out = folder_.path("shot"), csv = out + "/predictions.csv";
  ASSERT_EQ(run(folder_, "data generate " + other + " --preset tiny --nodes 120 --seed 2 -q").exit_code, 0);
  const std::string train = "train oneshot --epochs 5 -s 1 --json ";
  const std::string split = "--private-nodes 100 --public-nodes 120 --public-test 50 ";
  const Outcome one = run(folder_, train + "--data " + graph_ + " " + split + "--out " + out);
  ASSERT_EQ(one.exit_code, 0) << one.error;
  EXPECT_EQ(nlohmann::json::parse(one.out)["relation"], "node");
  EXPECT_EQ(run(folder_, "verify " + out).exit_code, 0);
  // Predictions name nodes of the graph that was split.
  const std::string predictions = files::read_bytes(csv);
  EXPECT_EQ(std::count(predictions.begin(), predictions.end(), '\n'), 121);
  // The run's own config file repeats it.
  const std::string again = folder_.path("again");
  ASSERT_EQ(
      run(folder_, "train oneshot --data " + graph_ + " --config " + out + "/config.toml --out " + again).exit_code, 0);
  EXPECT_EQ(predictions, files::read_bytes(again + "/predictions.csv"));

  const Outcome two = run(folder_, train + "--private " + graph_ + " --public " + other);
  ASSERT_EQ(two.exit_code, 0) << two.error;
  EXPECT_TRUE(nlohmann::json::parse(two.out)["test_accuracy"].is_null());
  EXPECT_EQ(run(folder_, "calibrate oneshot -e 1 -d 1e-4").exit_code, 0);

  for (const std::string& call : {std::string(), "--data " + graph_, "--private " + graph_, "--public " + graph_,
                                  "--private " + graph_ + " --public " + graph_,
                                  "--data " + graph_ + " --private " + graph_ + " --public " + other,
                                  "--private " + graph_ + " --public " + other + " --private-nodes 10",
                                  "--data " + graph_ + " --private-nodes 100 --public-nodes 100 --public-test 100",
                                  "--data " + graph_ + " --private-nodes 100000 --public-nodes 100 --public-test 10"}) {
    const Outcome r = run(folder_, train + call);
    EXPECT_EQ(r.exit_code, 2) << call << r.out;
    EXPECT_NE(r.error.find("p"), std::string::npos) << call;
  }
  EXPECT_NE(run(folder_, "train gap-edp --data " + graph_ + " --private-nodes 5").exit_code, 0);
}

TEST_F(Journey, HelpShowsEveryOptionWithItsDefault) {
  const Outcome r = run(folder_, "train gap-ndp --help");
  EXPECT_EQ(r.exit_code, 0);
  for (const char* option :
       {"--epsilon",        "--delta",       "--hops",        "--max-degree", "--max-grad-norm",  "--hidden-dim",
        "--encoder-layers", "--base-layers", "--head-layers", "--epochs",     "--encoder-epochs", "--batch-size",
        "--learning-rate",  "--lr",          "--activation",  "--preset",     "--repeats",        "--seed",
        "--relation",       "--accounting",  "--split",       "--threads",    "--config"}) {
    EXPECT_NE(r.out.find(option), std::string::npos) << option;
  }
}

}  // namespace
}  // namespace graphveil::cli
