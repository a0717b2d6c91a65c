#include "graphveil/run/settings.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::run::settings_test {
namespace {

TEST(Settings, DeclaresTheFieldsNames) {
  Settings settings;
  Options options;
  settings.declare(options);
  for (const char* name : {"epsilon", "e", "delta", "d", "repeats", "r", "seed", "s", "relation", "protect-degree",
                           "accounting", "noise-multiplier", "propagate", "split", "public"}) {
    EXPECT_NE(options.find(name), nullptr) << name;
  }
  Options with_public_graph;
  Settings two_graphs;
  two_graphs.declare(with_public_graph, true);
  for (const char* name : {"private-nodes", "public-nodes", "public-test"}) {
    EXPECT_NE(with_public_graph.find(name), nullptr) << name;
    EXPECT_EQ(options.find(name), nullptr) << name;
  }
  EXPECT_EQ(with_public_graph.find("split"), nullptr);
}

TEST(Settings, ReadsAndRefusesValues) {
  Settings settings;
  Options options;
  settings.declare(options);
  options.set("relation", "record");
  EXPECT_EQ(settings.relation, bound::Relation::Record);
  options.set("relation", "auto");
  EXPECT_FALSE(settings.relation.has_value());
  options.set("delta", "1e-5");
  EXPECT_EQ(settings.delta, 1e-5);
  options.set("delta", "auto");
  EXPECT_FALSE(settings.delta.has_value());
  EXPECT_THROW(options.set("epsilon", "0"), Error);
  EXPECT_THROW(options.set("epsilon", "nan"), Error);
  EXPECT_THROW(options.set("delta", "1"), Error);
  EXPECT_THROW(options.set("delta", "-0.1"), Error);
  EXPECT_THROW(options.set("relation", "nodes"), Error);
  EXPECT_THROW(options.set("protect-degree", "0"), Error);
}

}  // namespace
}  // namespace graphveil::run::settings_test
