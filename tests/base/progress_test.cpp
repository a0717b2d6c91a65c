#include "graphveil/base/progress.h"

#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/context.h"
#include "graphveil/base/error.h"

namespace graphveil::progress_test {
namespace {

struct Recorder : ProgressSink {
  std::vector<ProgressUpdate> updates;
  void update(const ProgressUpdate& u) override { updates.push_back(u); }
};

TEST(Progress, TellsTheSinkWhereItStandsAndThatItEnded) {
  auto recorder = std::make_shared<Recorder>();
  {
    const ContextScope scope({.threads = 0, .progress = recorder});
    Progress progress("work", 10);
    progress.advance(4);
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    progress.advance(3);
  }
  ASSERT_GE(recorder->updates.size(), 2u);
  EXPECT_EQ(recorder->updates.front().task, "work");
  EXPECT_EQ(recorder->updates.front().done, 7);
  EXPECT_EQ(recorder->updates.front().total, 10);
  EXPECT_GE(recorder->updates.front().seconds, 0.1);
  EXPECT_FALSE(recorder->updates.front().finished);
  EXPECT_TRUE(recorder->updates.back().finished);
}

TEST(Progress, StopsTheWorkWhenAsked) {
  struct Stopper : Recorder {
    bool cancelled() override { return true; }
  };
  auto stopper = std::make_shared<Stopper>();
  {
    const ContextScope scope({.threads = 0, .progress = stopper});
    Progress progress("work", 10);
    EXPECT_NO_THROW(progress.advance());  // nobody was told of it yet
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    try {
      progress.advance();
      ADD_FAILURE() << "went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Cancelled);
    }
  }
  EXPECT_TRUE(stopper->updates.back().finished);
}

TEST(Progress, IsSilentWithoutASinkAndNeverPassesItsTotal) {
  {
    const ContextScope scope({});
    Progress progress("work", 1);
    progress.advance(5);
  }
  auto recorder = std::make_shared<Recorder>();
  {
    const ContextScope scope({.threads = 0, .progress = recorder});
    Progress progress("work", 1);
    progress.advance(5);
  }
  ASSERT_EQ(recorder->updates.size(), 1u);
  EXPECT_EQ(recorder->updates[0].done, 1);
}

}  // namespace
}  // namespace graphveil::progress_test
