#include "graphveil/base/error.h"

#include <set>

#include <gtest/gtest.h>

namespace graphveil::error_test {
namespace {

TEST(Error, CarriesKindAndFormattedMessage) {
  try {
    fail(ErrorKind::BadInput, "row {} of {}", 3, "labels");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_STREQ(error.what(), "row 3 of labels");
  }
}

TEST(Error, RequireThrowsInvalidArgumentOnlyWhenFalse) {
  EXPECT_NO_THROW(require(true, "fine"));
  try {
    require(false, "rate is {}, want 0 to 1", 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidArgument);
    EXPECT_STREQ(error.what(), "rate is 2, want 0 to 1");
  }
}

TEST(Error, EveryKindHasItsOwnName) {
  std::set<std::string> names;
  for (ErrorKind kind :
       {ErrorKind::InvalidArgument, ErrorKind::BadInput, ErrorKind::Unsupported, ErrorKind::BudgetExceeded,
        ErrorKind::NotConverged, ErrorKind::Io, ErrorKind::Cancelled, ErrorKind::Internal}) {
    names.insert(name(kind));
  }
  EXPECT_EQ(names.size(), 8u);
}

}  // namespace
}  // namespace graphveil::error_test
