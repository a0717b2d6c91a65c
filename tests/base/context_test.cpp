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

TEST(Context, MemoryIsAskedForBeforeItIsTaken) {
  EXPECT_NO_THROW(require_memory(1e6, "a"));
  EXPECT_THROW(require_memory(1e18, "a"), Error);
  const ContextScope small({.threads = 0, .progress = nullptr, .memory = 1000});
  EXPECT_NO_THROW(require_memory(1000, "a"));
  try {
    require_memory(4.0 * (1 << 30), "a network");
    ADD_FAILURE() << "given";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidArgument);
    EXPECT_NE(std::string(error.what()).find("a network takes at least 4 GiB"), std::string::npos) << error.what();
  }
  EXPECT_THROW(ContextScope({.threads = 0, .progress = nullptr, .memory = -1}), Error);
}

}  // namespace
}  // namespace graphveil::context_test
