#include "graphveil/run/fingerprint.h"

#include <gtest/gtest.h>

#include "graphveil/graph/generate.h"

namespace graphveil::run {
namespace {

graph::Dataset tiny(uint64_t seed) { return graph::generate(graph::preset("tiny"), Seed::from_number(seed)); }

TEST(Fingerprint, IsTheSameForTheSameDataOnly) {
  const graph::Dataset a = tiny(1), b = tiny(2);
  EXPECT_EQ(fingerprint(a), fingerprint(tiny(1)));
  EXPECT_NE(fingerprint(a).edges, fingerprint(b).edges);
  EXPECT_NE(fingerprint(a).features, fingerprint(b).features);
  graph::Dataset mixed = a;
  mixed.features = b.features;
  EXPECT_EQ(fingerprint(mixed).edges, fingerprint(a).edges);
  EXPECT_EQ(fingerprint(mixed).features, fingerprint(b).features);
}

TEST(Fingerprint, SeesOneValueOfDenseFeatures) {
  graph::Dataset a = tiny(1), b = tiny(1);
  Matrix rows(a.nodes(), 2);
  a.features = rows.clone();
  rows(3, 1) = 1;
  b.features = std::move(rows);
  EXPECT_NE(fingerprint(a).features, fingerprint(b).features);
  EXPECT_EQ(fingerprint(a).edges, fingerprint(b).edges);
}

}  // namespace
}  // namespace graphveil::run
