// graphveil account and calibrate, run as a user would.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace graphveil::cli::account_command_test {
namespace {

constexpr const char* kEvents = R"([
  {"label": "training", "mechanism": {"kind": "gaussian", "noise_multiplier": 1.1},
   "sampling": {"kind": "poisson", "rate": 0.01}, "count": 10000}])";

TEST(Account, OneMechanismOnTheCommandLineOrInAFile) {
  const TemporaryFolder folder;
  const std::string file = folder.write("events.json", kEvents);
  const Outcome a =
      run(folder, "account --noise-multiplier 1.1 --sampling_rate 0.01 --steps 10000 --delta 1e-5 --json");
  const Outcome b = run(folder, "account " + file + " --delta 1e-5 --json");
  ASSERT_EQ(a.exit_code, 0) << a.error;
  ASSERT_EQ(b.exit_code, 0) << b.error;
  const auto json = nlohmann::json::parse(a.out);
  EXPECT_NEAR(json["epsilon"].get<double>(), 5.1926, 0.0052);  // dp_accounting: 5.192620
  EXPECT_EQ(json["delta"], 1e-5);
  EXPECT_EQ(json["accountant"], "pld");
  EXPECT_EQ(nlohmann::json::parse(b.out)["epsilon"], json["epsilon"]);
  const auto rdp = nlohmann::json::parse(run(folder, "account " + file + " --delta 1e-5 --json --accountant rdp").out);
  EXPECT_GT(rdp["epsilon"].get<double>(), json["epsilon"].get<double>());
}

TEST(Account, NoNoiseHasNoFiniteEpsilon) {
  const TemporaryFolder folder;
  const Outcome r = run(folder, "account --noise-multiplier 0 --delta 1e-5 --json");
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_TRUE(nlohmann::json::parse(r.out)["epsilon"].is_null());
}

TEST(Account, BadInputGivesOneLineAndExitCodeTwo) {
  const TemporaryFolder folder;
  const std::vector<std::string> calls = {
      "account",
      "account --noise-multiplier 1",
      "account --noise-multiplier nan --delta 1e-5",
      "account --noise-multiplier -1 --delta 1e-5",
      "account --noise-multiplier 1 --delta 2",
      "account --noise-multiplier 1 --sampling-rate 1.5 --delta 1e-5",
      "account --noise-multiplier 1 --steps -3 --delta 1e-5",
      "account " + folder.path("gone.json") + " --delta 1e-5",
      "account " + folder.write("broken.json", "[{") + " --delta 1e-5",
      "account " +
          folder.write("kind.json", R"([{"mechanism": {"kind": "magic"}, "sampling": {"kind": "none"}, "count": 1}])") +
          " --delta 1e-5",
      "account " +
          folder.write("twice.json",
                       R"([{"mechanism": {"kind": "gaussian", "noise_multiplier": 1, "noise_multiplier": 9},
                                          "sampling": {"kind": "none"}, "count": 1}])") +
          " --delta 1e-5",
      "calibrate " + folder.write("e.json", kEvents) + " --epsilon 0 --delta 1e-5",
      "calibrate " + folder.write("f.json", kEvents) + " --epsilon nan --delta 1e-5",
      "calibrate " + folder.write("g.json", kEvents) + " --epsilon 1",
      "calibrate " + folder.write("h.json", "[]") + " --epsilon 1 --delta 1e-5",
  };
  for (const std::string& call : calls) {
    const Outcome r = run(folder, call);
    EXPECT_EQ(r.exit_code, 2) << call << "\n" << r.error;
    EXPECT_EQ(r.out, "") << call;
    EXPECT_FALSE(r.error.empty()) << call;
  }
}

TEST(Account, FilesThatOnceCrashedOrHung) {
  const TemporaryFolder folder;
  const auto line = [](const std::string& mechanism, const std::string& sampling) {
    return R"([{"mechanism": )" + mechanism + R"(, "sampling": )" + sampling + R"(, "count": 1}])";
  };
  const std::string gaussian = R"({"kind": "gaussian", "noise_multiplier": 1})";
  const std::vector<std::string> texts = {
      std::string(75'000, '['),
      R"([{"label": )" + std::string(75'000, '[') + std::string(75'000, ']') + "}]",
      line(gaussian, R"({"kind": "poisson", "rate": 1e-160})"),
      line(R"({"kind": "gaussian", "noise_multiplier": 1e160})", R"({"kind": "none"})"),
      line(gaussian, R"({"kind": "poisson-group", "rate": 0.5, "deletions": 1000000000, "insertions": 0})"),
      R"([{"mechanism": {"kind": "gaussian", "noise_multiplier": 9, "noise_multiplier": 1},
           "sampling": {"kind": "none"}, "count": 1}])",
      // What follows a byte of value 0 was not read.
      line(gaussian, R"({"kind": "none"})") + std::string(1, '\0') + "and more",
      // A key of certificates made the reader forgive everything.
      R"({"epsilon": 1, "delta": 1e-5, "events": )" + line(gaussian, R"({"kind": "none"})") + "}",
      R"({"epsilon": 1, "events": [{"mechanism": {"kind": "gaussian", "noise_multiplier": 1},
           "sampling": {"kind": "none"}, "count": 1, "cuont": 5}]})",
  };
  for (const std::string& text : texts) {
    const Outcome r = run(folder, "account " + folder.write("bad.json", text) + " --delta 1e-5");
    EXPECT_EQ(r.exit_code, 2) << text.substr(0, 200) << "\n" << r.error;
    EXPECT_EQ(r.out, "");
    EXPECT_EQ(std::count(r.error.begin(), r.error.end(), '\n'), 1) << r.error;
  }
}

TEST(Account, SeveralFilesCompose) {
  const TemporaryFolder folder;
  const std::string one =
      R"({"mechanism": {"kind": "gaussian", "noise_multiplier": 2}, "sampling": {"kind": "none"}, )";
  const std::string a = folder.write("a.json", R"({"delta": 1e-5, "events": [)" + one + R"("count": 1}]})");
  const std::string b = folder.write("b.json", R"({"delta": 1e-5, "events": [)" + one + R"("count": 1}]})");
  const std::string both = folder.write("both.json", "[" + one + R"("count": 2}])");
  const Outcome sum = run(folder, "account " + a + " " + b + " --json");
  ASSERT_EQ(sum.exit_code, 0) << sum.error;
  EXPECT_EQ(nlohmann::json::parse(sum.out)["epsilon"],
            nlohmann::json::parse(run(folder, "account " + both + " --delta 1e-5 --json").out)["epsilon"]);
}

TEST(Calibrate, LinesThatShareALabelAreAllThere) {
  const TemporaryFolder folder;
  const std::string line = R"({"label": "x", "sampling": {"kind": "none"}, "count": 1, "mechanism": )";
  const std::string file = folder.write("events.json", "[" + line + R"({"kind": "gaussian", "noise_multiplier": 1}},)" +
                                                           line + R"({"kind": "laplace", "noise_multiplier": 3}}])");
  const Outcome r = run(folder, "calibrate " + file + " -e 2 -d 1e-5 --json");
  ASSERT_EQ(r.exit_code, 0) << r.error;
  const auto json = nlohmann::json::parse(r.out);
  ASSERT_EQ(json["lines"].size(), 2u);
  EXPECT_NEAR(json["lines"][1]["noise"].get<double>() / json["lines"][0]["noise"].get<double>(), 3, 1e-9);
  EXPECT_EQ(json["lines"][1]["kind"], "laplace");
}

TEST(Calibrate, KnowsTheMethods) {
  const TemporaryFolder folder;
  const Outcome edge = run(folder, "calibrate gap-edp --epsilon 4 --delta 1e-7 --relation edge --json");
  ASSERT_EQ(edge.exit_code, 0) << edge.error;
  const auto json = nlohmann::json::parse(edge.out);
  EXPECT_NEAR(json["noise_multiplier"].get<double>(), 1.8354, 0.0018);
  EXPECT_GT(json["published_noise_multiplier"].get<double>(), json["noise_multiplier"].get<double>());
  const Outcome node =
      run(folder, "calibrate gap-ndp --preset paper --relation record -e 8 -d 1e-5 --train-nodes 14204 --json");
  ASSERT_EQ(node.exit_code, 0) << node.error;
  EXPECT_NEAR(nlohmann::json::parse(node.out)["noise_multiplier"]["aggregation"].get<double>(), 0.982, 0.002);
  for (const char* call : {"calibrate mlp -e 1 -d 1e-5", "calibrate gap-inf -e 1 -d 1e-5",
                           "calibrate gap-edp -e 1 -d 1e-5 --relation node"}) {
    EXPECT_EQ(run(folder, call).exit_code, 2) << call;
  }
}

TEST(Calibrate, NamesThePublicNumberThatIsMissing) {
  const TemporaryFolder folder;
  for (const char* method : {"gap-ndp", "lap", "mlp-dp", "sage-ndp", "dpgnn", "oneshot"}) {
    const Outcome r = run(folder, std::string("calibrate ") + method + " -e 8 -d 1e-5");
    EXPECT_EQ(r.exit_code, 2) << method;
    EXPECT_NE(r.error.find("--train-nodes"), std::string::npos) << method << ": " << r.error;
    EXPECT_EQ(run(folder, std::string("calibrate ") + method + " -e 8 --train-nodes 1000").exit_code, 0) << method;
  }
  const Outcome edge = run(folder, "calibrate gap-edp -e 1");
  EXPECT_EQ(edge.exit_code, 2);
  EXPECT_NE(edge.error.find("--nodes"), std::string::npos) << edge.error;
  const Outcome found = run(folder, "calibrate gap-edp -e 1 --nodes 18939 --json");
  ASSERT_EQ(found.exit_code, 0) << found.error;
  EXPECT_DOUBLE_EQ(found.json()["delta"].get<double>(), 1e-7);
}

TEST(Calibrate, FindsTheNoiseOfATarget) {
  const TemporaryFolder folder;
  const std::string file = folder.write("events.json", kEvents);
  const Outcome r = run(folder, "calibrate " + file + " -e 2 -d 1e-5 --json");
  ASSERT_EQ(r.exit_code, 0) << r.error;
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_LE(json["epsilon"].get<double>(), 2);
  EXPECT_GT(json["epsilon"].get<double>(), 1.99);
  const std::string noise = std::to_string(json["noise_multiplier"].get<double>());
  const auto back = nlohmann::json::parse(
      run(folder, "account --noise-multiplier " + noise + " --sampling-rate 0.01 --steps 10000 -d 1e-5 --json").out);
  EXPECT_NEAR(back["epsilon"].get<double>(), json["epsilon"].get<double>(), 1e-3);
}

TEST(Account, ALooserBoundIsSaid) {
  const TemporaryFolder folder;
  std::string lines = "[";
  for (int i = 0; i < 300; ++i) {
    lines += fmt::format(
        R"({}{{"mechanism": {{"kind": "gaussian", "noise_multiplier": {}}}, "sampling": {{"kind": "poisson", "rate": 0.1}},
            "count": 1}})",
        i == 0 ? "" : ",", 50 + i);
  }
  const std::string file = folder.write("many.json", lines + "]");
  const Outcome text = run(folder, "account " + file + " -d 1e-6");
  EXPECT_EQ(text.exit_code, 0) << text.error;
  EXPECT_NE(text.out.find("looser bound"), std::string::npos) << text.out;
  EXPECT_NE(run(folder, "account " + file + " -d 1e-6 --json").json()["looser"].get<std::string>().find("300"),
            std::string::npos);
}

TEST(Calibrate, ThePrintedNoiseCostsAtMostThePrintedEpsilon) {
  const TemporaryFolder folder;
  // One line of each kind whose noise is scaled, and how it is given back to `account`.
  const std::pair<const char*, const char*> kinds[] = {{"gaussian", "noise_multiplier"},
                                                       {"laplace", "noise_multiplier"},
                                                       {"exponential", "range"},
                                                       {"randomized-response", "log_odds"},
                                                       {"discrete-laplace", "noise_multiplier"}};
  for (const auto& [kind, field] : kinds) {
    for (const char* target : {"0.7", "1", "1.3", "2.9"}) {
      const auto line = [&](const std::string& noise) {
        return fmt::format(R"([{{"label": "a", "mechanism": {{"kind": "{}", "{}": {}}},
                               "sampling": {{"kind": "poisson", "rate": 0.2}}, "count": 7}}])",
                           kind, field, noise);
      };
      const Outcome found =
          run(folder, fmt::format("calibrate {} -e {} -d 1e-6", folder.write("e.json", line("1.7")), target));
      ASSERT_EQ(found.exit_code, 0) << found.error;
      // "epsilon E at delta D with\n  a: KIND NOISE, 7 times"
      const double printed = std::stod(found.out.substr(8));
      EXPECT_LE(printed, std::stod(target) * (1 + 1e-3));
      const std::string before = fmt::format("a: {} ", kind);
      const size_t at = found.out.find(before) + before.size();
      const std::string noise = found.out.substr(at, found.out.find(',', at) - at);
      const Outcome cost = run(folder, "account " + folder.write("f.json", line(noise)) + " -d 1e-6 --json");
      EXPECT_LE(cost.json()["epsilon"].get<double>(), printed) << kind << " " << target << "\n" << found.out;
    }
  }
}

}  // namespace
}  // namespace graphveil::cli::account_command_test
