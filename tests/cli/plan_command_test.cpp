// graphveil plan: noise, time, memory and traffic from public numbers.
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace graphveil::cli::plan_command_test {
namespace {

struct PlanCommand : testing::Test {
  TemporaryFolder folder_;
};

const std::string kSizes = " --nodes 1000000 --edges 20000000 --features 50 --classes 10 -e 2";

TEST_F(PlanCommand, SaysWhatALargeRunTakes) {
  const Outcome said = run(folder_, "plan lap" + kSizes + " --ranks 8 --rank-threads 4");
  EXPECT_EQ(said.exit_code, 0) << said.error;
  for (const char* word : {"lap under node, epsilon 2", "labels", "training", "8 ranks of 4 threads", "reading",
                           "sums over neighbors", "exchange", "receives", "public numbers"}) {
    EXPECT_NE(said.out.find(word), std::string::npos) << word << "\n" << said.out;
  }
}

TEST_F(PlanCommand, JsonHasTheNumbers) {
  const Outcome said = run(folder_, "plan gap-ndp" + kSizes + " --json");
  ASSERT_EQ(said.exit_code, 0) << said.error;
  const nlohmann::json object = nlohmann::json::parse(said.out);
  EXPECT_EQ(object.at("method"), "gap-ndp");
  EXPECT_GT(object.at("seconds"), 0);
  EXPECT_GT(object.at("memory_bytes"), object.at("file_bytes"));
  EXPECT_EQ(object.at("traffic_bytes"), 0);
  EXPECT_EQ(object.at("noise").size(), 3u);
  double all = 0;
  for (const auto& part : object.at("parts")) all += part.get<double>();
  EXPECT_NEAR(all, object.at("seconds").get<double>(), 1e-9 * all);
}

TEST_F(PlanCommand, SaysWhereRanksGainNothing) {
  const std::string few = "plan gap-edp --nodes 4000 --edges 40000 --features 20 --classes 4 --ranks ";
  EXPECT_NE(run(folder_, few + "2").out.find("every rank gathers"), std::string::npos);
  EXPECT_EQ(run(folder_, few + "1").out.find("every rank gathers"), std::string::npos);
  EXPECT_EQ(run(folder_, "plan gap-edp" + kSizes + " --ranks 2").out.find("every rank gathers"), std::string::npos);
}

TEST_F(PlanCommand, OtherMethodsHaveTheirNoise) {
  const Outcome said = run(folder_, "plan dpgnn" + kSizes);
  EXPECT_EQ(said.exit_code, 0) << said.error;
  EXPECT_NE(said.out.find("no forecast of time and memory"), std::string::npos) << said.out;
}

TEST_F(PlanCommand, RefusesWhatIsOutOfRange) {
  for (const char* words : {"plan", "plan nothing", "plan lap --nodes 10", "plan mlp --nodes 10"}) {
    EXPECT_EQ(run(folder_, words).exit_code, 2) << words;
  }
  const std::string lap = "plan lap" + kSizes;
  for (const char* more : {" --ranks 0", " --network 0", " --row-entries 51", " --train-nodes 2000000", " --edges -1",
                           " --ranks nan", " --network nan"}) {
    const Outcome said = run(folder_, lap + more);
    EXPECT_EQ(said.exit_code, 2) << more;
    EXPECT_TRUE(said.out.empty()) << more;
  }
}

}  // namespace
}  // namespace graphveil::cli::plan_command_test
