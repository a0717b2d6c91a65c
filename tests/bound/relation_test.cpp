#include "graphveil/bound/relation.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::bound {
namespace {

TEST(Relation, NamesGoBothWays) {
  for (Relation relation : {Relation::Edge, Relation::UndirectedEdge, Relation::Node}) {
    EXPECT_EQ(relation_from_name(name(relation)), relation);
    EXPECT_FALSE(in_words(relation).empty());
  }
  EXPECT_EQ(name(Relation::UndirectedEdge), "undirected-edge");
}

TEST(Relation, UnknownNameIsRefused) { EXPECT_THROW(relation_from_name("nodes"), Error); }

}  // namespace
}  // namespace graphveil::bound
