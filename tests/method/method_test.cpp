#include "graphveil/method/method.h"

#include <gtest/gtest.h>

#include "tests/method/tiny_task.h"

namespace graphveil::method {
namespace {

TEST(Required, NullIsAnInternalError) {
  try {
    required(nullptr);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Internal);
  }
  mechanism::Release release(bound::Relation::Node, {}, kAnyBudget, Seed::from_number(1));
  EXPECT_EQ(&required(&release), &release);
}

}  // namespace
}  // namespace graphveil::method
