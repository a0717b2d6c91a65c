#include "graphveil/method/work.h"

#include <gtest/gtest.h>

#include "graphveil/learn/fit_private.h"
#include "graphveil/method/lap/lap.h"
#include "graphveil/method/mlp.h"

namespace graphveil::method::work_test {
namespace {

// 100 nodes, 60 of which train, 5 feature columns, 3 classes.
Setting small(bound::Relation relation) {
  Setting setting;
  setting.relation = relation;
  setting.facts = {100, 60, 5, 3, 0};
  return setting;
}

TEST(Work, AStackOfLayers) {
  const Reader one = Reader::stack(5, 1, 16, 3), three = Reader::stack(5, 3, 16, 4), none = Reader::stack(5, 0, 16, 3);
  EXPECT_EQ(one.first_width, 3);
  EXPECT_EQ(one.rest, 0);
  EXPECT_EQ(three.first_width, 16);
  EXPECT_EQ(three.rest, 16 * 16 + 16 * 4);
  EXPECT_EQ(none.first_width, 0);
}

TEST(Work, SamplesOfATraining) {
  PrivateFitOptions options;
  options.steps = 7;
  options.batch_size = 15;  // a quarter of those that train
  EXPECT_DOUBLE_EQ(trained_samples(fit_line("training", options, 1, 60), 60), 7 * 15);
  options.batch_size.reset();
  EXPECT_DOUBLE_EQ(trained_samples(fit_line("training", options, 1, 60), 60), 7 * 60);
}

TEST(Work, MlpDpReadsFeaturesAndNoEdge) {
  MlpDp method;
  const Setting setting = small(bound::Relation::Node);
  const Plan plan = method.plan(1, setting);
  const double steps = static_cast<double>(plan.line("training").event.count());
  const Work work = *method.work(plan, setting, {.edges = 1000, .row_entries = 2});
  EXPECT_EQ(work.sums, 0);
  EXPECT_EQ(work.edge_terms, 0);
  // Two stored values meet three classes: forward and the weights' gradient in training, forward once more for
  // everybody.
  EXPECT_DOUBLE_EQ(work.own_products, 2 * 3 * (2 * steps * 60 + 100));
  EXPECT_EQ(work.products, 0);
}

TEST(Work, LapSumsOnceARoundAndAlongOwnListsWhereItReadsThem) {
  Lap method;
  const GraphSize graph{.edges = 1000, .row_entries = 5};
  const Setting node = small(bound::Relation::Node), record = small(bound::Relation::Record);
  const Work at_node = *method.work(method.plan(1, node), node, graph);
  const double rounds = static_cast<double>(method.plan(1, node).line("labels").event.count());
  EXPECT_EQ(at_node.sums, rounds);
  EXPECT_EQ(at_node.edge_terms, rounds * 1000 * 3);
  EXPECT_EQ(at_node.noise, rounds * 100 * 3);
  const Work at_record = *method.work(method.plan(1, record), record, graph);
  EXPECT_EQ(at_record.edge_terms, at_record.sums * 1000 * 3 + 1000 * 3);
}

TEST(Work, CountsAtEdgeLevelAddOneCellForAnEdge) {
  Lap method;
  const Setting edge = small(bound::Relation::Edge);
  const Plan plan = method.plan(1, edge);
  const Work work = *method.work(plan, edge, {.edges = 1000, .row_entries = 5});
  EXPECT_EQ(work.edge_terms, 1000.0 * static_cast<double>(plan.lines().size()));
  EXPECT_GT(work.own_products, 0);
}

}  // namespace
}  // namespace graphveil::method::work_test
