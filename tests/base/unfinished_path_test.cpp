#include "graphveil/base/unfinished_path.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace graphveil::unfinished_path_test {
namespace {

namespace fs = std::filesystem;

TEST(UnfinishedPath, ASignalHandlerRemovesFilesAndThenFolders) {
  const fs::path folder = fs::temp_directory_path() / ("graphveil-unfinished-" + std::to_string(getpid()));
  const fs::path kept = folder.string() + ".kept";
  std::ofstream(kept) << "x";
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGINT, [](int) {
      remove_unfinished_paths();
      _exit(130);
    });
    fs::create_directory(folder);
    const UnfinishedPath outer(folder.string()), inner((folder / "file").string());
    std::ofstream(folder / "file") << "half";
    { const UnfinishedPath done(kept.string()); }
    raise(SIGINT);
    sleep(5);  // ThreadSanitizer hands signals over in blocking calls only
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_TRUE(fs::exists(kept));
  fs::remove(kept);
}

TEST(UnfinishedPath, MoreThanFitAreLeftAlone) {
  std::vector<std::unique_ptr<UnfinishedPath>> many;
  for (int i = 0; i < 100; ++i) many.push_back(std::make_unique<UnfinishedPath>("/nonexistent/" + std::to_string(i)));
  many.clear();
  const UnfinishedPath one("/nonexistent/again");
  remove_unfinished_paths();
}

}  // namespace
}  // namespace graphveil::unfinished_path_test
