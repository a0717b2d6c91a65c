#include "graphveil/method/gap/gap.h"

#include <gtest/gtest.h>

namespace graphveil::method::gap_work_test {
namespace {

Setting small(bound::Relation relation) {
  Setting setting;
  setting.relation = relation;
  setting.facts = {100, 60, 5, 3, 0};
  return setting;
}

// 2 hops of rows of the paper's 16 numbers.
TEST(GapWork, SumsRowsOfTheHiddenWidthInThePapersGap) {
  GapEdge method(true);
  method.use_paper_settings();
  const Setting setting = small(bound::Relation::Edge);
  const Work work = *method.work(method.plan(1, setting), setting, {.edges = 1000, .row_entries = 5});
  EXPECT_EQ(work.sums, 2);
  EXPECT_EQ(work.columns, 16);
  EXPECT_EQ(work.edge_terms, 2 * 1000 * 16);
  EXPECT_EQ(work.noise, 2 * 100 * 16);
  // The encoder, 5 columns to 16 units, for 100 epochs on 60 nodes forward and back, and once more for everybody.
  EXPECT_EQ(work.own_products, 5 * 16 * (2 * 100 * 60 + 100));
}

TEST(GapWork, SumsProbabilitiesByDefault) {
  GapNode method;
  const Setting setting = small(bound::Relation::Node);
  const Work work = *method.work(method.plan(1, setting), setting, {.edges = 1000, .row_entries = 5});
  EXPECT_EQ(work.columns, 3);
  EXPECT_EQ(work.edge_terms, 2 * 1000 * 3);
  EXPECT_GT(work.products, 0);
}

}  // namespace
}  // namespace graphveil::method::gap_work_test
