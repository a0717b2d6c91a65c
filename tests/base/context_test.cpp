#include "graphveil/base/context.h"

#include <thread>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"

namespace graphveil::context_test {
namespace {

TEST(Context, TravelsWithItsThreadAndComesBack) {
  const int before = thread_count();
  {
    const ContextScope outer({.threads = 3, .progress = nullptr});
    EXPECT_EQ(thread_count(), 3);
    {
      const ContextScope inner({.threads = 1, .progress = nullptr});
      EXPECT_EQ(thread_count(), 1);
      int elsewhere = 0;
      std::thread([&] { elsewhere = current_context().threads; }).join();
      EXPECT_EQ(elsewhere, 0);
    }
    EXPECT_EQ(thread_count(), 3);
  }
  EXPECT_EQ(thread_count(), before);
}

TEST(Context, RefusesAbsurdNumbersOfThreads) {
  EXPECT_THROW(ContextScope({.threads = -1, .progress = nullptr}), Error);
  EXPECT_THROW(ContextScope({.threads = 5000, .progress = nullptr}), Error);
}

}  // namespace
}  // namespace graphveil::context_test
