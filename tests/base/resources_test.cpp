#include "graphveil/base/resources.h"

#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace graphveil::resources_test {
namespace {

TEST(Timer, MeasuresAndRestarts) {
  Timer timer;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_GE(timer.seconds(), 0.2);
  timer.restart();
  EXPECT_LT(timer.seconds(), 0.2);
}

TEST(PeakMemory, GrowsWithWhatIsTouched) {
  const int64_t before = peak_memory_bytes();
  EXPECT_GT(before, 1 << 20);
  const size_t bytes = static_cast<size_t>(before) + (64 << 20);
  std::vector<char> touched(bytes, 1);
  EXPECT_GE(peak_memory_bytes(), static_cast<int64_t>(bytes));
}

TEST(Memory, WhatIsFreeIsPartOfWhatIsThere) {
  EXPECT_GT(free_memory_bytes(), 0);
  EXPECT_LE(free_memory_bytes(), memory_limit_bytes());
}

}  // namespace
}  // namespace graphveil::resources_test
