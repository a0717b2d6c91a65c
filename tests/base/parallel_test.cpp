#include "graphveil/base/parallel.h"

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/threads.h"

namespace graphveil::parallel_test {
namespace {

TEST(Parallel, VisitsEveryIndexOnceForAnyThreadCount) {
  for (int threads : {1, 2, 5}) {
    set_thread_count(threads);
    std::vector<std::atomic<int>> visits(1003);
    parallel_for(1003, 10, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) ++visits[i];
    });
    for (auto& v : visits) EXPECT_EQ(v, 1);
  }
}

TEST(Parallel, CarriesTheExceptionOut) {
  set_thread_count(2);
  EXPECT_THROW(parallel_for(100, 1,
                            [](int64_t begin, int64_t) {
                              if (begin == 57) throw std::out_of_range("57");
                            }),
               std::out_of_range);
}

TEST(Parallel, NestedLoopsRun) {
  set_thread_count(2);
  std::atomic<int64_t> sum{0};
  parallel_for(10, 1, [&](int64_t outer, int64_t) {
    parallel_for(10, 3, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) sum += outer * 10 + i;
    });
  });
  EXPECT_EQ(sum, 4950);
}

// A thread's number is nobody else's while its piece runs, and a loop inside a loop has one thread.
TEST(Parallel, ThreadsHaveNumbersOfTheirOwn) {
  set_thread_count(5);
  std::vector<std::atomic<int>> busy(5);
  std::vector<int64_t> sums(5);  // not atomic: of one thread each
  parallel_for_threads(10000, 3, [&](int64_t begin, int64_t end, int thread) {
    EXPECT_EQ(busy.at(static_cast<size_t>(thread))++, 0);
    EXPECT_EQ(thread_count(), 1);
    for (int64_t i = begin; i < end; ++i) sums[static_cast<size_t>(thread)] += i;
    --busy[static_cast<size_t>(thread)];
  });
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), int64_t{0}), 9999 * 10000 / 2);
  EXPECT_EQ(thread_count(), 5);
}

TEST(Beside, RunsAndCarriesTheExceptionOut) {
  for (const int threads : {1, 2}) {
    set_thread_count(threads);
    int done = 0;
    Beside work([&] { parallel_for(10, 1, [&](int64_t, int64_t) { ++done; }); });
    work.wait();
    EXPECT_EQ(done, 10);
    EXPECT_THROW(
        {
          Beside bad([] { throw std::out_of_range("57"); });
          bad.wait();
        },
        std::out_of_range);
  }
  set_thread_count(2);
  {
    Beside nobody_waits([] { throw std::out_of_range("57"); });
  }
}

TEST(Parallel, EmptyLoopAndBadThreadCount) {
  parallel_for(0, 1, [](int64_t, int64_t) { FAIL(); });
  EXPECT_THROW(set_thread_count(-1), Error);
}

}  // namespace
}  // namespace graphveil::parallel_test
