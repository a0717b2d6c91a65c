#include "graphveil/base/scratch_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "graphveil/base/large_memory.h"

namespace graphveil::scratch_file_test {
namespace {

TEST(ScratchFile, HasNoNameAndAllItsBlocks) {
  const int file = open_scratch_file("/var/tmp", 1 << 20);
  struct stat status {};
  ASSERT_EQ(::fstat(file, &status), 0);
  ::close(file);
  EXPECT_EQ(status.st_nlink, 0u);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_GE(status.st_blocks * 512, 1 << 20);
}

TEST(ScratchFile, AFolderThatIsNotThereIsNamed) {
  try {
    open_scratch_file("/no/such/folder", 4096);
    ADD_FAILURE() << "it was made";
  } catch (const ScratchError& error) {
    EXPECT_NE(std::string(error.what()).find("/no/such/folder: no scratch folder"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace graphveil::scratch_file_test
