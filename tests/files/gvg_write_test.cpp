#include <algorithm>
#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>

#include "graphveil/files/gvg_layout.h"
#include "graphveil/files/readers.h"
#include "graphveil/files/writers.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::files::gvg_write_test {
namespace {

TEST(GvgWrite, SectionsAreAlignedAndTheSizeIsTold) {
  const TemporaryFolder folder;
  write_gvg(graph::path_dataset(), folder.path("a.gvg"));
  const std::string bytes = read_bytes(folder.path("a.gvg"));
  gvg::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  EXPECT_EQ(header.file_bytes, bytes.size());
  EXPECT_EQ(header.flags, gvg::kSymmetric | gvg::kHasSplit);
  for (uint32_t i = 0; i < header.sections; ++i) {
    gvg::Entry entry;
    std::memcpy(&entry, bytes.data() + sizeof header + i * sizeof entry, sizeof entry);
    EXPECT_EQ(entry.offset % 64, 0u);
  }
}

TEST(GvgWrite, FailureLeavesNothingBehind) {
  const TemporaryFolder folder;
  graph::Dataset broken = graph::path_dataset();
  broken.classes = 1;
  expect_error(ErrorKind::InvalidArgument, {"label"}, [&] { write_gvg(broken, folder.path("a.gvg")); });
  expect_error(ErrorKind::Io, {"no/a.gvg"}, [&] { write_gvg(graph::path_dataset(), folder.path("no/a.gvg")); });
  EXPECT_TRUE(std::filesystem::is_empty(folder.path("")));
}

}  // namespace
}  // namespace graphveil::files::gvg_write_test
