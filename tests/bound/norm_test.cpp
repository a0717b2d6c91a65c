#include "graphveil/bound/norm.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::bound::norm_test {
namespace {

TEST(Norm, NamesGoBothWays) {
  for (Norm norm : {Norm::L1, Norm::L2, Norm::LInf, Norm::Hamming}) EXPECT_EQ(norm_from_name(name(norm)), norm);
  EXPECT_THROW(norm_from_name("l2"), Error);
}

}  // namespace
}  // namespace graphveil::bound::norm_test
