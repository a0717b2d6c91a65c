#include "graphveil/files/table_columns.h"

#include <gtest/gtest.h>

#include "tests/files/refusal.h"

namespace graphveil::files::table_columns_test {
namespace {

TEST(TableColumns, FindsColumnsByName) {
  const TableText text("t.csv", "\nid,age\n\n7,30\n");
  const TableColumns columns(text, {});
  EXPECT_EQ(columns.place("age"), 1u);
  EXPECT_EQ(columns.blank_lines(), 2);
  CsvRows rows(text, ',', columns.begin(), text.text().size());
  ASSERT_TRUE(columns.next(rows));
  EXPECT_EQ(rows.cells()[0], "7");
  EXPECT_FALSE(columns.next(rows));
  expect_bad_input({"t.csv", "no column 'agee'; did you mean 'age'?"}, [&] { columns.place("agee"); });
}

TEST(TableColumns, WithoutAHeaderColumnsAreCounted) {
  const TableText text("t.csv", "nan,30\n8,31\n");
  const TableColumns columns(text, {.header = false});
  EXPECT_EQ(columns.names(), (std::vector<std::string>{"column1", "column2"}));
  EXPECT_EQ(columns.begin(), 0u);
}

// As data frames write their index.
TEST(TableColumns, AColumnWithoutANameIsCalledByItsPlace) {
  const TableText text("t.csv", ",age\n7,30\n");
  EXPECT_EQ(TableColumns(text, {}).names(), (std::vector<std::string>{"column1", "age"}));
}

TEST(TableColumns, Refusals) {
  expect_bad_input({"'id' twice"}, [] { TableColumns(TableText("t", "id,id\n1,2\n"), {}); });
  expect_bad_input({"a header and no rows"}, [] { TableColumns(TableText("t", "id,x\n"), {}); });
  expect_bad_input({"empty"}, [] { TableColumns(TableText("t", "\n\n"), {}); });
  const TableText text("t.csv", "id;age\n7;30\n");
  const TableColumns one(text, {});
  expect_bad_input({"separator"}, [&] { one.place("id"); });
  const TableText ragged("t.csv", "id,age\n7,30\n8\n");
  const TableColumns columns(ragged, {});
  CsvRows rows(ragged, ',', columns.begin(), ragged.text().size());
  EXPECT_TRUE(columns.next(rows));
  expect_bad_input({"line 3: 1 cells where the table has 2 columns"}, [&] { columns.next(rows); });
}

}  // namespace
}  // namespace graphveil::files::table_columns_test
