#include "graphveil/account/accounting.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::account::accounting_test {
namespace {

TEST(Accounting, NamesComeBack) {
  for (const Accounting accounting : {Accounting::Tight, Accounting::Published}) {
    EXPECT_EQ(accounting_from_name(name(accounting)), accounting);
  }
  EXPECT_THROW(accounting_from_name("loose"), Error);
}

}  // namespace
}  // namespace graphveil::account::accounting_test
