// graphveil methods and train, run as a user would.
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "graphveil/kernels/cpu.h"

#include "tests/cli/journey.h"

namespace graphveil::cli::train_command_test {
namespace {

namespace fs = std::filesystem;

TEST_F(Journey, MethodsAreListed) {
  const auto json = run(folder_, "methods --json").json();
  ASSERT_TRUE(json.is_object());
  EXPECT_GE(json["methods"].size(), 8u);
  const std::set<std::string> on_public_nodes{"oneshot", "privgnn",  "pate-m",      "pate-g",
                                              "dp-gpl",  "dp-gpl-w", "prompt-dpsgd"};
  for (const auto& method : json["methods"]) {
    has_fields(method, {"name", "level", "releases", "predictions", "relations", "paper"});
    for (const auto& [relation, audience] : method["predictions"].items()) {
      if ((relation == "node" || relation == "record") && !on_public_nodes.contains(method["name"])) {
        EXPECT_NE(audience, "public") << method;
      }
    }
  }
  EXPECT_NE(run(folder_, "methods").out.find("gap-edp"), std::string::npos);
}

TEST_F(Journey, TrainPrintsWhatTheInterfaceNames) {
  const Outcome trained = train("gap-edp", "run", "-e 2 --encoder_layers 1");
  ASSERT_EQ(trained.exit_code, 0) << trained.error;
  const auto json = trained.json();
  has_fields(json, {"method", "relation", "protect_degree", "accounting", "epsilon", "delta", "valid", "releasable",
                    "statements", "noise", "test_accuracy", "seconds", "peak_memory_mb", "out"});
  EXPECT_EQ(json["relation"], "undirected-edge");
  EXPECT_EQ(json["valid"], true);
  EXPECT_EQ(json["releasable"], true);
  EXPECT_LE(json["epsilon"].get<double>(), 2);
  EXPECT_DOUBLE_EQ(json["delta"].get<double>(), 1e-5);  // 300 nodes at edge level: three digits and two more
  ASSERT_FALSE(json["statements"].empty());
  has_fields(json["statements"][0], {"audience", "relation", "degree", "epsilon", "delta"});
  has_fields(json["test_accuracy"], {"mean", "std", "ci95", "values"});
  has_fields(json["seconds"], {"load", "calibrate", "train", "certify", "total"});
  EXPECT_EQ(json["out"], folder_.path("run"));
  EXPECT_GT(json["noise"]["aggregation"].get<double>(), 0);
}

TEST_F(Journey, ASearchIsFreeAtEdgeLevelAndChargedAtNodeLevel) {
  const auto plain = train("gap-edp", "plain", "-e 2").json();
  const Outcome edge = train("gap-edp", "edge", "-e 2 --tune 4"), node = train("mlp-dp", "node", "-e 2 --tune 4");
  ASSERT_EQ(edge.exit_code, 0) << edge.error;
  ASSERT_EQ(node.exit_code, 0) << node.error;
  EXPECT_EQ(edge.json()["noise"], plain["noise"]);
  has_fields(edge.json()["tuned"], {"last-learning-rate", "last-weight-decay", "last-epochs", "head-layers"});
  has_fields(node.json()["tuned"], {"learning-rate", "max-grad-norm"});
  EXPECT_GT(node.json()["noise"]["training"], train("mlp-dp", "alone", "-e 2").json()["noise"]["training"]);
  EXPECT_TRUE(node.json()["noise"].contains("score"));
  for (const char* name : {"edge", "node"}) {
    EXPECT_EQ(run(folder_, "verify " + folder_.path(name)).exit_code, 0) << name;
    EXPECT_EQ(run(folder_, "account " + folder_.path(name) + "/release/certificate.json").exit_code, 0) << name;
  }
  // What is chosen is in the config file, and the search with it.
  const std::string config = folder_.path("edge") + "/release/config.toml";
  const Outcome again = run(folder_, "train gap-edp -q --json --data " + graph_ + " --config " + config);
  EXPECT_EQ(again.exit_code, 0) << again.error;
  EXPECT_TRUE(again.json().contains("tuned"));
  const Outcome price = run(folder_, "calibrate mlp-dp --train-nodes 200 -e 2 --tune 4 --steps 5 --json");
  EXPECT_LE(price.json()["epsilon"].get<double>(), 2);
  EXPECT_EQ(price.json()["lines"].size(), 2u);
}

TEST_F(Journey, TheFolderSaysWhoMaySeeWhat) {
  ASSERT_EQ(train("gap-edp", "edge").exit_code, 0);
  EXPECT_TRUE(there("edge/release/predictions.csv"));
  for (const char* relation : {"node", "record"}) {
    const Outcome trained = train("lap", relation, std::string("--relation ") + relation);
    ASSERT_EQ(trained.exit_code, 0) << trained.error;
    EXPECT_FALSE(there(std::string(relation) + "/release/predictions.csv"));
    EXPECT_TRUE(there(std::string(relation) + "/owners/predictions.csv"));
    EXPECT_TRUE(there(std::string(relation) + "/release/model.safetensors"));
  }
  // Half a friendship is said before anything is trained.
  EXPECT_NE(train("lap", "other", "--relation record").error.find("half of each friendship"), std::string::npos);
  EXPECT_EQ(train("lap", "another", "--relation node").error.find("friendship"), std::string::npos);
}

// Before the training, on standard error, and in the JSON.
TEST_F(Journey, ARunThatNoiseWillDrownSaysSo) {
  const Outcome drowned = train("mlp-dp", "drowned", "-e 0.001");
  ASSERT_EQ(drowned.exit_code, 0) << drowned.error;
  EXPECT_NE(drowned.error.find("warning: 'training' will be drowned in noise"), std::string::npos) << drowned.error;
  EXPECT_EQ(drowned.json()["warnings"].size(), 1u);
  const Outcome clear = train("mlp-dp", "clear", "-e 100");
  ASSERT_EQ(clear.exit_code, 0) << clear.error;
  EXPECT_EQ(clear.json()["warnings"].size(), 0u);
}

TEST_F(Journey, WithoutAGuaranteeThereIsNoEpsilonAndNothingToRelease) {
  const Outcome none = train("gap-inf", "none");
  ASSERT_EQ(none.exit_code, 0) << none.error;
  EXPECT_TRUE(none.json()["epsilon"].is_null());
  EXPECT_EQ(none.json()["valid"], false);
  EXPECT_FALSE(there("none/release"));
  const Outcome published = train("gap-edp", "published", "-e 2 --accounting published");
  ASSERT_EQ(published.exit_code, 0) << published.error;
  EXPECT_EQ(published.json()["valid"], false);
  EXPECT_EQ(published.json()["releasable"], false);
  EXPECT_EQ(published.json()["published_epsilon"], 2);
  EXPECT_GT(published.json()["epsilon"].get<double>(), 2);
  EXPECT_FALSE(there("published/release"));
  EXPECT_EQ(run(folder_, "verify " + folder_.path("published")).exit_code, 1);
}

TEST_F(Journey, PureNoiseHasDeltaZeroAndALargeDeltaIsNotReleasable) {
  const Outcome pure = train("sage-edp", "pure", "--epochs 3");
  ASSERT_EQ(pure.exit_code, 0) << pure.error;
  EXPECT_EQ(pure.json()["delta"], 0);
  EXPECT_EQ(pure.json()["valid"], true);
  const auto large = train("mlp-dp", "large", "-d 0.01").json();  // 225 training nodes
  EXPECT_EQ(large["valid"], true);
  EXPECT_EQ(large["releasable"], false);
  EXPECT_EQ(run(folder_, "verify " + folder_.path("large")).exit_code, 1);
  EXPECT_EQ(run(folder_, "verify --json " + folder_.path("large")).json()["valid"], true);
}

TEST_F(Journey, AutoChoosesAndSaysWhy) {
  const std::string out = folder_.path("run");
  const Outcome r =
      run(folder_, "train auto --data " + graph_ + " -e 2 --relation record --mean-degree 60 --json --out " + out);
  ASSERT_EQ(r.exit_code, 0) << r.error;
  EXPECT_EQ(r.json()["method"], "lap");
  EXPECT_EQ(r.json()["options"]["share"], "0.7");
  EXPECT_FALSE(r.json()["why"].get<std::string>().empty());
  EXPECT_EQ(run(folder_, "verify " + out).exit_code, 0);
  EXPECT_NE(files::read_bytes(out + "/release/config.toml").find("share = \"0.7\""), std::string::npos);
  const Outcome parameters = run(folder_, "train auto --data " + graph_ + " -e 2 --coverage parameters --json");
  ASSERT_EQ(parameters.exit_code, 0) << parameters.error;
  for (const auto& statement : parameters.json()["statements"]) EXPECT_EQ(statement["what"], "parameters");
}

TEST_F(Journey, ConfigFileIsBetweenDefaultsAndCommandLine) {
  const std::string config = folder_.write("c.toml", "epochs = 2\nencoder_epochs = 2\nhops = 3\nseed = 7\n");
  const std::string base = "train gap-edp --data " + graph_ + " --config " + config + " --json --out ";
  ASSERT_EQ(run(folder_, base + folder_.path("a")).exit_code, 0);
  ASSERT_EQ(run(folder_, base + folder_.path("b") + " --hops 1").exit_code, 0);
  EXPECT_NE(files::read_bytes(folder_.path("a/draft/config.toml")).find("hops = 3"), std::string::npos);
  EXPECT_NE(files::read_bytes(folder_.path("b/draft/config.toml")).find("hops = 1"), std::string::npos);
  // A run's own config file repeats it: same seed, same model.
  const std::string again =
      "train gap-edp --data " + graph_ + " --config " + folder_.path("a/draft/config.toml") + " --out ";
  ASSERT_EQ(run(folder_, again + folder_.path("c")).exit_code, 0);
  EXPECT_EQ(files::read_bytes(folder_.path("a/draft/model.safetensors")),
            files::read_bytes(folder_.path("c/draft/model.safetensors")));
}

// As GAP's own program is called.
TEST_F(Journey, CommandLinesOfGapMeanTheSameHere) {
  const Outcome edge =
      run(folder_, "train gap-edp --data " + graph_ + " -e 4 -d auto -k 2 --hidden_dim 8 --combine cat " +
                       "--encoder_layers 2 --base_layers 1 --head_layers 1 --activation selu " +
                       "--dropout 0.1 --batch_norm true --learning_rate 0.01 --full_batch " +
                       "--epochs 2 --encoder_epochs 2 -r 2 -s 1 -q --json");
  ASSERT_EQ(edge.exit_code, 0) << edge.error;
  EXPECT_EQ(edge.json()["test_accuracy"]["values"].size(), 2u);
  EXPECT_EQ(edge.json()["test_accuracy"]["ci95"].size(), 2u);
  EXPECT_EQ(edge.json()["confusion"].size(), edge.json()["classes"].size());
  const Outcome node = run(folder_, "train gap-ndp --data " + graph_ + " --epsilon 4 --combine att --batch_size 64 " +
                                        "--max_grad_norm 1 --dropout 0.1 --epochs 1 --encoder_epochs 1 -q --json");
  ASSERT_EQ(node.exit_code, 0) << node.error;
  EXPECT_TRUE(node.json()["test_accuracy"]["ci95"].is_null());  // one repeat has no interval
}

TEST_F(Journey, BadUsageIsExitCodeTwoAndLeavesNoFolder) {
  const std::string out = folder_.path("never");
  const std::string data = " --data " + graph_ + " --out " + out;
  const std::vector<std::pair<std::string, std::string>> calls = {
      {"train" + data, "--data"},
      {"train nothing" + data, "there is no command 'nothing'"},
      {"train gap-edp --out " + out, "--data"},
      {"train gap-edp --epsilon 0" + data, "epsilon"},
      {"train gap-edp --epsilon nan" + data, "epsilon"},
      {"train gap-edp --hops 0" + data, "hops"},
      {"train gap-edp --relation node" + data, "relation"},
      {"train gap-edp --split 90/20/10" + data, "--split"},
      {"train gap-edp --bogus 1" + data, "bogus"},
      {"train gap-edp --preset none" + data, "preset"},
      {"train gap-edp --data " + folder_.path("gone.gvg") + " --out " + out, "gone.gvg"},
      {"train gap-edp --config " + folder_.write("bad.toml", "hopps = 3\n") + data, "hopps"},
      {"train gap-edp --config " + folder_.write("twice.toml", "hops = 3\nepochs = 1\nhops = 2\n") + data, "hops"},
      {"train gap-ndp --noise-split 1:2" + data, "noise-split"},
      {"train mlp-dp --tune 0" + data, "--tune is '0'"},
      {"train mlp-dp --tune -3" + data, "--tune"},
      {"train mlp-dp --tune few" + data, "--tune"},
      {"train mlp-dp --tune 3 --tune-over steps" + data, "offers learning-rate"},
      {"train mlp-dp --tune 3 --split 80/0/20" + data, "validation nodes"},
      {"train dpgnn --relation record --tune 3" + data, "own record"},
      {"train diffusion-edp --relation edge --tune 3" + data, "nothing to tune"},
      {"train gap-edp --sign " + folder_.write("key", "no key") + data, "Ed25519"},
      {"verify " + folder_.path("gone"), "gone"}};
  for (const auto& [call, names] : calls) {
    const Outcome r = run(folder_, call);
    EXPECT_EQ(r.exit_code, 2) << call << "\n" << r.out << r.error;
    EXPECT_NE((r.error + r.out).find(names), std::string::npos) << call << "\n" << r.error;
    EXPECT_FALSE(fs::exists(out)) << call;
  }
}

TEST_F(Journey, WhereItCannotWriteItSaysSoBeforeItTrains) {
  fs::create_directory(folder_.path("there"));
  folder_.write("file", "x");
  const std::string forever = "train gap-edp --epochs 1000000 --data " + graph_ + " --out ";
  for (const std::string& out : {std::string("\"\""), folder_.path("there"), folder_.path("file"),
                                 folder_.path("file/below"), std::string("/proc/nothing/run")}) {
    const Outcome r = run(folder_, forever + out);
    EXPECT_EQ(r.exit_code, 2) << out << r.error;
    EXPECT_FALSE(r.error.empty()) << out;
  }
  EXPECT_TRUE(fs::is_empty(folder_.path("there")));
}

// Starts a training that would take hours, waits until it has claimed its folder, and interrupts it. What is left is
// what it can go on from, once there is such a thing; nothing before.
TEST_F(Journey, InterruptedItLeavesNothingHalfWritten) {
  for (const auto& [signal_number, every] : {std::pair{SIGINT, "0"}, {SIGTERM, "0"}, {SIGINT, "1h"}}) {
    const bool left = every == std::string("0");
    const std::string out = folder_.path("place/run");
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      execl(GRAPHVEIL_PROGRAM, GRAPHVEIL_PROGRAM, "train", "mlp", "--epochs", "1000000", "-q", "--threads", "1",
            "--checkpoint-every", every, "--data", graph_.c_str(), "--out", out.c_str(), nullptr);
      _exit(99);
    }
    const auto claimed = [&] { return there(left ? "place/run.unfinished.stages/0.stage" : "place/run.unfinished"); };
    for (int i = 0; i < 4000 && !claimed(); ++i) usleep(5000);
    EXPECT_TRUE(claimed());
    kill(child, signal_number);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 128 + signal_number);
    EXPECT_FALSE(there("place/run"));
    EXPECT_EQ(there("place"), left) << every;
    if (!left) continue;
    EXPECT_TRUE(there("place/run.unfinished"));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path("place")), {}), 2) << "journal and checkpoints";
    fs::remove_all(folder_.path("place"));
  }
}

// What one set of teachers gives with every noise of the paper, and PATE's data-dependent epsilon: the holder's.
TEST_F(Journey, PapersOfTeachersShowTheHolderMore) {
  const std::string where =
      " --accounting published --inverse-scale 1 --private-nodes 150 --public-nodes 120 "
      "--public-test 60 --quick --json -s 3 -d 1e-4 -r 2 --data " +
      graph_;
  const Outcome swept =
      run(folder_, "train privgnn --preset paper --sweep-noise true --noise-on log-posterior" + where);
  ASSERT_EQ(swept.exit_code, 0) << swept.error;
  const auto json = swept.json();
  ASSERT_EQ(json["other_noise"].size(), 10u);
  EXPECT_EQ(json["other_noise"][0]["noise"], "log-posterior 0.1");
  EXPECT_EQ(json["other_noise"][9]["noise"], "posterior 1");
  EXPECT_EQ(json["other_noise"][4]["test_accuracy"]["values"].size(), 2u);
  EXPECT_EQ(json["audience"]["other_noise"], "holder");
  EXPECT_EQ(json["valid"], false);
  const Outcome voted = run(folder_, "train pate-m --preset paper" + where);
  ASSERT_EQ(voted.exit_code, 0) << voted.error;
  EXPECT_EQ(voted.json()["diagnostics"].size(), 1u);
  EXPECT_EQ(voted.json()["audience"]["diagnostics"], "holder");
  EXPECT_GT(voted.json()["published_epsilon"].get<double>(), voted.json()["epsilon"].get<double>());
  EXPECT_FALSE(run(folder_,
                   "train pate-m --teacher ridge --noise gaussian --private-nodes 150 --public-nodes 120 "
                   "--public-test 60 --quick --json -s 3 --data " +
                       graph_)
                   .json()
                   .contains("diagnostics"));
}

// Kills a run in the middle of its queries: it goes on, and ends where it would have ended.
TEST_F(Journey, AKilledRunGoesOn) {
  const std::string options =
      "train privgnn --private-nodes 150 --public-nodes 120 --public-test 20 --teacher mlp --teacher-epochs 60 "
      "--sampling-rate 0.5 -s 3 --epochs 5 -q --threads 1 --data " +
      graph_ + " --out ";
  ASSERT_EQ(run(folder_, options + folder_.path("whole")).exit_code, 0);
  EXPECT_FALSE(there("whole.unfinished"));
  const std::string command = "exec " + std::string(GRAPHVEIL_PROGRAM) + " " + options + folder_.path("killed");
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(99);
  }
  const auto lines = [&] {
    if (!there("killed.unfinished")) return std::ptrdiff_t{0};
    const std::string text = files::read_bytes(folder_.path("killed.unfinished"));
    return std::count(text.begin(), text.end(), '\n');
  };
  for (int i = 0; i < 4000 && lines() < 10; ++i) usleep(2000);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_FALSE(there("killed"));
  ASSERT_GE(lines(), 10);
  EXPECT_LT(lines(), 102);

  // Not on other data, and not anew over it.
  const std::string bytes = files::read_bytes(graph_);
  std::filesystem::remove(graph_);
  generated("tiny", 2);
  const Outcome other = run(folder_, "train -q --resume " + folder_.path("killed"));
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.error.find("the data is not what it was"), std::string::npos) << other.error;
  std::ofstream(graph_, std::ios::binary) << bytes;
  EXPECT_EQ(run(folder_, options + folder_.path("killed")).exit_code, 2);
  // Nor on another CPU level, which rounds otherwise.
  if (kernels::best_cpu_level() != kernels::CpuLevel::Generic && std::getenv("GRAPHVEIL_CPU") == nullptr) {
    setenv("GRAPHVEIL_CPU", "generic", 1);
    const Outcome slower = run(folder_, "train -q --resume " + folder_.path("killed"));
    unsetenv("GRAPHVEIL_CPU");
    EXPECT_EQ(slower.exit_code, 2);
    EXPECT_NE(slower.error.find("CPU level"), std::string::npos) << slower.error;
  }
  EXPECT_FALSE(there("killed"));

  const Outcome resumed = run(folder_, "train -q --json --resume " + folder_.path("killed"));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.error;
  EXPECT_FALSE(there("killed.unfinished"));
  for (const char* file : {"model.safetensors", "predictions.csv", "config.toml"}) {
    EXPECT_EQ(files::read_bytes(folder_.path("whole/draft/") + file),
              files::read_bytes(folder_.path("killed/draft/") + file));
  }
  EXPECT_EQ(run(folder_, "train -q --resume " + folder_.path("killed")).exit_code, 2);
}

TEST_F(Journey, APublicGraphBesideAPrivateOne) {
  const std::string other = folder_.path("other.gvg"), out = folder_.path("shot");
  ASSERT_EQ(run(folder_, "data generate " + other + " --preset tiny --nodes 120 --seed 2 -q").exit_code, 0);
  const std::string train = "train oneshot --epochs 5 -s 1 --json ";
  const std::string split = "--private-nodes 100 --public-nodes 120 --public-test 50 ";
  const Outcome one = run(folder_, train + "--data " + graph_ + " " + split + "--out " + out);
  ASSERT_EQ(one.exit_code, 0) << one.error;
  EXPECT_EQ(one.json()["relation"], "node");
  EXPECT_EQ(run(folder_, "verify --json " + out).json()["valid"], true);
  // Predictions name nodes of the graph that was split; a run with a seed is a draft.
  const std::string predictions = files::read_bytes(out + "/draft/predictions.csv");
  EXPECT_EQ(std::count(predictions.begin(), predictions.end(), '\n'), 121);
  // The run's own config file repeats it.
  const std::string again = folder_.path("again");
  ASSERT_EQ(run(folder_, "train oneshot --data " + graph_ + " --config " + out + "/draft/config.toml --out " + again)
                .exit_code,
            0);
  EXPECT_EQ(predictions, files::read_bytes(again + "/draft/predictions.csv"));

  const Outcome two = run(folder_, train + "--private " + graph_ + " --public " + other);
  ASSERT_EQ(two.exit_code, 0) << two.error;
  EXPECT_TRUE(two.json()["test_accuracy"].is_null());

  const std::string both = "--private " + graph_ + " --public " + other;
  const std::vector<std::pair<std::string, std::string>> calls = {
      {"", "no data"},
      {"--data " + graph_, "--private-nodes is missing"},
      {"--private " + graph_, "--public is missing"},
      {"--public " + graph_, "--private is missing"},
      {"--private " + graph_ + " --public " + graph_, "same file"},
      {"--data " + graph_ + " " + both, "--data is one graph"},
      {both + " --private-nodes 10", "leave them out"},
      {"--data " + graph_ + " --private-nodes 100 --public-nodes 100 --public-test 100", "public-test is 100"},
      {"--data " + graph_ + " --private-nodes 100000 --public-nodes 100 --public-test 10", "private-nodes is 100000"}};
  for (const auto& [call, words] : calls) {
    const Outcome r = run(folder_, train + call);
    EXPECT_EQ(r.exit_code, 2) << call << r.out;
    const nlohmann::json said = nlohmann::json::parse(r.out);  // --json was given: what fails says so in JSON too
    EXPECT_NE(said.at("error").get<std::string>().find(words), std::string::npos) << call;
    EXPECT_EQ(said.at("exit_code"), 2) << call;
    EXPECT_NE(r.error.find(words), std::string::npos) << call << "\n" << r.error;
  }
  EXPECT_EQ(run(folder_, "train gap-edp --data " + graph_ + " --private-nodes 5").exit_code, 2);
}

TEST_F(Journey, WhatConvertReadOffTheDataIsAnAssumption) {
  const std::string mat = folder_.write("School.mat", files::good_mat(true));
  for (const char* end : {"gvg", "npz"}) {
    const std::string made = folder_.path(std::string("s.") + end);
    ASSERT_EQ(run(folder_, "data convert " + mat + " " + made + " --min-class-size 2 --drop-isolated -q").exit_code, 0);
    const std::string out = folder_.path(std::string("run-") + end);
    const Outcome r =
        run(folder_, "train mlp-dp --steps 2 --split 100/0/0 -d 0.1 --data " + made + " --out " + out + " --json");
    ASSERT_EQ(r.exit_code, 0) << r.error;
    const auto certificate = nlohmann::json::parse(files::read_bytes(out + "/release/certificate.json"));
    // An .npz does not say how many classes there are: the largest label does.
    EXPECT_EQ(certificate["found_in_data"].size(), end == std::string("npz") ? 5u : 4u);
    const std::string assumed = certificate["assumptions"].dump();
    for (const char* found : {"which values each column takes", "which values the target takes",
                              "which classes have at least 2 nodes", "which nodes have an edge"}) {
      EXPECT_NE(assumed.find(found), std::string::npos) << found << " in " << assumed;
    }
    EXPECT_EQ(run(folder_, "verify --json " + out).json()["valid"], true);
  }
}

TEST_F(Journey, HelpShowsEveryOptionWithItsDefault) {
  const Outcome r = run(folder_, "train gap-ndp --help-all");
  EXPECT_EQ(r.exit_code, 0);
  for (const char* option :
       {"--epsilon",        "--delta",       "--hops",        "--max-degree", "--max-grad-norm",  "--hidden-dim",
        "--encoder-layers", "--base-layers", "--head-layers", "--epochs",     "--encoder-epochs", "--batch-size",
        "--learning-rate",  "--lr",          "--activation",  "--preset",     "--repeats",        "--seed",
        "--relation",       "--accounting",  "--split",       "--threads",    "--config",         "--protect-degree",
        "--tune",           "--tune-over"}) {
    EXPECT_NE(r.out.find(option), std::string::npos) << option;
  }
  EXPECT_NE(r.out.find("[default 100; integer"), std::string::npos);
}

TEST_F(Journey, WritesItsCurvesForTheHolder) {
  const Outcome done = train("mlp-dp", "r",
                             "-s 1 --curves " + folder_.path("c.csv") + " --log-tensorboard " + folder_.path("tb") +
                                 " --log-mlflow " + folder_.path("mlruns"));
  ASSERT_EQ(done.exit_code, 0) << done.error;
  const std::string curves = files::read_bytes(folder_.path("c.csv"));
  EXPECT_TRUE(curves.starts_with("stage,what,pass,step,value\n")) << curves;
  EXPECT_EQ(std::count(curves.begin(), curves.end(), '\n'), 1 + 5);  // a line for each of its five steps
  EXPECT_EQ(files::read_bytes(folder_.path("r/holder/curves.csv")), curves);
  EXPECT_FALSE(there("r/draft/curves.csv"));
  EXPECT_FALSE(std::filesystem::is_empty(folder_.path("tb")));
  EXPECT_TRUE(there("mlruns/0/meta.yaml"));
}

}  // namespace
}  // namespace graphveil::cli::train_command_test
