#include "graphveil/base/similar.h"

#include <gtest/gtest.h>

namespace graphveil::similar_test {
namespace {

TEST(EditDistance, CountsChangesDropsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("train", "trian"), 1);  // a swap
  EXPECT_EQ(edit_distance("lapp", "lap"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("sitting", "kitten"), 3);
}

TEST(Similar, FindsASlipAndNothingElse) {
  const std::vector<std::string> known{"train", "predict", "lap", "data"};
  EXPECT_EQ(similar("trian", known), "train");
  EXPECT_EQ(similar("lapp", known), "lap");
  EXPECT_EQ(similar("prediction", known), "predict");
  EXPECT_EQ(similar("frobnicate", known), std::nullopt);
  EXPECT_EQ(similar("train", std::vector<std::string>{"train"}), std::nullopt);
  EXPECT_EQ(similar(std::string(5000, 'a'), known), std::nullopt);
  EXPECT_EQ(did_you_mean("dta", known), "; did you mean 'data'?");
  EXPECT_EQ(did_you_mean("xyz", known), "");
  // The beginning of a word, from three letters on.
  const std::vector<std::string> options{"--epochs", "--epsilon", "--relation"};
  EXPECT_EQ(similar("--eps", options), "--epsilon");
  EXPECT_EQ(similar("--relat", options), "--relation");
  EXPECT_EQ(similar("--r", options), std::nullopt);
  EXPECT_EQ(similar("--", options), std::nullopt);
}

}  // namespace
}  // namespace graphveil::similar_test
