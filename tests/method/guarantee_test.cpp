#include "graphveil/method/guarantee.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::method {
namespace {

TEST(Guarantee, NamesGoBothWays) {
  for (Covers covers : {Covers::Parameters, Covers::ParametersAndPredictions}) {
    EXPECT_EQ(covers_from_name(name(covers)), covers);
  }
  for (Accounting accounting : {Accounting::Tight, Accounting::Published}) {
    EXPECT_EQ(accounting_from_name(name(accounting)), accounting);
  }
  EXPECT_THROW(covers_from_name("everything"), Error);
  EXPECT_THROW(accounting_from_name("loose"), Error);
}

}  // namespace
}  // namespace graphveil::method
