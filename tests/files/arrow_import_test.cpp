#include "graphveil/files/arrow_import.h"

#include <gtest/gtest.h>

#include "tests/files/arrow_builder.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/files/tables.h"

namespace graphveil::files::arrow_import_test {
namespace {

using Columns = std::vector<std::shared_ptr<ArrowColumn>>;

// The tables of tests/files/tables.h as a data frame has them, ages as numbers.
Columns people(const std::string& format = "u") {
  return {texts("person", {"u10", "u2", "u,3", "u4"}, format),
          numbers<double>("age", "g", {30, 50, std::numeric_limits<double>::quiet_NaN(), 120}),
          texts("city", {"Lyon", "Paris", "Rome", std::nullopt}, format),
          texts("hobbies", {"chess|go", std::nullopt, "go|golf", "chess"}, format),
          texts("smoker", {"yes", "no", "no", std::nullopt}),
          texts("job", {"nurse", "teacher", std::nullopt, "pilot"}),
          texts("note", {"a", "b", "c", "d"})};
}
Columns friends() {
  return {texts("from", {"u10", "u,3", "u4", "u4"}), texts("to", {"u2", "u2", "u10", "ghost"}),
          numbers<float>("closeness", "f", {0.9f, 0.2f, 0.5f, 1.0f})};
}

Imported imported(const Schema& schema, const Columns& nodes, const Columns& edges, size_t per_batch = 2) {
  ArrowStream node_stream(nodes, 4, per_batch), edge_stream(edges, 4, per_batch);
  Imported out = import_arrow(schema, node_stream.get(), [&] {
    EXPECT_EQ(node_stream.released, 1);
    return edge_stream.get();
  });
  EXPECT_EQ(node_stream.released + edge_stream.released, 2);
  EXPECT_EQ(node_stream.batches_out + edge_stream.batches_out, 0);
  return out;
}

TEST(ArrowImport, GivesWhatTheSameTablesGiveAsFiles) {
  const TemporaryFolder folder;
  std::string directed = kSchema;
  directed.replace(directed.find("target = \"to\""), 13,
                   "target = \"to\"\ndirected = true\nweight = \"closeness\"\nkeep_from = 0.4");
  for (const std::string& schema_text : {kSchema, directed}) {
    const Schema schema = parse_schema(schema_text, "s");
    const auto [wanted, wanted_counts, wanted_people] =
        import_tables(schema, folder.write("people.csv", kPeople), folder.write("friends.csv", kFriends));
    for (const char* format : {"u", "U", "vu"}) {
      for (const size_t per_batch : {size_t{1}, size_t{2}, size_t{4}}) {
        const auto [data, counts, entities] = imported(schema, people(format), friends(), per_batch);
        EXPECT_EQ(data.ids, wanted.ids);
        EXPECT_EQ(entities, wanted_people);
        EXPECT_EQ(data.schema, wanted.schema);
        EXPECT_EQ(data.feature_names, wanted.feature_names);
        EXPECT_TRUE(std::ranges::equal(data.labels, wanted.labels));
        EXPECT_TRUE(std::ranges::equal(data.features.dense_values(), wanted.features.dense_values()));
        EXPECT_TRUE(std::ranges::equal(data.graph.out_lists().neighbors, wanted.graph.out_lists().neighbors));
        EXPECT_TRUE(std::ranges::equal(data.graph.out_lists().offsets, wanted.graph.out_lists().offsets));
        EXPECT_EQ(oddities(counts, schema), oddities(wanted_counts, schema));
        EXPECT_EQ(counts.unused_columns, wanted_counts.unused_columns);
        EXPECT_EQ(counts.features, wanted_counts.features);
      }
    }
  }
}

TEST(ArrowImport, TakesNumbersAsIds) {
  Columns nodes = people(), edges = friends();
  nodes[0] = numbers<int64_t>("person", "l", {10, 2, 3, 4});
  edges[0] = numbers<int32_t>("from", "i", {10, 3, 4, 4});
  edges[1] = numbers<uint64_t>("to", "L", {2, 2, 10, 99});
  const Imported found = imported(parse_schema(kSchema, "s"), nodes, edges);
  EXPECT_EQ(found.dataset.ids.list(), (std::vector<std::string>{"2", "3", "4", "10"}));
  EXPECT_EQ(found.dataset.graph.edges(), 6);
  EXPECT_EQ(found.counts.dangling_edges, 1);
}

TEST(ArrowImport, NamesTableRowAndColumn) {
  const Schema schema = parse_schema(kSchema, "s");
  Columns nodes = people();
  nodes[0] = texts("person", {"u10", "u2", std::nullopt, "u4"});
  expect_bad_input({"the table of nodes: row 3: the id (column 'person') is empty"},
                   [&] { imported(schema, nodes, friends()); });
  nodes[0] = texts("persn", {"u10", "u2", "u,3", "u4"});
  expect_bad_input({"the table of nodes: there is no column 'person'; did you mean 'persn'?"},
                   [&] { imported(schema, nodes, friends()); });
  nodes[0] = texts("person", {"u10", "u2", "\xff", "u4"});
  expect_bad_input({"the table of nodes: row 3: the id is not UTF-8"}, [&] { imported(schema, nodes, friends()); });
  Columns edges = friends();
  edges[0] = texts("from", {"a", "b", "c", "d"});
  expect_bad_input({"the table of edges: none of its 4 rows joins"}, [&] { imported(schema, people(), edges); });
}

}  // namespace
}  // namespace graphveil::files::arrow_import_test
