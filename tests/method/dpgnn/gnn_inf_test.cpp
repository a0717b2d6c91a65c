#include "graphveil/method/dpgnn/gnn_inf.h"

#include <gtest/gtest.h>

#include "tests/method/tiny_task.h"

namespace graphveil::method::gnn_inf_test {
namespace {

double test_accuracy(const OptionValues& values, const std::vector<int32_t>& nodes) {
  GnnInf method;
  Options options;
  method.declare(options);
  for (const auto& [name, value] : values) options.set(name, value);
  Release clear = Release::clear(bound::Relation::Node, {});
  return accuracy_on(graphveil::method::values(method.run(tiny_task(bound::Relation::Node), clear).predictions), nodes);
}

TEST(GnnInf, LearnsInBothSettings) {
  for (const char* setting : {"transductive", "inductive"}) {
    EXPECT_GT(test_accuracy({{"setting", setting}, {"steps", "200"}}, tiny_split().train), 0.6) << setting;
  }
}

// Batches of rooted subgraphs, thinned or not, learn what full batches do.
TEST(GnnInf, LearnsFromBatchesOfSubgraphs) {
  for (const char* arch : {"gcn", "gin", "gat"}) {
    for (const char* degree : {"4", "all"}) {
      EXPECT_GT(test_accuracy(
                    {{"arch", arch}, {"heads", "2"}, {"max-degree", degree}, {"batch-size", "40"}, {"steps", "300"}},
                    tiny_split().test),
                0.6)
          << arch << ", " << degree;
    }
  }
}

TEST(GnnInf, RefusesWhatOnlyGcnCanDo) {
  GnnInf method;
  Options options;
  method.declare(options);
  options.set("arch", "gat");
  EXPECT_NO_THROW(method.plan(0, tiny_setting(bound::Relation::Node)));
  options.set("own-share", "0.5");
  EXPECT_THROW(method.plan(0, tiny_setting(bound::Relation::Node)), Error);
}

}  // namespace
}  // namespace graphveil::method::gnn_inf_test
