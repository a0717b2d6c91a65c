#include "graphveil/files/table_assembly.h"

#include <gtest/gtest.h>

#include "tests/files/refusal.h"
#include "tests/files/tables.h"

namespace graphveil::files::table_assembly_test {
namespace {

TEST(TableAssembly, KeepsIdsThatDoNotLast) {
  const Schema schema = parse_schema(kSchema, "s");
  TableAssembly assembly(schema);
  std::string id = "u1";
  assembly.add_node(id, "nurse", {"1", "Lyon", "", "no"});
  id = "u2";
  assembly.add_node(id, std::nullopt, {"1", "Lyon", "", "no"});
  assembly.add_node(id, "nurse", {"1", "Lyon", "", "no"});
  id = "gone";
  assembly.finish_nodes("nodes");
  EdgePart part;
  part.add(schema, assembly.ids(), "u2", "u1", "");
  part.add(schema, assembly.ids(), "u2", "u7", "");
  assembly.add_edges(std::move(part));
  const auto [data, counts, people] = assembly.finish("name", "edges");
  EXPECT_EQ(data.name, "name");
  EXPECT_EQ(data.ids.list(), (std::vector<std::string>{"u1", "u2"}));
  EXPECT_EQ(std::vector<int32_t>(data.labels.begin(), data.labels.end()), (std::vector<int32_t>{0, -1}));
  EXPECT_EQ(data.graph.edges(), 2);
  EXPECT_EQ(counts.duplicate_ids, 1);
  EXPECT_EQ(counts.dangling_edges, 1);
  EXPECT_EQ(counts.ids_only_in_edges, 1);
}

TEST(TableAssembly, FindsColumns) {
  const Schema schema = parse_schema(kSchema, "s");
  ImportCounts counts;
  const std::vector<std::string> names{"note", "smoker", "hobbies", "city", "age", "person"};
  const NodeColumns at = node_columns(schema, names, "t", counts);
  EXPECT_EQ(at.id, 5u);
  EXPECT_FALSE(at.label.has_value());
  EXPECT_FALSE(counts.label_column);
  EXPECT_EQ(at.features, (std::vector<size_t>{4, 3, 2, 1}));
  EXPECT_EQ(counts.unused_columns, (std::vector<std::string>{"note"}));
  expect_bad_input({"t: there is no column 'ages'; did you mean 'age'?"}, [&] { column_place(names, "ages", "t"); });
}

}  // namespace
}  // namespace graphveil::files::table_assembly_test
