#include "graphveil/graph/names.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::graph::names_test {
namespace {

Names names_of(const std::vector<std::string>& list) { return Names(std::span<const std::string>(list)); }

TEST(Names, KeepTextsByNumber) {
  const Names names = names_of({"anna", "", "b\nc", "dé"});
  EXPECT_EQ(names.size(), 4);
  EXPECT_EQ(names[0], "anna");
  EXPECT_EQ(names[1], "");
  EXPECT_EQ(names[2], "b\nc");
  EXPECT_EQ(names.list(), (std::vector<std::string>{"anna", "", "b\nc", "dé"}));
  const std::vector<int32_t> places{3, 0};
  EXPECT_EQ(names.at(places).list(), (std::vector<std::string>{"dé", "anna"}));
}

TEST(Names, NoneStayNone) {
  EXPECT_TRUE(Names().empty());
  EXPECT_EQ(Names().size(), 0);
  EXPECT_TRUE(Names().at(std::vector<int32_t>{1, 2}).empty());
  EXPECT_TRUE(names_of({}).empty());
}

TEST(Names, CompareByWhatTheySay) {
  EXPECT_EQ(names_of({"ab", "c"}), names_of({"ab", "c"}));
  EXPECT_FALSE(names_of({"ab", "c"}) == names_of({"a", "bc"}));
  EXPECT_FALSE(names_of({"ab"}) == Names());
}

TEST(Names, RefuseOffsetsThatDoNotFit) {
  const SharedArray<char> text(std::vector<char>{'a', 'b'});
  for (const std::vector<int64_t>& offsets :
       std::vector<std::vector<int64_t>>{{}, {1, 2}, {0, 1}, {0, 3}, {0, 2, 1}, {0, -1, 2}}) {
    EXPECT_THROW(Names(SharedArray<int64_t>(offsets), text), Error);
  }
}

}  // namespace
}  // namespace graphveil::graph::names_test
