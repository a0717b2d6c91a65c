#include "graphveil/sweep/kept_run.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "tests/files/builders.h"

namespace graphveil::sweep::kept_run_test {
namespace {

TEST(OutcomeOfFolder, TakesTheCertificateAndTheHoldersFigures) {
  const files::TemporaryFolder folder;
  EXPECT_FALSE(outcome_of_folder(folder.path("none")));
  folder.write("r/draft/certificate.json", R"({"method": "lap", "epsilon": 2})");
  folder.write("r/holder/metrics.jsonl", "{\"test_accuracy\": 0.5, \"confusion\": [[1]]}\n{\"test_accuracy\": 0.9}\n");
  const nlohmann::json out = nlohmann::json::parse(*outcome_of_folder(folder.path("r")));
  EXPECT_EQ(out["method"], "lap");
  EXPECT_EQ(out["test_accuracy"]["mean"], 0.5);
  EXPECT_EQ(out["confusion"][0][0], 1);
  folder.write("torn/release/certificate.json", "{");
  EXPECT_THROW(outcome_of_folder(folder.path("torn")), Error);
}

}  // namespace
}  // namespace graphveil::sweep::kept_run_test
