// Which rows a file says it has; header and table are tested through the reader (gvg_test.cpp).
#include "graphveil/files/gvg_file.h"

#include <cstring>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "graphveil/files/readers.h"
#include "graphveil/files/writers.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/graph/small_graphs.h"
#include "tests/ranks.h"

namespace graphveil::files::gvg_file_test {
namespace {

constexpr auto kOwner = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;

// A graph in two parts.
std::vector<std::string> parts(const TemporaryFolder& folder) {
  std::vector<std::string> paths{folder.path("0.gvg"), folder.path("1.gvg")};
  write_gvg_parts(graph::path_dataset(), {}, paths, std::vector<int64_t>{0, 2, graph::path_dataset().nodes()},
                  {"edges", "features", "labels", ""}, kOwner);
  return paths;
}

// Changes the items of a section in place.
template <typename T, typename Change>
void change(const std::string& path, gvg::Section section, Change change) {
  std::string bytes = read_bytes(path);
  gvg::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (uint32_t i = 0; i < header.sections; ++i) {
    gvg::Entry entry;
    std::memcpy(&entry, bytes.data() + sizeof header + i * sizeof entry, sizeof entry);
    if (entry.section == section) change(reinterpret_cast<T*>(bytes.data() + entry.offset));
  }
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST(GvgFile, KnowsItsRows) {
  const TemporaryFolder folder;
  const std::vector<std::string> paths = parts(folder);
  EXPECT_EQ(std::filesystem::status(paths[1]).permissions(), kOwner);  // as private as the whole
  tests::on_ranks(2, [&](Ranks& ranks) {
    const GvgFile file(paths[static_cast<size_t>(ranks.rank())]);
    EXPECT_EQ(file.rows().begin, ranks.rank() * 2);
    EXPECT_EQ(file.rows().end, ranks.first() ? 2 : file.header().nodes);
    EXPECT_EQ(file.own_rows().begin, file.rows().begin);
    ASSERT_TRUE(file.held());
    EXPECT_EQ(file.held()->fingerprint[2], "labels");
  });
  write_gvg(graph::path_dataset(), folder.path("whole.gvg"));
  const GvgFile whole(folder.path("whole.gvg"));
  EXPECT_FALSE(whole.held());
  EXPECT_EQ(whole.rows().end, whole.header().nodes);
}

TEST(GvgFile, RowsThatCannotBeAreRefused) {
  const auto refused = [](std::initializer_list<std::string> words, auto&& changed) {
    const TemporaryFolder folder;
    const std::vector<std::string> paths = parts(folder);
    for (const std::string& path : paths) change<int64_t>(path, gvg::Section::Rows, changed);
    expect_bad_input(words, [&] {
      tests::on_ranks(2, [&](Ranks& ranks) { const GvgFile file(paths[static_cast<size_t>(ranks.rank())]); });
    });
  };
  refused({"0.gvg", "rows", "no part"}, [](int64_t* rows) { rows[0] = 2; });
  refused({"rows", "no part"}, [](int64_t* rows) { rows[0] = -1; });
  refused({"rows", "must rise"}, [](int64_t* rows) { rows[1] = 1; });
  refused({"rows", "must rise"}, [](int64_t* rows) { rows[2] = 0; });
  refused({"rows", "must rise"}, [](int64_t* rows) { rows[2] = INT64_MAX; });
  refused({"rows", "must rise"}, [](int64_t* rows) { ++rows[3]; });
  refused({"part 1 of 2", "rank 0 of 2"}, [](int64_t* rows) { rows[0] ^= 1; });
}

TEST(GvgFile, WhatTheWholeWasMustBeStated) {
  const TemporaryFolder folder;
  const std::vector<std::string> paths = parts(folder);
  for (const std::string& path : paths) {
    change<char>(path, gvg::Section::Whole, [](char* text) { text[std::strlen("edges")] = ' '; });
  }
  expect_bad_input({"whole", "lines"}, [&] {
    tests::on_ranks(2, [&](Ranks& ranks) { const GvgFile file(paths[static_cast<size_t>(ranks.rank())]); });
  });
}

// What is the same in all parts, and in no hash of edges and nodes.
TEST(GvgFile, WhatPartsHaveAlikeIsThatOfTheWhole) {
  const TemporaryFolder folder;
  const std::vector<std::string> paths = parts(folder);
  for (const std::string& path : paths) change<int32_t>(path, gvg::Section::Test, [](int32_t* nodes) { ++nodes[0]; });
  expect_bad_input({"whole", "split"}, [&] {
    tests::on_ranks(2, [&](Ranks& ranks) { const GvgFile file(paths[static_cast<size_t>(ranks.rank())]); });
  });
}

}  // namespace
}  // namespace graphveil::files::gvg_file_test
