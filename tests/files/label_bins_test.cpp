#include "graphveil/files/label_bins.h"

#include <limits>

#include <gtest/gtest.h>

namespace graphveil::files::label_bins_test {
namespace {

const std::vector<double> kEdges{3, 7, 30.5};

TEST(LabelBins, AValueOnAnEdgeBelongsAboveIt) {
  EXPECT_EQ(bin_of(kEdges, -1e9), 0);
  EXPECT_EQ(bin_of(kEdges, 2.999), 0);
  EXPECT_EQ(bin_of(kEdges, 3), 1);
  EXPECT_EQ(bin_of(kEdges, 7), 2);
  EXPECT_EQ(bin_of(kEdges, 30.4), 2);
  EXPECT_EQ(bin_of(kEdges, 30.5), 3);
  EXPECT_EQ(bin_of(kEdges, 1e9), 3);
}

TEST(LabelBins, NamesSayTheEdges) {
  EXPECT_EQ(bin_names(kEdges), (std::vector<std::string>{"below 3", "3 to 7", "7 to 30.5", "30.5 or more"}));
  EXPECT_EQ(bin_names(std::vector<double>{0.5}), (std::vector<std::string>{"below 0.5", "0.5 or more"}));
}

TEST(LabelBins, EdgesRise) {
  EXPECT_FALSE(wrong_edges(kEdges));
  EXPECT_TRUE(wrong_edges({}));
  EXPECT_TRUE(wrong_edges(std::vector<double>{1, 1}));
  EXPECT_TRUE(wrong_edges(std::vector<double>{2, 1}));
  EXPECT_TRUE(wrong_edges(std::vector<double>{1, std::numeric_limits<double>::infinity()}));
  EXPECT_TRUE(wrong_edges(std::vector<double>(1001, 1)));
}

TEST(LabelBins, TheAdviceNamesTheColumn) {
  EXPECT_NE(bins_advice("stay").find("column = \"stay\""), std::string::npos);
  EXPECT_NE(bins_advice("").find("kind = \"bins\""), std::string::npos);
}

}  // namespace
}  // namespace graphveil::files::label_bins_test
