#include "graphveil/mechanism/public_data.h"

#include <gtest/gtest.h>

#include "graphveil/mechanism/release.h"

namespace graphveil::mechanism::public_data_test {
namespace {

using bound::Relation;

Release open(Relation relation) { return Release::open(relation, {}, {1, 1e-5}, Seed::from_number(1)); }

TEST(PublicData, RecordsArePublicUnderTheEdgeRelationsAlone) {
  for (const Relation relation : {Relation::Edge, Relation::UndirectedEdge}) {
    EXPECT_FALSE(PublicData::under(open(relation)).why().empty());
  }
  for (const Relation relation : {Relation::Node, Relation::Record}) {
    EXPECT_THROW(PublicData::under(open(relation)), Error) << bound::name(relation);
  }
}

TEST(PublicData, ARunThatPromisesNothingMayReadAnything) {
  for (const Relation relation : bound::all_relations()) {
    EXPECT_EQ(PublicData::under(Release::clear(relation, {})).why(), "the method promises nothing");
  }
}

// A replay stands in for a run that promises something.
TEST(PublicData, AReplayIsAsStrictAsTheRun) {
  const Recording nothing;
  EXPECT_THROW(PublicData::under(Release::replay(Relation::Node, {}, nothing)), Error);
  EXPECT_NO_THROW(PublicData::under(Release::replay(Relation::Edge, {}, nothing)));
}

}  // namespace
}  // namespace graphveil::mechanism::public_data_test
