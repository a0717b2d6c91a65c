#include "graphveil/nn/stage.h"

#include <memory>

#include <gtest/gtest.h>

#include "graphveil/base/context.h"
#include "graphveil/base/error.h"
#include "tests/nn/memory_checkpoints.h"

namespace graphveil::nn::stage_test {
namespace {

State some_state() {
  Matrix matrix(2, 3);
  for (int64_t i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<Real>(i);
  State state;
  state["weights"] = to_tensor(matrix);
  state["steps"] = to_tensor(int64_t{7});
  state["empty"] = to_tensor(std::span<const uint8_t>());
  return state;
}

bool same(const State& a, const State& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) {
           return x.first == y.first && x.second.type == y.second.type && x.second.shape == y.second.shape &&
                  x.second.bytes == y.second.bytes;
         });
}

TEST(Stage, WithoutCheckpointsNothingIsKept) {
  const Stage stage("fit");
  EXPECT_FALSE(stage.due());
  EXPECT_FALSE(stage.kept().has_value());
  stage.keep(some_state());
}

TEST(Stage, TheNextProcessGetsWhatWasKept) {
  auto store = std::make_shared<MemoryCheckpoints>();
  {
    const ContextScope scope({.checkpoints = store});
    const Stage stage("fit");
    EXPECT_TRUE(stage.due());
    stage.keep(some_state());
  }
  auto next = std::make_shared<MemoryCheckpoints>();
  next->kept = store->kept;
  const ContextScope scope({.checkpoints = next});
  const std::optional<State> kept = Stage("fit").kept();
  ASSERT_TRUE(kept.has_value());
  EXPECT_TRUE(same(*kept, some_state()));
  EXPECT_FALSE(Stage("fit").kept().has_value());  // the second one of the run
}

TEST(Stage, BytesThatAreNoStateAreRefused) {
  const std::vector<uint8_t> bytes = to_bytes(some_state());
  EXPECT_TRUE(same(state_from_bytes(bytes, "s"), some_state()));
  for (size_t size = 1; size < bytes.size(); ++size) {
    try {
      const State cut = state_from_bytes(std::span(bytes).first(size), "s");
      EXPECT_LT(cut.size(), some_state().size());  // it was cut between two arrays
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    }
  }
  std::vector<uint8_t> wild(64, 0xff);
  EXPECT_THROW(state_from_bytes(wild, "s"), Error);
}

}  // namespace
}  // namespace graphveil::nn::stage_test
