#include "graphveil/report/run_section.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "graphveil/artifact/words.h"
#include "tests/run/small_run.h"

namespace graphveil::report::run_section_test {
namespace {

class RunSectionTest : public run::SmallRun {
 protected:
  nlohmann::ordered_json section(bool release = false) {
    probabilities_.reset();
    return run_section(folder_, release, probabilities_);
  }
  std::optional<Matrix> probabilities_;
};

TEST_F(RunSectionTest, SaysWhatTheCertificateSays) {
  const artifact::Certificate c = train_one("lap", {{"epsilon", "4"}});
  const nlohmann::ordered_json shown = section();
  EXPECT_TRUE(shown["holds"]);
  EXPECT_TRUE(shown["releasable"]);
  EXPECT_EQ(shown["epsilon"], *c.epsilon);
  EXPECT_EQ(shown["epsilon_text"], artifact::epsilon_text(c.epsilon));
  EXPECT_EQ(shown["plainly"], artifact::plain_reading(*c.epsilon, c.delta));
  EXPECT_EQ(shown["statements"].size(), c.statements.size());
  EXPECT_EQ(shown["config"].size(), c.config.size());
  EXPECT_TRUE(shown["holders"]);
  EXPECT_EQ(shown["map_audience"], "holder");
  ASSERT_TRUE(probabilities_);
  EXPECT_EQ(probabilities_->rows(), data_.nodes());
  EXPECT_GT(shown["scores"]["classes"].size(), 1u);
  EXPECT_EQ(shown["scores"]["repeats"].size(), 1u);
}

TEST_F(RunSectionTest, ALineByItselfCostsLessThanAllTogether) {
  const artifact::Certificate c = train_one("lap", {{"epsilon", "4"}});
  const nlohmann::ordered_json shown = section();
  double sum = 0;
  for (const auto& line : shown["mechanisms"]) {
    EXPECT_LE(line["epsilon"].get<double>(), *c.epsilon);
    sum += line["epsilon"].get<double>();
  }
  ASSERT_GE(shown["mechanisms"].size(), 2u);
  EXPECT_GT(sum, *c.epsilon);
}

TEST_F(RunSectionTest, ForReleaseNothingOfTheHoldersIsRead) {
  train_one("lap");
  nlohmann::ordered_json shown = section(true);
  EXPECT_FALSE(shown["holders"]);
  EXPECT_TRUE(shown["scores"].is_null());
  EXPECT_FALSE(probabilities_) << "rows are their owners'";
  EXPECT_EQ(shown["path"], "run");
  train_one("gap-edp");
  shown = section(true);
  EXPECT_FALSE(shown["holders"]);
  EXPECT_TRUE(probabilities_) << "under an edge relation predictions may be published";
  EXPECT_EQ(shown["map_audience"], "public");
}

TEST_F(RunSectionTest, WhatIsNotReleasableIsNotShownForRelease) {
  train_one("lap", {{"seed", "1"}});
  EXPECT_FALSE(section()["releasable"]);
  EXPECT_TRUE(section()["plainly"].is_null());
  EXPECT_THROW(section(true), Error);
}

TEST_F(RunSectionTest, NothingIsRepeatedOfACertificateThatDoesNotHold) {
  train_one("lap", {{"epsilon", "4"}});
  std::string text = read(artifact::kRelease, artifact::kCertificate);
  const size_t at = text.find("\"epsilon\": ");
  text.replace(at, text.find(',', at) - at, "\"epsilon\": 0.125");
  write(artifact::kRelease, artifact::kCertificate, text);
  const nlohmann::ordered_json shown = section();
  EXPECT_FALSE(shown["holds"]);
  EXPECT_TRUE(shown["epsilon"].is_null());
  EXPECT_TRUE(shown["statements"].empty());
  EXPECT_EQ(shown.dump().find("0.125"), std::string::npos) << shown.dump();
  EXPECT_THROW(section(true), Error);
}

TEST_F(RunSectionTest, WithoutPrivacyThereIsNoEpsilon) {
  train_one("gap-inf");
  const nlohmann::ordered_json shown = section();
  EXPECT_TRUE(shown["epsilon"].is_null());
  EXPECT_NE(shown["words"][0].get<std::string>().find("gives no differential-privacy guarantee"), std::string::npos);
  EXPECT_TRUE(shown["holders"]);
}

TEST_F(RunSectionTest, CurvesAreReadAndThinned) {
  train_one("lap");
  std::string csv = "stage,what,pass,step,value\n";
  for (int i = 1; i <= 1000; ++i) csv += fmt::format("training,loss,0,{},{}\n", i, 1.0 / i);
  write(artifact::kHolder, "curves.csv", csv + "training,\"a, b\",0,1,nan\n");
  const nlohmann::ordered_json curves = section()["curves"];
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0]["name"], "training,loss");
  EXPECT_EQ(curves[0]["points"].size(), 200u);
  EXPECT_EQ(curves[0]["points"].back()[0], 1000) << "the last is there";
  EXPECT_TRUE(curves[1]["points"].empty()) << "what is no number is left out";
  write(artifact::kHolder, "curves.csv", "stage,what,pass,step,value\ntraining,loss,0,one,2\n");
  try {
    section();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("curves.csv, line 2"), std::string::npos) << error.what();
  }
}

TEST_F(RunSectionTest, HasTheWarningOfAModelThatSaysNoMoreThanOneAnswer) {
  train_one("lap", {{"epsilon", "0.001"}});
  const nlohmann::ordered_json scores = section()["scores"];
  ASSERT_TRUE(scores["warning"].is_string()) << scores.dump();
  EXPECT_NE(scores["warning"].get<std::string>().find("not shown to be better than always answering"),
            std::string::npos);
  EXPECT_GT(scores["repeats"][0]["majority"], 0);
  EXPECT_TRUE(section(true)["scores"].is_null()) << "it reads labels";
}

TEST_F(RunSectionTest, BadMetricsAreNamed) {
  train_one("lap");
  write(artifact::kHolder, artifact::kMetrics, "{\"test_accuracy\": \"high\"}\n");
  try {
    section();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_NE(std::string(error.what()).find("metrics.jsonl, line 1"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("test_accuracy"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace graphveil::report::run_section_test
