#include "graphveil/bound/relation.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::bound::relation_test {
namespace {

TEST(Relation, NamesGoBothWays) {
  EXPECT_EQ(all_relations().size(), 4u);
  for (const Relation relation : all_relations()) {
    EXPECT_EQ(relation_from_name(name(relation)), relation);
    EXPECT_FALSE(in_words(relation).empty());
  }
  EXPECT_EQ(name(Relation::UndirectedEdge), "undirected-edge");
  EXPECT_EQ(name(Relation::Record), "record");
}

TEST(Relation, UnknownNameIsRefused) { EXPECT_THROW(relation_from_name("nodes"), Error); }

TEST(Relation, EdgeLevelMeansThatRecordsArePublic) {
  EXPECT_TRUE(edge_level(Relation::Edge));
  EXPECT_TRUE(edge_level(Relation::UndirectedEdge));
  EXPECT_FALSE(edge_level(Relation::Node));
  EXPECT_FALSE(edge_level(Relation::Record));
}

}  // namespace
}  // namespace graphveil::bound::relation_test
