#include "graphveil/report/summary.h"

#include <nlohmann/json.hpp>

#include "graphveil/report/document.h"
#include "tests/files/builders.h"
#include "tests/report/result_lines.h"
#include "tests/run/small_run.h"

namespace graphveil::report::summary_test {
namespace {

class SummaryTest : public run::SmallRun {};

TEST_F(SummaryTest, TheGuaranteeComesFirst) {
  train_one("lap", {{"epsilon", "4"}});
  const std::string text = summary_text(report_document({folder_}, false));
  EXPECT_TRUE(text.starts_with("A run of lap\nrun (lap): epsilon 4 at delta ")) << text;
  EXPECT_NE(text.find("test accuracy"), std::string::npos);
  EXPECT_NE(text.find("not to be published"), std::string::npos);
  const std::string released = summary_text(report_document({folder_}, true));
  EXPECT_EQ(released.find("accuracy"), std::string::npos) << released;
}

TEST_F(SummaryTest, ASweepHasItsRowsAndNoControlCharacters) {
  const files::TemporaryFolder folder;
  std::string lines;
  for (int64_t seed = 0; seed < 2; ++seed) lines += made_text({.label = "a\x1b[2J", .seed = seed, .accuracy = 0.5});
  const std::string text = summary_text(report_document({folder.write("s/results.jsonl", lines)}, false));
  EXPECT_NE(text.find("s: 2 runs done, 0 failed\n"), std::string::npos) << text;
  EXPECT_NE(text.find("50.0 ± 0.0%"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace graphveil::report::summary_test
