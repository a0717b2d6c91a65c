#include "graphveil/files/gvg_layout.h"

#include <string>

#include <gtest/gtest.h>

namespace graphveil::files::gvg::gvg_layout_test {
namespace {

TEST(GvgLayout, ChecksumSeesEveryByteButItself) {
  Header header;
  const Entry entries[] = {{Section::Labels, 4, 128, 3, 0}};
  const uint32_t sum = checksum(header, entries);
  header.checksum = 12345;
  EXPECT_EQ(checksum(header, entries), sum);
  header.nodes = 1;
  EXPECT_NE(checksum(header, entries), sum);
  header.nodes = 0;
  const Entry moved[] = {{Section::Labels, 4, 192, 3, 0}};
  EXPECT_NE(checksum(header, moved), sum);
}

TEST(GvgLayout, EverySectionHasItsFacts) {
  for (uint32_t s = 1; s <= 23; ++s) ASSERT_NE(facts(static_cast<Section>(s)), nullptr);
  EXPECT_EQ(facts(static_cast<Section>(0)), nullptr);
  EXPECT_EQ(facts(static_cast<Section>(24)), nullptr);
  EXPECT_EQ(facts(Section::OutOffsets)->name, std::string("out_offsets"));
  EXPECT_EQ(facts(Section::OutOffsets)->item_bytes, 8u);
  EXPECT_EQ(facts(Section::FeatureValues)->name, std::string("feature_values"));
  EXPECT_EQ(facts(Section::FoundInData)->item_bytes, 1u);
  EXPECT_EQ(facts(Section::Test)->name, std::string("test"));
}

}  // namespace
}  // namespace graphveil::files::gvg::gvg_layout_test
