#include "graphveil/attack/timing.h"

#include <gtest/gtest.h>

#include "graphveil/attack/training_audit.h"
#include "tests/run/small_run.h"

namespace graphveil::attack::timing_test {
namespace {

TEST(Timing, MeasuresBothSidesAndModelsHaveOneSize) {
  const auto experiment = run::quick("lap", {{"epsilon", "2"}});
  const run::InputData input{run::tiny(), std::nullopt};
  const run::Parts parts = run::make_parts(*experiment, input, Seed::from_number(1));
  const run::Prepared prepared = run::prepare(*experiment, bound::Relation::Node, run::public_facts(parts, input));
  const CanaryPair canary = canary_pair(parts.data, canary_node(parts), 8, bound::Relation::Node);
  const TimingResult found = timing_attack(prepared, parts, canary, 3, Seed::from_number(1));
  EXPECT_GT(found.seconds_there.mean, 0);
  EXPECT_GT(found.seconds_blank.mean, 0);
  EXPECT_EQ(found.model_bytes_there.mean, found.model_bytes_blank.mean);
  EXPECT_EQ(found.model_bytes_there.std, 0);
}

}  // namespace
}  // namespace graphveil::attack::timing_test
