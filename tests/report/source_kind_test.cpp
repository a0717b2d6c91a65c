#include "graphveil/report/source_kind.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/files/builders.h"

namespace graphveil::report::source_kind_test {
namespace {

TEST(SourceKind, LooksIntoWhatItIsGiven) {
  const files::TemporaryFolder folder;
  folder.write("sweep/results.jsonl", "");
  folder.write("run/release/certificate.json", "{}");
  folder.write("draft/draft/certificate.json", "{}");
  EXPECT_EQ(kind_of(folder.path("sweep")), SourceKind::Sweep);
  EXPECT_EQ(kind_of(folder.path("sweep/results.jsonl")), SourceKind::Sweep);
  EXPECT_EQ(kind_of(folder.path("run")), SourceKind::Run);
  EXPECT_EQ(kind_of(folder.path("run/release")), SourceKind::Run);
  EXPECT_EQ(kind_of(folder.path("draft")), SourceKind::Run);
  EXPECT_EQ(kind_of(folder.write("c.json", "{\"format\": \"x\", \"digest\": \"y\"}")), SourceKind::Run);
  EXPECT_EQ(kind_of(folder.write("b.gvb", "SQLite format 3 and so on")), SourceKind::Book);
  EXPECT_EQ(kind_of(folder.write("a.json", "{\"attack\": \"lira\"}")), SourceKind::Attack);
  EXPECT_EQ(kind_of(folder.write("d.json", "{\"epsilon_claimed\": 1, \"rows\": []}")), SourceKind::Audit);
  EXPECT_EQ(results_path(folder.path("sweep")), folder.path("sweep/results.jsonl"));
  EXPECT_EQ(results_path(folder.path("x.jsonl")), folder.path("x.jsonl"));
}

TEST(SourceKind, SaysWhatIsWanted) {
  const files::TemporaryFolder folder;
  const auto said = [&](const std::string& path) -> std::string {
    try {
      kind_of(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  std::filesystem::create_directory(folder.path("empty"));
  EXPECT_NE(said(folder.path("empty")).find("has no results.jsonl of a sweep and no release/"), std::string::npos);
  EXPECT_NE(said(folder.path("none")).find("there is no such file"), std::string::npos);
  EXPECT_NE(said(folder.write("x.json", "{}")).find("want a file that `attack --out`"), std::string::npos);
  EXPECT_NE(said(folder.write("y.json", "[1]")).find("want a file"), std::string::npos);
  EXPECT_NE(said(folder.write("z.txt", "hello")).find("z.txt"), std::string::npos);
}

}  // namespace
}  // namespace graphveil::report::source_kind_test
