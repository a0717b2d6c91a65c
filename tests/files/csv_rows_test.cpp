#include "graphveil/files/csv_rows.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/files/refusal.h"

namespace graphveil::files::csv_rows_test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const std::string& text, char separator = ',') {
  const TableText table("t.csv", text);
  CsvRows rows(table, separator);
  Rows out;
  while (rows.next()) out.emplace_back(rows.cells().begin(), rows.cells().end());
  return out;
}

TEST(CsvRows, PlainCells) {
  EXPECT_EQ(rows_of("a,b\n1,2\n"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(rows_of("a,b\n1,2"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(rows_of(",\n,,\n"), (Rows{{"", ""}, {"", "", ""}}));
  EXPECT_EQ(rows_of(" a , b\t\n"), (Rows{{" a ", " b\t"}}));
  EXPECT_EQ(rows_of("a;b,c\n", ';'), (Rows{{"a", "b,c"}}));
  EXPECT_EQ(rows_of("a\tb\n", '\t'), (Rows{{"a", "b"}}));
}

TEST(CsvRows, EveryLineEnd) {
  EXPECT_EQ(rows_of("a,b\r\n1,2\r\n"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(rows_of("a,b\r1,2\r"), (Rows{{"a", "b"}, {"1", "2"}}));
}

TEST(CsvRows, QuotedCells) {
  EXPECT_EQ(rows_of("\"a,b\",c\n"), (Rows{{"a,b", "c"}}));
  EXPECT_EQ(rows_of("\"say \"\"yes\"\"\",\"\"\n"), (Rows{{"say \"yes\"", ""}}));
  EXPECT_EQ(rows_of("\"two\nlines\",x\r\n\"and\r\n\",y"), (Rows{{"two\nlines", "x"}, {"and\r\n", "y"}}));
  EXPECT_EQ(rows_of("\"\"\"\""), (Rows{{"\""}}));
  EXPECT_EQ(rows_of("\"\""), (Rows{{""}}));
  EXPECT_EQ(rows_of("5\" pipe,x"), (Rows{{"5\" pipe", "x"}}));
}

TEST(CsvRows, BlankLinesAreCounted) {
  const TableText table("t", "\n\na\n\r\n\nb\n\n");
  CsvRows rows(table, ',');
  int64_t count = 0;
  while (rows.next()) ++count;
  EXPECT_EQ(count, 2);
  EXPECT_EQ(rows.blank_lines(), 5);
}

TEST(CsvRows, RefusesWhatItCannotReadRight) {
  expect_bad_input({"t.csv", "line 2", "never closed"}, [] { rows_of("a\n\"b\nc\n"); });
  expect_bad_input({"t.csv", "line 1", "never closed"}, [] { rows_of("\"a\"\""); });
  expect_bad_input({"t.csv", "line 2", "closing quote"}, [] { rows_of("a\n\"b\"c\n"); });
}

TEST(CsvRows, PartsHoldTheSameRows) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + "," + std::string(i % 7, 'x') + (i % 3 ? "\n" : "\r\n");
  const TableText table("t", text);
  for (const size_t bytes : {1, 10, 1000, 100000}) {
    std::vector<size_t> cuts{0};
    while (cuts.back() < text.size()) cuts.push_back(part_end(table, cuts.back(), bytes));
    Rows out;
    for (size_t p = 0; p + 1 < cuts.size(); ++p) {
      CsvRows rows(table, ',', cuts[p], cuts[p + 1]);
      while (rows.next()) out.emplace_back(rows.cells().begin(), rows.cells().end());
    }
    EXPECT_EQ(out, rows_of(text)) << bytes;
    if (bytes == 10) {
      EXPECT_GT(cuts.size(), 100u);
    }
  }
  EXPECT_EQ(part_end(TableText("t", "\"a\nb\"\nc\n"), 0, 1), 8u);  // line ends within cells
}

TEST(CsvCell, ReadsBackAsItWas) {
  for (const std::string text : {"plain", "", "a,b", "a\"b", "two\nlines", "\r", " ", "é"}) {
    EXPECT_EQ(rows_of(csv_cell(text) + ",x"), (Rows{{text, "x"}})) << text;
  }
  EXPECT_EQ(csv_cell("plain"), "plain");
}

}  // namespace
}  // namespace graphveil::files::csv_rows_test
