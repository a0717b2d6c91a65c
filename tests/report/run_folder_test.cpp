#include "graphveil/report/run_folder.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/generate.h"
#include "graphveil/method/registry.h"
#include "graphveil/run/verify.h"

namespace graphveil::report {
namespace {

namespace fs = std::filesystem;

class RunFolder : public testing::Test {
 protected:
  RunFolder() : folder_(fs::temp_directory_path() / ("graphveil-run-folder-test-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
  }
  ~RunFolder() override { fs::remove_all(folder_); }

  void write() {
    const graph::Dataset data = graph::generate(graph::preset("tiny"), Seed::from_number(1));
    const auto method = method::make_method("gap-edp");
    TrainSettings settings;
    settings.epsilon = 2;
    Options options;
    settings.declare(options);
    method->declare(options);
    options.set("epochs", "3");
    options.set("encoder-epochs", "3");
    TrainOutcome outcome = train(*method, data, settings);
    write_run_folder(folder_.string(), outcome, options, fingerprint(data));
  }
  std::string read(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void replace(const std::string& name, const std::string& what, const std::string& with) const {
    std::string text = read(name);
    const size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    text.replace(at, what.size(), with);
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  fs::path folder_;
};

TEST_F(RunFolder, HoldsTheFilesOfTheInterfaceAndVerifies) {
  write();
  for (const char* name :
       {"model.safetensors", "certificate.json", "config.toml", "metrics.jsonl", "predictions.csv"}) {
    EXPECT_GT(fs::file_size(folder_ / name), 0u) << name;
  }
  const Verdict verdict = verify_run(folder_.string());
  EXPECT_TRUE(verdict.holds()) << fmt::format("{}", fmt::join(verdict.reasons, "; "));
  EXPECT_NE(read("config.toml").find("encoder-epochs = 3"), std::string::npos);
  EXPECT_EQ(read("predictions.csv").substr(0, 13), "node,label,p0");
  // Nothing half-written is left beside it.
  for (const auto& entry : fs::directory_iterator(folder_.parent_path())) {
    EXPECT_EQ(entry.path().string().find(folder_.filename().string() + "."), std::string::npos) << entry.path();
  }
}

TEST_F(RunFolder, RefusesAFolderThatExists) {
  write();
  EXPECT_THROW(write(), Error);
}

TEST_F(RunFolder, VerifyRejectsEdits) {
  write();
  const std::string good = read("certificate.json");
  for (const auto& [what, with] : std::vector<std::pair<std::string, std::string>>{
           {"\"count\": 2", "\"count\": 1"},
           {"\"sensitivity\": 1.4142135623730951", "\"sensitivity\": 1.0"},
           {"\"version\": \"0", "\"version\": \"9"},
           {"\"covers\": \"parameters and predictions\"", "\"covers\": \"parameters\""}}) {
    replace("certificate.json", what, with);
    EXPECT_FALSE(verify_run(folder_.string()).holds()) << what;
    std::ofstream(folder_ / "certificate.json", std::ios::binary) << good;
  }
  EXPECT_TRUE(verify_run(folder_.string()).holds());
  std::string model = read("model.safetensors");
  model.back() = static_cast<char>(model.back() ^ 1);
  std::ofstream(folder_ / "model.safetensors", std::ios::binary) << model;
  EXPECT_FALSE(verify_run(folder_.string()).holds());
}

TEST(PredictionsCsv, OneRowPerNode) {
  Matrix p(2, 2);
  p(0, 0) = 0.25f;
  p(0, 1) = 0.75f;
  p(1, 0) = 1;
  EXPECT_EQ(predictions_csv(p), "node,label,p0,p1\n0,1,0.25,0.75\n1,0,1,0\n");
  const std::vector<int32_t> ids{5, 40};
  EXPECT_EQ(predictions_csv(p, ids), "node,label,p0,p1\n5,1,0.25,0.75\n40,0,1,0\n");
}

}  // namespace
}  // namespace graphveil::report
