// The readme's table of methods is what the program prints, its links are all pages, and the documents name files that
// exist.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace graphveil::readme_test {
namespace {

namespace fs = std::filesystem;
const fs::path kRoot = GRAPHVEIL_SOURCE_DIR;

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Readme, TableOfMethodsIsWhatTheProgramPrints) {
  const std::string readme = text_of(kRoot / "README.md");
  const std::string begin = "<!-- graphveil methods --markdown -->\n", end = "<!-- end -->";
  const size_t from = readme.find(begin), to = readme.find(end, from);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  const cli::TemporaryFolder folder;
  const cli::Outcome outcome = cli::run(folder, "methods --markdown");
  EXPECT_EQ(readme.substr(from + begin.size(), to - from - begin.size()), outcome.out)
      << "the readme is stale: run scripts/pages";
}

// A new page needs no edit of the readme by hand, only a run of scripts/pages: this says when it was forgotten.
TEST(Readme, LinksEveryPage) {
  const std::string readme = text_of(kRoot / "README.md");
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string page = fs::relative(entry.path(), kRoot).generic_string();
    EXPECT_NE(readme.find("](" + page + ")"), std::string::npos)
        << "README.md does not link " << page << ": run scripts/pages";
    ++seen;
  }
  EXPECT_GT(seen, 15);
}

// Every relative link of every page leads somewhere.
TEST(Documents, LinksLeadSomewhere) {
  static const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  std::vector<fs::path> pages{kRoot / "README.md", kRoot / "CONTRIBUTING.md", kRoot / "CHANGELOG.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  int seen = 0;
  for (const fs::path& page : pages) {
    const std::string text = text_of(page);
    for (auto it = std::sregex_iterator(text.begin(), text.end(), link); it != std::sregex_iterator(); ++it, ++seen) {
      EXPECT_TRUE(fs::exists(page.parent_path() / (*it)[1].str())) << page << " links to " << (*it)[1];
    }
  }
  EXPECT_GT(seen, 10);
}

// Every source that a page names in code marks is there.
TEST(Documents, NameSourcesThatExist) {
  static const std::regex source(
      R"(`(?:src/graphveil/)?((?:base|kernels|account|graph|files|bound|mechanism|nn|learn|method|budget|run|report)/[a-z0-9_/]+\.(?:h|cpp))`)");
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string text = text_of(entry.path());
    for (auto it = std::sregex_iterator(text.begin(), text.end(), source); it != std::sregex_iterator(); ++it, ++seen) {
      if ((*it)[1].str().find("/foo") != std::string::npos) continue;  // a name that stands for any
      EXPECT_TRUE(fs::exists(kRoot / "src" / "graphveil" / (*it)[1].str())) << entry.path() << " names " << (*it)[1];
    }
  }
  EXPECT_GT(seen, 5);
}

}  // namespace
}  // namespace graphveil::readme_test
