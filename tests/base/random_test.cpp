#include "graphveil/base/random.h"

#include <gtest/gtest.h>

namespace graphveil {
namespace {

TEST(RandomStream, SameNameGivesTheSameBits) {
  const Seed seed = Seed::from_number(7);
  RandomStream a(seed, "test", 3);
  RandomStream b(seed, "test", 3);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(a.next_u64(), b.next_u64());
}

}  // namespace
}  // namespace graphveil
