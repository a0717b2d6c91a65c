// The program's own operators new and delete, which this test is linked with.
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/large_memory.h"

namespace graphveil::cli::large_new_test {
namespace {

// What keeps the list of large arrays is small memory, which lies at the beginning of a page now and then, as large
// arrays do: freeing it must not wait for the lock that its owner holds.
TEST(LargeNew, VectorsComeAndGoWhateverLiesBesideThem) {
  constexpr int64_t kLimit = int64_t{1} << 30;
  constexpr size_t kLarge = size_t{32} << 20;
  limit_memory(kLimit, "/var/tmp");
  std::vector<std::unique_ptr<char[]>> beside;
  int at_a_page = 0;
  for (int i = 0; i < 4096; ++i) {
    const std::vector<char> large = [] {
      std::vector<char> out;
      out.reserve(kLarge);
      return out;
    }();
    beside.push_back(std::make_unique<char[]>(40));  // moves where the next small memory lies
    at_a_page += reinterpret_cast<uintptr_t>(beside.back().get()) % 4096 == 0;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    ASSERT_EQ(large_memory_use().ordinary_bytes, static_cast<int64_t>(kLarge));
#endif
  }
  EXPECT_EQ(large_memory_use().ordinary_bytes, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_GT(at_a_page, 4) << "nothing was tried";
#endif
}

}  // namespace
}  // namespace graphveil::cli::large_new_test
