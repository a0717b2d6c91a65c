// graphveil data, run as a user would: output, exit codes, files.
#include <algorithm>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/files/builders.h"

namespace graphveil::cli::data_command_test {
namespace {

TEST(DataInfo, JsonHasTheNamesOfTheInterface) {
  const TemporaryFolder folder;
  const Outcome r = run(folder, "data info --json " + folder.write("a.npz", files::npz(files::good_arrays())));
  ASSERT_EQ(r.exit_code, 0) << r.error;
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_EQ(json["nodes"], 4);
  EXPECT_EQ(json["edges"], 5);
  EXPECT_EQ(json["features"], 3);
  EXPECT_EQ(json["classes"], 2);
  EXPECT_EQ(json["symmetric"], false);
  EXPECT_DOUBLE_EQ(json["mean_degree"], 1.25);
  EXPECT_EQ(json["class_sizes"], (std::vector<int>{2, 2}));
  EXPECT_EQ(json["in_degree"]["max"], 2);
  EXPECT_EQ(json["split"]["train"], 2);
  EXPECT_EQ(r.error, "");
}

TEST(DataInfo, TextIsForPeople) {
  const TemporaryFolder folder;
  const Outcome r = run(folder, "data info " + folder.write("small.npz", files::npz(files::good_arrays())));
  EXPECT_EQ(r.exit_code, 0);
  for (const char* line : {"small\n", "  nodes          4\n", "  edges          5 stored (directed)\n",
                           "  symmetric      no\n", "  mean degree    1.25\n"}) {
    EXPECT_NE(r.out.find(line), std::string::npos) << line << r.out;
  }
}

TEST(DataInfo, BadFilesGiveOneLineAndExitCodeTwo) {
  const TemporaryFolder folder;
  files::Arrays arrays = files::good_arrays();
  arrays["labels"] = files::npy("|i1", {4}, files::raw<int8_t>({0, 1, 9, 1}));
  const std::string broken = folder.write("broken.npz", files::npz(arrays));
  const std::string cut = folder.write("cut.npz", files::npz(files::good_arrays()).substr(0, 300));
  for (const std::string& path : {broken, cut, folder.path("gone.npz"), folder.write("x.gvg", "x")}) {
    const Outcome r = run(folder, "data info --json " + path);
    EXPECT_EQ(r.exit_code, 2) << path;
    EXPECT_EQ(r.json()["exit_code"], 2) << r.out;
    EXPECT_EQ(std::count(r.error.begin(), r.error.end(), '\n'), 1) << r.error;
    EXPECT_NE(r.error.find(path), std::string::npos) << r.error;
  }
  const Outcome r = run(folder, "data info " + broken);
  EXPECT_NE(r.error.find("labels, row 2"), std::string::npos) << r.error;
}

TEST(DataConvert, FilterSteps) {
  const TemporaryFolder folder;
  const std::string mat = folder.write("School.mat", files::good_mat(true));
  // Year: 0 and 2 in 2005, 1 and 4 in 2006, 3 without; without 3, node 4 has no friend left.
  Outcome r =
      run(folder, "data convert " + mat + " " + folder.path("s.gvg") + " --min-class-size 2 --drop-isolated --json");
  ASSERT_EQ(r.exit_code, 0) << r.error;
  EXPECT_EQ(nlohmann::json::parse(r.out)["nodes"], 3);
  r = run(folder, "data info --json " + folder.path("s.gvg"));
  EXPECT_EQ(nlohmann::json::parse(r.out)["nodes"], 3);
  EXPECT_EQ(nlohmann::json::parse(r.out)["edges"], 4);
  r = run(folder, "data convert " + mat + " " + folder.path("g.npz") + " --target gender --min-class-size 1 --json");
  ASSERT_EQ(r.exit_code, 0) << r.error;
  EXPECT_EQ(nlohmann::json::parse(r.out)["nodes"], 4);
}

TEST(DataConvert, UndirectedAddsTheReverseEdges) {
  const TemporaryFolder folder;
  const std::string npz = folder.write("a.npz", files::npz(files::good_arrays()));
  const Outcome r = run(folder, "data convert --undirected --json " + npz + " " + folder.path("b.gvg"));
  ASSERT_EQ(r.exit_code, 0) << r.error;
  EXPECT_EQ(nlohmann::json::parse(r.out)["edges"], 6);
  EXPECT_EQ(nlohmann::json::parse(r.out)["symmetric"], true);
}

TEST(DataConvert, RefusalsLeaveNoFile) {
  const TemporaryFolder folder;
  const std::string mat = folder.write("School.mat", files::good_mat(true));
  EXPECT_EQ(run(folder, "data convert " + mat + " " + folder.path("s.txt")).exit_code, 2);
  EXPECT_EQ(run(folder, "data convert " + mat + " " + folder.path("s.gvg") + " --target age").exit_code, 2);
  EXPECT_EQ(run(folder, "data convert " + mat + " " + folder.path("s.gvg") + " --min-class-size 9").exit_code, 2);
  for (const char* name : {"s.txt", "s.gvg"}) EXPECT_FALSE(std::filesystem::exists(folder.path(name)));
}

TEST(DataGenerate, SameSeedSameFileForAnyThreadCount) {
  const TemporaryFolder folder;
  const std::string settings = " --preset tiny --nodes 500 --seed 3 --json";
  const Outcome r = run(folder, "data generate " + folder.path("a.gvg") + settings + " --threads 1");
  ASSERT_EQ(r.exit_code, 0) << r.error;
  EXPECT_EQ(nlohmann::json::parse(r.out)["nodes"], 500);
  EXPECT_EQ(nlohmann::json::parse(r.out)["symmetric"], true);
  ASSERT_EQ(run(folder, "data generate " + folder.path("b.gvg") + settings + " --threads 2").exit_code, 0);
  EXPECT_EQ(files::read_bytes(folder.path("a.gvg")), files::read_bytes(folder.path("b.gvg")));
}

TEST(DataGenerate, WritesOverAFileOnlyWhenForced) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.gvg", "precious");
  const std::string command = "data generate " + path + " --preset tiny -q --seed 1";
  EXPECT_EQ(run(folder, command).exit_code, 2);
  EXPECT_EQ(files::read_bytes(path), "precious");
  EXPECT_EQ(run(folder, command + " --force").exit_code, 0);
  EXPECT_EQ(run(folder, "data convert " + path + " " + path + " -q").exit_code, 2);
  EXPECT_EQ(run(folder, "data convert " + path + " " + path + " -q --force").exit_code, 0);
}

TEST(DataGenerate, ChangesWhatThePresetSays) {
  const TemporaryFolder folder;
  const std::string settings =
      " --preset tiny --nodes 2000 --mean-degree 30 --classes 5 --columns 7 --homophily 0.9 --loyalty 1 --separation 3 "
      "--features-follow community --seed 3 --json";
  const Outcome r = run(folder, "data generate " + folder.path("a.gvg") + settings);
  ASSERT_EQ(r.exit_code, 0) << r.error;
  const auto described = nlohmann::json::parse(r.out);
  EXPECT_EQ(described["classes"], 5);
  EXPECT_EQ(described["features"], 7);
  EXPECT_NEAR(described["edges"].get<double>(), 60000, 600);
}

TEST(DataGenerate, BadSettingsAreRefused) {
  const TemporaryFolder folder;
  EXPECT_EQ(run(folder, "data generate " + folder.path("a.gvg") + " --preset huge").exit_code, 2);
  EXPECT_EQ(run(folder, "data generate " + folder.path("a.gvg") + " --preset social --nodes 100").exit_code, 2);
  EXPECT_EQ(run(folder, "data generate " + folder.path("a.gvg") + " --nodes -5").exit_code, 2);
  EXPECT_EQ(run(folder, "data generate " + folder.path("a.csv")).exit_code, 2);
  for (const char* change :
       {"--mean-degree nan", "--mean-degree 0", "--classes 0", "--homophily 1", "--loyalty -1", "--columns 0",
        "--columns 999999999999", "--separation inf", "--features-follow friends", "--columns 5 --preset social"}) {
    const bool named = std::string(change).find("--preset") != std::string::npos;
    const Outcome refused =
        run(folder, "data generate " + folder.path("a.gvg") + (named ? " " : " --preset tiny ") + change);
    EXPECT_EQ(refused.exit_code, 2) << change;
    EXPECT_FALSE(std::filesystem::exists(folder.path("a.gvg"))) << change;
  }
  EXPECT_EQ(run(folder, "data").exit_code, 2);
}

TEST(DataHelp, NamesFormatsAndPresets) {
  const TemporaryFolder folder;
  EXPECT_NE(run(folder, "data info --help").out.find(".npz"), std::string::npos);
  for (const char* word : {"products", "loyalty 0.73", "128 dense columns, separation 2.35", "one-hot features"}) {
    EXPECT_NE(run(folder, "data generate --help").out.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(run(folder, "data convert --help").exit_code, 0);
}

}  // namespace
}  // namespace graphveil::cli::data_command_test
