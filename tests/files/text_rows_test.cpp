#include "graphveil/files/text_rows.h"

#include <gtest/gtest.h>

#include "tests/files/builders.h"
#include "tests/files/refusal.h"

namespace graphveil::files::text_rows_test {
namespace {

std::vector<float> table(const TemporaryFolder& folder, const std::string& text, int64_t* width = nullptr) {
  std::vector<float> values;
  const int64_t found = read_table(folder.write("t.csv", text), values);
  if (width) *width = found;
  return values;
}

TEST(TextRows, SeparatorsHeadersCommentsAndLineEnds) {
  const TemporaryFolder folder;
  int64_t width = 0;
  const std::vector<float> expected{1, -2.5f, 3e2f, 4};
  EXPECT_EQ(table(folder, "a,b\n1,-2.5\n\n# note\n3e2 , 4", &width), expected);
  EXPECT_EQ(width, 2);
  EXPECT_EQ(table(folder, "1\t-2.5\r\n300;4\r\n"), expected);
  EXPECT_EQ(table(folder, gzip("1 -2.5\n300 4\n")), expected);
}

TEST(TextRows, LinesLongerThanTheBuffer) {
  const TemporaryFolder folder;
  std::string line = "1";
  for (int i = 0; i < 900000; ++i) line += ",1";
  int64_t width = 0;
  const std::vector<float> values = table(folder, line + "\n" + line + "\n", &width);
  EXPECT_EQ(width, 900001);
  EXPECT_EQ(values.size(), 1800002u);
}

TEST(TextRows, WhatIsNoNumberIsRefusedWithItsRow) {
  const TemporaryFolder folder;
  const auto refuse = [&](const std::string& text, std::initializer_list<std::string> words) {
    expect_bad_input(words, [&] { table(folder, text); });
  };
  refuse("1,2\n3,x\n", {"t.csv", "column 1", "row 1", "'x'"});
  refuse("1,2\n3,4x\n", {"column 1", "row 1"});
  refuse("1,2\n3\n", {"row 1", "1 values", "2"});
  refuse("nan,1\n", {"column 0", "row 0", "finite"});
  refuse("1,inf\n", {"column 1", "row 0", "finite"});
  refuse("1,1e99\n", {"column 1", "row 0"});
  refuse("head\nmore\n", {"row 0", "'more'"});
  refuse(std::string("1,\x01\n", 4), {"'?'"});
}

TEST(TextRows, ColumnsAndEdges) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_column(folder.write("c.csv", "id\n3\n1\n")), (std::vector<int64_t>{3, 1}));
  expect_bad_input({"c.csv", "row 0", "2 values"}, [&] { read_column(folder.write("c.csv", "1,2\n")); });
  expect_bad_input({"c.csv", "row 0", "whole"}, [&] { read_column(folder.write("c.csv", "1.5\n")); });
  expect_bad_input({"c.csv", "row 0"}, [&] { read_column(folder.write("c.csv", "99999999999999999999\n")); });
  std::vector<int32_t> sources, targets;
  read_edges(folder.write("e.csv", "0,1\n2 1\n"), 3, sources, targets);
  EXPECT_EQ(sources, (std::vector<int32_t>{0, 2}));
  EXPECT_EQ(targets, (std::vector<int32_t>{1, 1}));
  expect_bad_input({"row 1", "node 3"}, [&] { read_edges(folder.write("e.csv", "0,1\n3,1\n"), 3, sources, targets); });
  expect_bad_input({"row 0", "node -1"}, [&] { read_edges(folder.write("e.csv", "-1,1\n"), 3, sources, targets); });
  expect_bad_input({"row 0", "3 values"}, [&] { read_edges(folder.write("e.csv", "1,1,1\n"), 3, sources, targets); });
}

TEST(TextRows, DamagedAndEndlessGzipIsRefused) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + "\n";
  const std::string packed = gzip(text);
  expect_bad_input({"c.gz", "cut short"},
                   [&] { read_column(folder.write("c.gz", packed.substr(0, packed.size() / 2))); });
  std::string damaged = packed;
  damaged[packed.size() / 2] = static_cast<char>(damaged[packed.size() / 2] ^ 0x55);
  EXPECT_THROW(read_column(folder.write("c.gz", damaged)), Error);
  // 40 MB of empty lines from 40 KB.
  expect_bad_input({"c.gz", "unpacks to more than"},
                   [&] { read_column(folder.write("c.gz", gzip(std::string(40000000, '\n')))); });
}

TEST(TextRows, UnreadablePaths) {
  const TemporaryFolder folder;
  expect_error(ErrorKind::Io, {"gone"}, [&] { TextRows rows(folder.path("gone")); });
  expect_error(ErrorKind::Io, {"regular"}, [&] { TextRows rows(folder.path("")); });
}

TEST(TextRows, PlainOrGzip) {
  const TemporaryFolder folder;
  EXPECT_EQ(plain_or_gzip(folder.path("a.csv")), "");
  folder.write("a.csv.gz", "x");
  EXPECT_EQ(plain_or_gzip(folder.path("a.csv")), folder.path("a.csv.gz"));
  folder.write("a.csv", "x");
  EXPECT_EQ(plain_or_gzip(folder.path("a.csv")), folder.path("a.csv"));
}

}  // namespace
}  // namespace graphveil::files::text_rows_test
