#include "graphveil/run/predict_run.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/generate.h"
#include "graphveil/method/registry.h"
#include "graphveil/report/run_folder.h"

namespace graphveil::run {
namespace {

namespace fs = std::filesystem;

graph::Dataset tiny(uint64_t seed) { return graph::generate(graph::preset("tiny"), Seed::from_number(seed)); }

class PredictRun : public testing::Test {
 protected:
  PredictRun() : folder_(fs::temp_directory_path() / ("graphveil-predict-test-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
  }
  ~PredictRun() override { fs::remove_all(folder_); }

  void train_one(const std::string& name) {
    method_ = method::make_method(name);
    Options options;
    settings_.declare(options);
    method_->declare(options);
    for (const char* option : {"epochs", "encoder-epochs"}) {
      if (options.find(option) != nullptr) options.set(option, "3");
    }
    TrainOutcome outcome = train(*method_, data_, settings_);
    certificate_ = outcome.certificate;
    write_run_folder(folder_.string(), outcome, options, fingerprint(data_));
  }
  Prediction predict_on(const graph::Dataset& data) { return predict(folder_.string(), *method_, settings_, data); }
  std::string read(const char* name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  ErrorKind error_of(const graph::Dataset& data) {
    try {
      predict_on(data);
    } catch (const Error& error) {
      return error.kind();
    }
    ADD_FAILURE() << "no error";
    return ErrorKind::Internal;
  }

  fs::path folder_;
  graph::Dataset data_ = tiny(1);
  std::unique_ptr<method::Method> method_;
  TrainSettings settings_;
  Certificate certificate_;
};

TEST_F(PredictRun, TheTrainingGraphCostsNothing) {
  for (const char* name : {"gap-edp", "gap-ndp", "lap", "mlp-dp"}) {
    fs::remove_all(folder_);
    train_one(name);
    const Prediction p = predict_on(data_);
    EXPECT_EQ(p.kind, PredictionKind::Stored) << name;
    EXPECT_EQ(p.epsilon, 0);
    EXPECT_EQ(p.csv, read("predictions.csv"));
    EXPECT_FALSE(fs::exists(folder_ / "inference.jsonl"));
  }
}

TEST_F(PredictRun, AnotherGraphIsChargedOnceAndThenRefused) {
  settings_.epsilon = 2;
  train_one("gap-edp");
  const graph::Dataset other = tiny(2);
  const Prediction p = predict_on(other);
  EXPECT_EQ(p.kind, PredictionKind::Released);
  EXPECT_NEAR(p.epsilon, *certificate_.epsilon, 1e-6);  // GAP at edge level: training is one inference
  EXPECT_GT(p.with_training, p.epsilon);
  EXPECT_NE(read("inference.jsonl").find("aggregation"), std::string::npos);
  EXPECT_EQ(error_of(other), ErrorKind::BudgetExceeded);
  EXPECT_EQ(predict_on(tiny(3)).kind, PredictionKind::Released);  // a third graph has its own budget
}

TEST_F(PredictRun, TheTrainingGraphWithOtherFeaturesIsStillTheTrainingGraph) {
  train_one("gap-edp");
  graph::Dataset changed = data_;
  changed.features = tiny(2).features;
  EXPECT_EQ(error_of(changed), ErrorKind::BudgetExceeded);
  EXPECT_TRUE(read("inference.jsonl").empty());
}

TEST_F(PredictRun, AMethodThatReadsNoEdgePredictsFreely) {
  train_one("mlp-dp");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(predict_on(tiny(2)).kind, PredictionKind::Free);
}

TEST_F(PredictRun, PropagatedPredictionsAreNotCovered) {
  settings_.propagate = 2;
  train_one("mlp-dp");
  EXPECT_FALSE(fs::exists(folder_ / "predictions.csv"));
  EXPECT_EQ(predict_on(data_).kind, PredictionKind::Raw);
}

TEST_F(PredictRun, AMethodWithoutPromisesPredicts) {
  train_one("gap-inf");
  EXPECT_EQ(predict_on(tiny(2)).epsilon, 0);
}

TEST_F(PredictRun, WhatDoesNotFitIsRefused) {
  train_one("mlp-dp");
  graph::Dataset narrow = tiny(2);
  narrow.features = Matrix(narrow.nodes(), 3);
  EXPECT_EQ(error_of(narrow), ErrorKind::BadInput);
  graph::Dataset more = tiny(2);
  more.classes += 1;
  EXPECT_EQ(error_of(more), ErrorKind::BadInput);

  std::string certificate = read("certificate.json");
  const size_t at = certificate.find("\"noise\": ");
  ASSERT_NE(at, std::string::npos);
  certificate.insert(at + 9, "1");
  std::ofstream(folder_ / "certificate.json") << certificate;
  EXPECT_EQ(error_of(data_), ErrorKind::BadInput);
}

}  // namespace
}  // namespace graphveil::run
