#include "graphveil/sweep/chart.h"

#include <gtest/gtest.h>

namespace graphveil::sweep::chart_test {
namespace {

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

Cell cell(const std::string& label, std::optional<double> epsilon, double mean) {
  Cell c;
  c.graph = "a<b";
  c.label = label;
  c.epsilon = epsilon;
  c.values = {{1, mean}};
  c.interval.mean = mean;
  c.interval.low = mean - 0.02;
  c.interval.high = mean + 0.02;
  return c;
}

TEST(AccuracyChart, HasAPointForEachCellAndADashedLineWithoutNoise) {
  Summary summary;
  summary.metric = "accuracy";
  summary.graphs = {"a<b"};
  summary.labels = {"lap", "gap-inf"};
  summary.budgets = {1.0, 2.0, 8.0, std::nullopt};
  for (const double epsilon : {1.0, 2.0, 8.0}) summary.cells.push_back(cell("lap", epsilon, 0.5 + epsilon / 100));
  summary.cells.push_back(cell("gap-inf", std::nullopt, 0.8));
  const std::string svg = accuracy_chart(summary, "T & t");
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(count(svg, "<circle"), 3u);
  EXPECT_EQ(count(svg, "<polyline"), 1u);
  EXPECT_EQ(count(svg, "stroke-dasharray"), 1u);
  EXPECT_EQ(count(svg, "a&lt;b"), 1u);
  EXPECT_EQ(count(svg, "T &amp; t"), 2u);
  EXPECT_EQ(count(svg, "nan"), 0u);
  // Twice the budget is the same step everywhere: 1, 2 and 8 lie at 0, 1/3 and 1 of the width.
  EXPECT_NE(svg.find("cx='56.0'"), std::string::npos) << svg;
  EXPECT_NE(svg.find("cx='196.0'"), std::string::npos);
  EXPECT_NE(svg.find("cx='476.0'"), std::string::npos);
}

TEST(AccuracyChart, OfNothingIsNone) { EXPECT_EQ(accuracy_chart({}, "t"), ""); }

}  // namespace
}  // namespace graphveil::sweep::chart_test
