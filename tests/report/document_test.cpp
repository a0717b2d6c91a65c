#include "graphveil/report/document.h"

#include <nlohmann/json.hpp>

#include "tests/files/builders.h"
#include "tests/report/result_lines.h"
#include "tests/run/small_run.h"

namespace graphveil::report::document_test {
namespace {

class DocumentTest : public run::SmallRun {
 protected:
  files::TemporaryFolder files_;
};

TEST_F(DocumentTest, TakesRunsAndSweepsTogether) {
  train_one("gap-edp");
  const std::string sweep = files_.write("s/results.jsonl", made_text({}) + made_text({.label = "b"}));
  const auto document = report_document({folder_, sweep}, false);
  EXPECT_EQ(document["format"], kReportFormat);
  EXPECT_EQ(document["audience"], "holder");
  EXPECT_EQ(document["title"], "2 methods on cora");
  EXPECT_EQ(document["sources"][1]["kind"], "sweep");
  ASSERT_EQ(document["runs"].size(), 1u);
  const auto& map = document["runs"][0]["map"];
  EXPECT_EQ(map["nodes"], data_.nodes());
  EXPECT_EQ(map["x"].size(), map["predicted"].size());
  for (const auto& x : map["x"]) {
    EXPECT_GE(x.get<int>(), 0);
    EXPECT_LE(x.get<int>(), map["width"].get<int>());
  }
}

TEST_F(DocumentTest, ForReleaseOnlyRunsAndNoPaths) {
  train_one("gap-edp");
  const auto document = report_document({folder_}, true);
  EXPECT_EQ(document["audience"], "public");
  EXPECT_EQ(document.dump().find(place_.string()), std::string::npos) << "no path of the holder's machine";
  EXPECT_TRUE(document["runs"][0]["scores"].is_null());
  const std::string sweep = files_.write("s/results.jsonl", made_text({}));
  EXPECT_THROW(report_document({sweep}, true), Error);
  EXPECT_THROW(report_document({}, false), Error);
}

}  // namespace
}  // namespace graphveil::report::document_test
