#include "graphveil/artifact/fingerprint.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/generate.h"

namespace graphveil::artifact::fingerprint_test {
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

// Predictions are kept by id.
TEST(Fingerprint, SeesIds) {
  graph::Dataset a = tiny(1), b = tiny(1);
  std::vector<std::string> ids(static_cast<size_t>(a.nodes()), "x");
  a.ids = graph::Names(std::span<const std::string>(ids));
  ids[7] = "y";
  b.ids = graph::Names(std::span<const std::string>(ids));
  const FingerprintKey key = new_fingerprint_key();
  EXPECT_NE(keyed(key, fingerprint(a)), keyed(key, fingerprint(b)));
  EXPECT_NE(keyed(key, fingerprint(a)), keyed(key, fingerprint(tiny(1))));
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

TEST(Fingerprint, WithoutTheKeyItCannotBeCompared) {
  const Fingerprint print = fingerprint(tiny(1));
  const FingerprintKey a = new_fingerprint_key(), b = new_fingerprint_key();
  EXPECT_NE(a, b);
  EXPECT_EQ(keyed(a, print), keyed(a, fingerprint(tiny(1))));
  EXPECT_NE(keyed(a, print), keyed(b, print));
  EXPECT_NE(keyed(a, print), keyed(a, fingerprint(tiny(2))));
  EXPECT_EQ(key_from_hex(to_hex(a) + "\n", "k"), a);
  EXPECT_THROW(key_from_hex("12", "k"), Error);
  EXPECT_THROW(key_from_hex(std::string(64, 'x'), "k"), Error);
}

// Of "abc" by 32 zero bytes, by Python's hmac.
TEST(Fingerprint, IsHmac) {
  EXPECT_EQ(keyed(FingerprintKey{}, std::string("abc")),
            "fd7adb152c05ef80dccf50a1fa4c05d5a3ec6da95575fc312ae7c5d091836351");
}

}  // namespace
}  // namespace graphveil::artifact::fingerprint_test
