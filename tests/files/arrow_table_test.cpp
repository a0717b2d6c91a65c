#include "graphveil/files/arrow_table.h"

#include <gtest/gtest.h>

#include "tests/files/arrow_builder.h"
#include "tests/files/refusal.h"

namespace graphveil::files::arrow_table_test {
namespace {

// All cells of a column, batch after batch.
std::vector<std::string> column(ArrowTable& table, size_t c) {
  std::vector<std::string> out;
  CellText room;
  while (table.next()) {
    for (int64_t row = 0; row < table.rows(); ++row) out.emplace_back(table.cell(c, row, room));
  }
  return out;
}

template <typename T>
std::vector<std::string> cells_of(const std::string& format, std::vector<T> values, char decimal = '.') {
  const size_t rows = values.size();
  ArrowStream stream({numbers<T>("x", format, std::move(values))}, rows);
  ArrowTable table(stream.get(), "t", decimal);
  table.check_column(0, false);
  return column(table, 0);
}

TEST(ArrowTable, ReadsTextInEveryLayout) {
  for (const char* format : {"u", "U", "vu"}) {
    ArrowStream stream({texts("x", {"a", std::nullopt, "", "a text that is longer than twelve bytes", "é"}, format)},
                       5);
    ArrowTable table(stream.get(), "t");
    table.check_column(0, true);
    EXPECT_EQ(column(table, 0), (std::vector<std::string>{"a", "", "", "a text that is longer than twelve bytes", "é"}))
        << format;
  }
}

TEST(ArrowTable, ReadsNumbersAsAFileWouldHaveThem) {
  EXPECT_EQ(cells_of<int8_t>("c", {-1, 2}), (std::vector<std::string>{"-1", "2"}));
  EXPECT_EQ(cells_of<uint16_t>("S", {65535}), (std::vector<std::string>{"65535"}));
  EXPECT_EQ(cells_of<int64_t>("l", {-9000000000, 1, 2}), (std::vector<std::string>{"-9000000000", "1", "2"}));
  EXPECT_EQ(cells_of<uint64_t>("L", {18446744073709551615u}), (std::vector<std::string>{"18446744073709551615"}));
  EXPECT_EQ(cells_of<double>("g", {0.1, 1, std::numeric_limits<double>::quiet_NaN()}),
            (std::vector<std::string>{"0.1", "1", ""}));
  EXPECT_EQ(cells_of<float>("f", {0.5f}, ','), (std::vector<std::string>{"0,5"}));
  EXPECT_EQ(cells_of<uint8_t>("b", {0b101}), (std::vector<std::string>{"true"}));
}

TEST(ArrowTable, LetsGoOfWhatItTook) {
  ArrowStream stream({texts("x", {"a", "b", "c"})}, 3);
  {
    ArrowTable table(stream.get(), "t");
    ASSERT_TRUE(table.next());
    EXPECT_EQ(table.first_row(), 0);
    ASSERT_TRUE(table.next());
    EXPECT_EQ(table.first_row(), 2);
    EXPECT_EQ(stream.batches_out, 1);
  }
  EXPECT_EQ(stream.released, 1);
  EXPECT_EQ(stream.batches_out, 0);
}

TEST(ArrowTable, RefusesWhatItCannotRead) {
  ArrowStream list({texts("x", {"a"})}, 1);
  list.row_format = "+l";
  expect_bad_input({"t: its rows are of Arrow type '+l', want a table: a struct of columns"},
                   [&] { ArrowTable(list.get(), "t"); });
  EXPECT_EQ(list.released, 1);
  ArrowStream twice({texts("x", {"a"}), texts("x", {"a"})}, 1);
  expect_bad_input({"t: it has column 'x' twice"}, [&] { ArrowTable(twice.get(), "t"); });
  expect_bad_input({"t: the stream was read already"}, [&] { ArrowTable(twice.get(), "t"); });

  ArrowStream stream({numbers<int64_t>("day", "tdm", {1}), numbers<double>("id", "g", {1})}, 1);
  ArrowTable table(stream.get(), "t");
  expect_bad_input(
      {"t: column 'day' is of Arrow type 'tdm', want text, whole numbers, float or double, or truth values"},
      [&] { table.check_column(0, false); });
  table.check_column(1, false);
  expect_bad_input(
      {"t: column 'id' holds ids and is of Arrow type 'g', numbers with a fraction: cast it to whole numbers or text"},
      [&] { table.check_column(1, true); });
}

TEST(ArrowTable, SaysWhatTheStreamSays) {
  ArrowStream stream({texts("x", {"a", "b", "c"})}, 3);
  stream.fails_at = 2;
  ArrowTable table(stream.get(), "t");
  ASSERT_TRUE(table.next());
  expect_bad_input({"t: the stream failed: a pipe broke"}, [&] { table.next(); });
}

}  // namespace
}  // namespace graphveil::files::arrow_table_test
