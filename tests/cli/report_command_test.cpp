// graphveil report, as a user runs it.
#include <sys/stat.h>

#include <filesystem>

#include "tests/cli/journey.h"
#include "tests/report/result_lines.h"

namespace graphveil::cli::report_command_test {
namespace {

namespace fs = std::filesystem;
using report::made_text;

class ReportCommand : public Journey {
 protected:
  std::string text_of(const std::string& name) const { return files::read_bytes(folder_.path(name)); }
  mode_t mode_of(const std::string& name) const {
    struct stat status {};
    EXPECT_EQ(stat(folder_.path(name).c_str(), &status), 0) << name;
    return status.st_mode & 0777;
  }
  Outcome report(const std::string& arguments) { return run(folder_, "report " + arguments + " -q"); }
};

TEST_F(ReportCommand, OfARunIsTheHoldersAndSaysWhereItLies) {
  ASSERT_EQ(train("lap", "run", "-e 4").exit_code, 0);
  const Outcome made = report(folder_.path("run"));
  ASSERT_EQ(made.exit_code, 0) << made.error;
  EXPECT_TRUE(made.out.starts_with("A run of lap\nrun (lap): epsilon 4 at delta ")) << made.out;
  EXPECT_NE(made.out.find("run/holder/report.html\n"), std::string::npos) << made.out;
  EXPECT_EQ(mode_of("run/holder/report.html"), 0600u);
  EXPECT_EQ(run(folder_, "verify " + folder_.path("run") + " -q").exit_code, 0) << "a report does not spoil a run";
  EXPECT_EQ(report(folder_.path("run")).exit_code, 0) << "a report is made again";
}

TEST_F(ReportCommand, ForReleaseItHoldsNothingOfTheHolders) {
  ASSERT_EQ(train("lap", "run", "-e 4").exit_code, 0);
  const std::string out = folder_.path("page.html");
  const Outcome made = report(folder_.path("run") + " --for release --json --out " + out);
  ASSERT_EQ(made.exit_code, 0) << made.error;
  EXPECT_EQ(made.json()["audience"], "public");
  EXPECT_EQ(text_of("page.html").find("test_accuracy\":"), std::string::npos);
  EXPECT_EQ(text_of("page.html").find(folder_.path("run")), std::string::npos);
  const Outcome beside =
      report(folder_.path("run") + " --for release --out " + folder_.path("run/release/report.html"));
  EXPECT_EQ(beside.exit_code, 2);
  EXPECT_NE(beside.error.find("verify"), std::string::npos) << beside.error;
  ASSERT_EQ(train("lap", "seeded", "-e 4 -s 1").exit_code, 0);
  EXPECT_EQ(report(folder_.path("seeded") + " --for release --out " + folder_.path("no.html")).exit_code, 2);
  EXPECT_FALSE(there("no.html"));
}

TEST_F(ReportCommand, OfASweepWritesThePageAndTables) {
  folder_.write("sweep/results.jsonl", made_text({.accuracy = 0.25}) + made_text({.seed = 1, .accuracy = 0.75}));
  const Outcome made = report(folder_.path("sweep") + " --csv");
  ASSERT_EQ(made.exit_code, 0) << made.error;
  EXPECT_TRUE(there("sweep/report.html"));
  EXPECT_NE(text_of("sweep/report.csv").find("cora,lap,lap,node,100,4,0.0001,tight,true,1,0.75"), std::string::npos);
  fs::remove(folder_.path("sweep/report.html"));
  const Outcome table = report(folder_.path("sweep") + " --markdown");
  ASSERT_EQ(table.exit_code, 0) << table.error;
  EXPECT_NE(table.out.find("| method | guarantee | ε = 4 |"), std::string::npos) << table.out;
  EXPECT_FALSE(there("sweep/report.html")) << "a table alone writes nothing";
}

TEST_F(ReportCommand, BadInputIsNamed) {
  const std::string bad =
      folder_.write("bad/results.jsonl", "{\"id\": \"a\", \"method\": \"lap\", \"status\": \"maybe\"}\n");
  const Outcome status = report(folder_.path("bad"));
  EXPECT_EQ(status.exit_code, 2);
  EXPECT_NE(status.error.find(bad + ": line 1: status is 'maybe', want done or failed"), std::string::npos)
      << status.error;
  EXPECT_FALSE(there("bad/report.html"));
  EXPECT_EQ(report(folder_.path("nowhere")).exit_code, 2);
  EXPECT_EQ(report(folder_.write("x.json", "{}")).exit_code, 2);
  EXPECT_EQ(report(folder_.write("x.gvb", "SQLite format 3")).exit_code, 2);
  EXPECT_EQ(report("").exit_code, 2);
  folder_.write("good/results.jsonl", made_text({}));
  EXPECT_EQ(report(folder_.path("good") + " --out " + folder_.path("page.txt")).exit_code, 2);
  folder_.write("mine.html", "<p>mine");
  const Outcome over = report(folder_.path("good") + " --out " + folder_.path("mine.html"));
  EXPECT_EQ(over.exit_code, 2);
  EXPECT_NE(over.error.find("--force"), std::string::npos);
  EXPECT_EQ(text_of("mine.html"), "<p>mine");
  ASSERT_EQ(train("lap", "run").exit_code, 0);
  EXPECT_EQ(report(folder_.path("run") + " --markdown").exit_code, 2) << "a run has no table";
}

}  // namespace
}  // namespace graphveil::cli::report_command_test
