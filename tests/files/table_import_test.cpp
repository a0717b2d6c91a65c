#include "graphveil/files/table_import.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graphveil/files/readers.h"
#include "graphveil/files/schema_draft.h"
#include "graphveil/files/writers.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/files/tables.h"

namespace graphveil::files::table_import_test {
namespace {

class TableImport : public testing::Test {
 protected:
  Imported import(const std::string& schema = kSchema, const std::string& people = kPeople,
                  const std::string& friends = kFriends) {
    return import_tables(parse_schema(schema, "s.toml"), folder_.write("people.csv", people),
                         folder_.write("friends.csv", friends));
  }
  static std::vector<std::pair<std::string, std::string>> edges(const graph::Dataset& data) {
    std::vector<std::pair<std::string, std::string>> out;
    for (int64_t u = 0; u < data.nodes(); ++u) {
      for (const int32_t v : data.graph.out(u)) out.emplace_back(data.ids[u], data.ids[v]);
    }
    return out;
  }
  TemporaryFolder folder_;
};

TEST_F(TableImport, MakesTheGraphThatTheTablesSay) {
  const auto [data, counts, people] = import();
  EXPECT_EQ(data.ids.list(), (std::vector<std::string>{"u2", "u4", "u,3", "u10"}));
  EXPECT_EQ(data.class_names.list(), (std::vector<std::string>{"nurse", "teacher"}));
  EXPECT_EQ(data.feature_names.size(), 8);
  EXPECT_EQ(std::vector<int32_t>(data.labels.begin(), data.labels.end()), (std::vector<int32_t>{1, -1, -1, 0}));
  EXPECT_TRUE(data.graph.symmetric());
  EXPECT_EQ(data.schema, kSchema);
  EXPECT_TRUE(data.found_in_data.empty());
  graph::check(data);
  const std::vector<std::pair<std::string, std::string>> wanted{{"u2", "u,3"}, {"u2", "u10"}, {"u4", "u10"},
                                                                {"u,3", "u2"}, {"u10", "u2"}, {"u10", "u4"}};
  EXPECT_EQ(edges(data), wanted);
  // u10: 30 of 100, Lyon, chess and go, smokes. u4: clipped, no city, chess.
  const auto row = [&](int64_t v) {
    return std::vector<float>(data.features.dense().row(v).begin(), data.features.dense().row(v).end());
  };
  EXPECT_EQ(row(3), (std::vector<float>{0.3f, 1, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(row(1), (std::vector<float>{1, 0, 0, 0, 1, 1, 0, 0}));
  EXPECT_EQ(row(2), (std::vector<float>{0.4f, 0, 0, 1, 0, 0, 1, 0}));
}

// The label is the age: below 40, 40 to 60, 60 or more. Who has none has no label.
TEST_F(TableImport, ANumberBecomesItsBin) {
  std::string schema = kSchema;
  const std::string names = "label = \"job\"\nclasses = [\"nurse\", \"teacher\"]\n";
  schema.replace(schema.find(names), names.size(), "label = { column = \"age\", kind = \"bins\", edges = [40, 60] }\n");
  const std::string feature = "[[feature]]\ncolumn = \"age\"\nkind = \"number\"\nrange = [0, 100]\nmissing = 40\n";
  schema.replace(schema.find(feature), feature.size(), "");
  const auto [data, counts, entities] = import(schema);
  EXPECT_EQ(data.class_names.list(), (std::vector<std::string>{"below 40", "40 to 60", "60 or more"}));
  EXPECT_EQ(std::vector<int32_t>(data.labels.begin(), data.labels.end()), (std::vector<int32_t>{1, 2, -1, 0}));
  EXPECT_EQ(counts.missing_labels, 1);
  // A cell that is no number is no class, even one that is called like a bin.
  std::string people = kPeople;
  people.replace(people.find("u2,50"), 5, "u2,below 40");
  EXPECT_EQ(import(schema, people).counts.unknown_classes, 1);
  std::string strict = schema;
  strict.replace(strict.find("[edges]"), 7, "unknown_class = \"refuse\"\n[edges]");
  EXPECT_THROW(import(strict, people), Error);
}

TEST_F(TableImport, CountsWhatItTookCareOf) {
  const Schema schema = parse_schema(kSchema, "s");
  const auto [data, counts, people] =
      import(kSchema, kPeople + "\nu2,1,Lyon,,no,nurse,again\n", kFriends + "\n\nghost,phantom,1\nu2,u2,1\n");
  EXPECT_EQ(counts.node_rows, 5);
  EXPECT_EQ(counts.edge_rows, 6);
  EXPECT_EQ(counts.blank_lines, 3);
  EXPECT_EQ(counts.duplicate_ids, 1);
  EXPECT_EQ(counts.missing_labels, 1);
  EXPECT_EQ(counts.unknown_classes, 1);
  EXPECT_EQ(counts.dangling_edges, 2);
  EXPECT_EQ(counts.ids_only_in_edges, 2);
  EXPECT_EQ(data.cleanup.self_loops, 2);
  const auto feature = [&](size_t f) {
    CellCounts without = counts.features[f];
    without.hundredths.clear();
    return without;
  };
  EXPECT_EQ(feature(0), (CellCounts{1, 1, 0}));
  EXPECT_EQ(feature(1), (CellCounts{1, 0, 1}));
  EXPECT_EQ(feature(2), (CellCounts{1, 0, 1}));
  EXPECT_EQ(feature(3), (CellCounts{1, 0, 0}));
  EXPECT_EQ(counts.unused_columns, std::vector<std::string>{"note"});
  EXPECT_EQ(oddities(counts, schema).size(), 8u);
  EXPECT_TRUE(oddities(ImportCounts{.features = std::vector<CellCounts>(4)}, schema).empty());
}

// Ninety of a hundred ages lie in 20 to 29, of 0 to 100 that were declared: a tenth of it.
TEST_F(TableImport, SaysWhereMostOfARangeIsEmpty) {
  const std::string schema = R"(format = "graphveil-schema/1"
declared = true
[nodes]
separator = ","
header = true
id = "id"
label = "job"
classes = ["a", "b"]
[edges]
separator = ","
header = true
source = "from"
target = "to"
[[feature]]
column = "age"
kind = "number"
range = [0, 100]
[[feature]]
column = "size"
kind = "number"
range = [0, 100]
)";
  std::string people = "id,age,size,job\n";
  for (int i = 0; i < 100; ++i) {
    people += fmt::format("p{},{},{},{}\n", i, i < 90 ? 20 + i % 10 : i, i, i % 2 == 0 ? "a" : "b");
  }
  const Schema parsed = parse_schema(schema, "s.toml");
  const Imported imported = import(schema, people, "from,to\np1,p2\n");
  const std::vector<std::string> wanted{"nine in ten values of column 'age' fill 10% of its range, 0 to 100"};
  EXPECT_EQ(wide_ranges(imported.counts, parsed), wanted);
  EXPECT_TRUE(oddities(imported.counts, parsed).empty()) << "--strict has nothing against it";
}

TEST_F(TableImport, TheOrderOfTheTableIsForgotten) {
  const std::string reversed =
      "person,age,city,hobbies,smoker,job,note\nu4,120,,chess,,pilot,d\n\"u,3\",,Rome,\"go|golf\",no,,c\n"
      "u2,50,Paris,,no,teacher,b\nu10,30,Lyon,chess|go,yes,nurse,a\n";
  const graph::Dataset a = import().dataset, b = import(kSchema, reversed).dataset;
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(edges(a), edges(b));
  EXPECT_TRUE(std::equal(a.labels.begin(), a.labels.end(), b.labels.begin()));
  EXPECT_TRUE(std::equal(a.features.dense_values().begin(), a.features.dense_values().end(),
                         b.features.dense_values().begin()));
}

TEST_F(TableImport, DirectedAndByWeight) {
  std::string schema = kSchema;
  schema.insert(schema.find("[[feature]]"), "directed = true\nweight = \"closeness\"\nkeep_from = 0.5\n");
  const auto [data, counts, people] = import(schema);
  const std::vector<std::pair<std::string, std::string>> wanted{{"u4", "u10"}, {"u10", "u2"}};
  EXPECT_EQ(edges(data), wanted);
  EXPECT_EQ(counts.light_edges, 1);
  expect_bad_input({"friends.csv", "line 2", "weight 'heavy'"},
                   [&] { import(schema, kPeople, "from,to,closeness\nu2,u4,heavy\n"); });
}

TEST_F(TableImport, NamesTravelInTheFile) {
  const graph::Dataset data = import().dataset;
  write_gvg(data, folder_.path("a.gvg"));
  const graph::Dataset back = read_gvg(folder_.path("a.gvg"));
  EXPECT_EQ(back.ids, data.ids);
  EXPECT_EQ(back.class_names, data.class_names);
  EXPECT_EQ(back.feature_names, data.feature_names);
  EXPECT_EQ(back.schema, data.schema);
}

TEST_F(TableImport, ADraftIsNoDeclaration) {
  std::string draft = kSchema;
  draft.replace(draft.find("true"), 4, "false");
  const graph::Dataset data = import(draft).dataset;
  EXPECT_TRUE(data.schema.empty());
  EXPECT_EQ(data.found_in_data.size(), 4u);
  write_gvg(data, folder_.path("a.gvg"));
  EXPECT_EQ(read_gvg(folder_.path("a.gvg")).found_in_data, data.found_in_data);
}

// A table without rows, not one whose rows all miss: whether there is an edge is private.
TEST_F(TableImport, NobodyNeedsAFriend) { EXPECT_EQ(import(kSchema, kPeople, "from,to\n").dataset.graph.edges(), 0); }

TEST_F(TableImport, RefusalsNameFileAndLine) {
  expect_bad_input({"people.csv", "line 3", "the id", "empty"},
                   [&] { import(kSchema, "person,age,city,hobbies,smoker,job\na,1,,,,nurse\n,1,,,,nurse\n"); });
  expect_bad_input({"people.csv", "line 2", "column 'age'", "'old'"},
                   [&] { import(kSchema, "person,age,city,hobbies,smoker,job\na,old,,,,nurse\n"); });
  expect_bad_input({"people.csv", "no column 'city'"},
                   [&] { import(kSchema, "person,age,hobbies,smoker,job\na,1,,,nurse\n"); });
  expect_bad_input({"friends.csv", "no column 'from'"}, [&] { import(kSchema, kPeople, "source,target\nu2,u4\n"); });
  expect_bad_input({"friends.csv", "every node is isolated"}, [&] { import(kSchema, kPeople, "from,to\nx,y\n"); });
  std::string strict = kSchema;
  strict.insert(strict.find("[edges]"), "unknown_class = \"refuse\"\n");
  expect_bad_input({"people.csv", "line 5", "'pilot' is no declared class"}, [&] { import(strict); });
}

TEST_F(TableImport, ManyRowsInPartsAreTheSameAsOneByOne) {
  std::string people = "person,age,city,hobbies,smoker,job\n", friends = "from,to\n";
  for (int i = 0; i < 5000; ++i) people += "p" + std::to_string(i) + ",5,Lyon,,no,nurse\n";
  for (int i = 0; i < 300000; ++i) {
    friends += "p" + std::to_string(i * 7 % 5000) + ",p" + std::to_string((i * 13 + i / 5000) % 5000) + "\n";
  }
  const graph::Dataset parts = import(kSchema, people, friends).dataset;
  // A quote makes the reader go through the text row by row.
  const graph::Dataset rows = import(kSchema, people, friends + "\"p1\",p2\np1,p2\n").dataset;
  EXPECT_GE(rows.graph.edges(), parts.graph.edges());
  int64_t missing = 0;
  for (int64_t u = 0; u < parts.nodes(); ++u) {
    for (const int32_t v : parts.graph.out(u)) missing += rows.graph.has_edge(u, v) ? 0 : 1;
  }
  EXPECT_EQ(missing, 0);
  EXPECT_LE(rows.graph.edges(), parts.graph.edges() + 2);
}

// One person is u10 and u4; u,3 has an empty cell and is somebody of their own.
TEST_F(TableImport, APersonMayBeSeveralNodes) {
  std::string schema = kSchema, table = kPeople;
  EXPECT_TRUE(import().entities.empty());
  schema.insert(schema.find("label ="), "entity = \"note\"\n");
  for (const auto& [from, to] : {std::pair{",d\n", ",a\n"}, {",c\n", ",\n"}}) table.replace(table.find(from), 3, to);
  const Imported found = import(schema, table);
  // In the order u2, u4, u,3, u10; each by the number of one of the person's nodes.
  ASSERT_EQ(found.entities.size(), 4u);
  EXPECT_EQ(found.entities[1], found.entities[3]);
  EXPECT_EQ(std::set<int32_t>(found.entities.begin(), found.entities.end()).size(), 3u);
  EXPECT_TRUE(found.counts.unused_columns.empty());
  for (const char* column : {"person", "job"}) {
    std::string bad = kSchema;
    bad.insert(bad.find("label ="), fmt::format("entity = \"{}\"\n", column));
    expect_bad_input({"entity"}, [&] { import(bad); });
  }
  std::string feature = kSchema;
  feature.insert(feature.find("label ="), "entity = \"city\"\n");
  expect_bad_input({"city", "entity"}, [&] { import(feature); });
}

}  // namespace
}  // namespace graphveil::files::table_import_test
