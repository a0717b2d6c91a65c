#include "graphveil/base/large_memory.h"

#include <sys/statfs.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/parallel.h"
#include "graphveil/base/resources.h"

namespace graphveil::large_memory_test {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr size_t kArray = static_cast<size_t>(64 * kMiB);
constexpr const char* kFolder = "/var/tmp";

// A limit is the process's, so every test with one is a process of its own, which ends with 0 when all held.
#define GRAPHVEIL_CHECK(condition)                         \
  if (!(condition)) {                                      \
    std::fprintf(stderr, "does not hold: %s", #condition); \
    std::exit(1);                                          \
  }

void write_pattern(void* memory, int seed) {
  auto* words = static_cast<uint64_t*>(memory);
  for (size_t i = 0; i < kArray / sizeof(uint64_t); ++i)
    words[i] = i * 0x9e3779b97f4a7c15u + static_cast<uint64_t>(seed);
}

bool has_pattern(const void* memory, int seed) {
  const auto* words = static_cast<const uint64_t*>(memory);
  for (size_t i = 0; i < kArray / sizeof(uint64_t); ++i) {
    if (words[i] != i * 0x9e3779b97f4a7c15u + static_cast<uint64_t>(seed)) return false;
  }
  return true;
}

void arrays_beyond_the_limit() {
  constexpr int64_t kLimit = 128 * kMiB;
  constexpr int kArrays = 12;
  limit_memory(kLimit, kFolder);
  const int64_t before = peak_memory_bytes();
  std::vector<void*> arrays;
  for (int i = 0; i < kArrays; ++i) {
    arrays.push_back(allocate_large(kArray));
    GRAPHVEIL_CHECK(arrays.back() != nullptr);
    GRAPHVEIL_CHECK(static_cast<const char*>(arrays.back())[kArray - 1] == 0);
    write_pattern(arrays.back(), i);
  }
  GRAPHVEIL_CHECK(large_memory_use().ordinary_bytes == 64 * kMiB);
  GRAPHVEIL_CHECK(large_memory_use().scratch_bytes == (kArrays - 1) * 64 * kMiB);
  for (int i = 0; i < kArrays; ++i) GRAPHVEIL_CHECK(has_pattern(arrays[static_cast<size_t>(i)], i));
  GRAPHVEIL_CHECK(peak_memory_bytes() < std::max(before, kLimit) + 200 * kMiB);
  for (void* array : arrays) GRAPHVEIL_CHECK(free_large(array));
  GRAPHVEIL_CHECK(!free_large(arrays.front()));
  GRAPHVEIL_CHECK(large_memory_use().ordinary_bytes == 0 && large_memory_use().scratch_bytes == 0);
  std::exit(0);
}

// Whoever reads faster than the watching thread wakes keeps the limit by looking itself.
void arrays_that_are_only_read() {
  constexpr int64_t kLimit = 128 * kMiB, kPiece = kMiB;
  constexpr int kArrays = 12;
  limit_memory(kLimit, kFolder);
  std::vector<const char*> arrays;
  for (int i = 0; i < kArrays; ++i) {
    void* const array = allocate_large(kArray);
    write_pattern(array, i);
    arrays.push_back(static_cast<const char*>(array));
  }
  const int64_t before = peak_memory_bytes();
  for (int round = 0; round < 20; ++round) {
    for (const char* array : arrays) {
      parallel_for(static_cast<int64_t>(kArray), kPiece, [&](int64_t begin, int64_t end) {
        for (int64_t at = begin; at < end; at += 4096)
          static_cast<void>(*static_cast<const volatile char*>(array + at));
      });
    }
  }
  GRAPHVEIL_CHECK(peak_memory_bytes() < std::max(before, kLimit) + 100 * kMiB);
  std::exit(0);
}

void a_folder_that_cannot_hold_them(const char* folder, const char* word) {
  limit_memory(64 * kMiB, folder);
  try {
    allocate_large(kArray);
  } catch (const ScratchError& error) {
    std::exit(std::strstr(error.what(), word) != nullptr && std::strstr(error.what(), "--scratch") != nullptr ? 0 : 2);
  }
  std::exit(3);
}

TEST(LargeMemory, WithoutALimitNothingIsLarge) {
  EXPECT_EQ(allocate_large(kArray), nullptr);
  void* const array = allocate_array(kArray, true);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(array) % 64, 0u);
  EXPECT_FALSE(free_large(array));
  free_array(array);
}

TEST(LargeMemoryDeathTest, BeyondTheLimitArraysLieInScratchFilesAndKeepWhatWasWritten) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(arrays_beyond_the_limit(), testing::ExitedWithCode(0), "");
}

TEST(LargeMemoryDeathTest, LoopsThatOnlyReadStayWithinTheLimit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(arrays_that_are_only_read(), testing::ExitedWithCode(0), "");
}

TEST(LargeMemoryDeathTest, AFolderThatCannotHoldThemIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(a_folder_that_cannot_hold_them("/no/such/folder", "/no/such/folder"), testing::ExitedWithCode(0), "");
  struct statfs disk {};
  if (::statfs("/dev/shm", &disk) != 0 || disk.f_type != 0x01021994) return;
  EXPECT_EXIT(a_folder_that_cannot_hold_them("/dev/shm", "lies in memory"), testing::ExitedWithCode(0), "");
}

TEST(LargeMemory, ALimitTooSmallToWorkInIsRefused) { EXPECT_ANY_THROW(limit_memory(kMiB, kFolder)); }

}  // namespace
}  // namespace graphveil::large_memory_test
