#include "graphveil/artifact/checkpoint_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::artifact::checkpoint_folder_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class CheckpointFolderTest : public testing::Test {
 protected:
  CheckpointFolderTest()
      : folder_((fs::temp_directory_path() / ("graphveil-stages-" + std::to_string(getpid()))).string()) {
    fs::remove_all(CheckpointFolder::path_of(folder_));
  }
  ~CheckpointFolderTest() override { fs::remove_all(CheckpointFolder::path_of(folder_)); }
  CheckpointFolder opened(uint64_t seed = 1, std::chrono::duration<double> every = 0s) const {
    return {folder_, Seed::from_number(seed), every};
  }
  std::string folder_;
};

TEST_F(CheckpointFolderTest, TheNextProcessFindsStagesInTheirOrder) {
  const std::vector<uint8_t> one{1, 2, 3}, two{4};
  {
    CheckpointFolder store = opened();
    const std::string a = store.next("encoder"), b = store.next("encoder");
    EXPECT_FALSE(store.load(a).has_value());
    store.save(a, two);
    store.save(a, one);
    store.save(b, two);
    struct stat found {};
    ASSERT_EQ(stat(CheckpointFolder::path_of(folder_).c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, 0700u);
  }
  CheckpointFolder store = opened();
  EXPECT_EQ(store.load(store.next("encoder")), one);
  EXPECT_EQ(store.load(store.next("encoder")), two);
  EXPECT_FALSE(store.load(store.next("classifier")).has_value());
  store.remove();
  EXPECT_FALSE(fs::exists(CheckpointFolder::path_of(folder_)));
}

TEST_F(CheckpointFolderTest, AnotherRunsOrStagesFileIsRefused) {
  CheckpointFolder store = opened();
  store.save(store.next("encoder"), std::vector<uint8_t>{1, 2, 3});
  CheckpointFolder other = opened(2);
  EXPECT_THROW(other.load(other.next("encoder")), Error);
  CheckpointFolder again = opened();
  EXPECT_THROW(again.load(again.next("classifier")), Error);  // the first stage had another name
  for (const auto& file : fs::directory_iterator(CheckpointFolder::path_of(folder_))) {
    fs::resize_file(file.path(), 20);
  }
  CheckpointFolder torn = opened();
  EXPECT_THROW(torn.load(torn.next("encoder")), Error);
}

TEST_F(CheckpointFolderTest, IsDueAfterItsTime) {
  EXPECT_TRUE(opened(1, 0s).due());
  EXPECT_FALSE(opened(1, 1000s).due());
}

}  // namespace
}  // namespace graphveil::artifact::checkpoint_folder_test
