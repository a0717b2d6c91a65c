#include "graphveil/files/schema_draft.h"

#include <gtest/gtest.h>

#include "graphveil/files/table_import.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/files/tables.h"

namespace graphveil::files::schema_draft_test {
namespace {

class SchemaDraft : public testing::Test {
 protected:
  Schema draft(const std::string& people, const std::string& friends, const DraftWishes& wishes = {}) {
    const Schema drafted =
        draft_schema(folder_.write("people.csv", people), folder_.write("friends.csv", friends), wishes);
    return parse_schema(drafted.text, "draft");
  }
  TemporaryFolder folder_;
};

std::string many_people() {
  std::string text = "user_id,full name,age,income,city,hobbies,smoker,level,job\n";
  const char* cities[] = {"Lyon", "Paris", "Rome"};
  const char* hobbies[] = {"chess|go", "go", "", "golf | chess"};
  for (int i = 0; i < 60; ++i) {
    text +=
        fmt::format("u{},Person {},{},{},{},{},{},{},{}\n", i, i, 18 + i, i % 5 ? std::to_string(1000 + 997 * i) : "NA",
                    cities[i % 3], hobbies[i % 4], i % 2 ? "yes" : "no", i % 4, i % 3 ? "nurse" : "pilot");
  }
  return text;
}

TEST_F(SchemaDraft, FindsColumnsAndKinds) {
  const Schema schema = draft(many_people(), "from,to\nu1,u2\n", {.label = "job"});
  EXPECT_FALSE(schema.declared);
  EXPECT_EQ(schema.id, "user_id");
  EXPECT_EQ(schema.label, "job");
  EXPECT_EQ(schema.classes, (std::vector<std::string>{"nurse", "pilot"}));
  EXPECT_EQ(schema.source, "from");
  EXPECT_EQ(schema.target, "to");
  EXPECT_EQ(schema.missing, (std::vector<std::string>{"", "NA"}));
  std::vector<std::string> kinds;
  for (const FeatureColumn& f : schema.features) kinds.push_back(f.column + " " + name(f.kind));
  EXPECT_EQ(kinds, (std::vector<std::string>{"age number", "income number", "city category", "hobbies text-bag",
                                             "smoker flag", "level category"}));
  EXPECT_LE(schema.features[0].low, 18);
  EXPECT_GE(schema.features[0].high, 77);
  EXPECT_EQ(schema.features[3].values, (std::vector<std::string>{"chess", "go", "golf"}));
}

TEST_F(SchemaDraft, WhatItDraftsImports) {
  const Schema schema = draft(many_people(), "from,to\nu1,u2\nu5,u59\n", {.label = "job"});
  const Imported imported = import_tables(schema, folder_.path("people.csv"), folder_.path("friends.csv"));
  EXPECT_EQ(imported.dataset.nodes(), 60);
  EXPECT_TRUE(oddities(imported.counts, schema).empty());
  EXPECT_FALSE(imported.dataset.found_in_data.empty());
}

TEST_F(SchemaDraft, FindsSeparatorsAndDecimalCommas) {
  std::string people = "id;height;label\n";
  for (int i = 0; i < 30; ++i) people += fmt::format("{};1,{};{}\n", i, 50 + i, i % 2 ? "10,5" : "9,5");
  const Schema schema = draft(people, "src\tdst\n1\t2\n");
  EXPECT_EQ(schema.nodes.separator, ';');
  EXPECT_EQ(schema.edges.separator, '\t');
  EXPECT_EQ(schema.decimal, ',');
  EXPECT_EQ(schema.label, "label");
  EXPECT_EQ(schema.classes, (std::vector<std::string>{"9,5", "10,5"}));
  EXPECT_EQ(schema.features.at(0).kind, FeatureKind::Number);
}

TEST_F(SchemaDraft, WithoutHeadersColumnsHaveNumbers) {
  std::string people;
  for (int i = 0; i < 20; ++i) people += fmt::format("{},{},{}\n", i, 0.5 * i, i % 2);
  const Schema schema = draft(people, "1,2\n", {.label = "column3", .nodes_header = false, .edges_header = false});
  EXPECT_EQ(schema.id, "column1");
  EXPECT_EQ(schema.target, "column2");
  EXPECT_FALSE(schema.edges.header);
  EXPECT_EQ(schema.features.at(0).column, "column2");
}

TEST_F(SchemaDraft, OddNamesComeBackAsTheyAre) {
  std::string people = "id,\"a \"\"b\"\"\\c\ttab\",label\n";
  for (int i = 0; i < 12; ++i) people += fmt::format("{},{},\"x\ny\"\n", i, i % 2 ? "\"q\"\"\"" : "é\\n");
  const Schema schema = draft(people, "source,target\n1,2\n");
  EXPECT_EQ(schema.features.at(0).column, "a \"b\"\\c\ttab");
  EXPECT_EQ(schema.features.at(0).values, (std::vector<std::string>{"q\"", "é\\n"}));
  EXPECT_EQ(schema.classes, std::vector<std::string>{"x\ny"});
}

TEST_F(SchemaDraft, ANumberToPredictWantsBins) {
  std::string people = "id,x,days\n", codes = "id,x,days\n";
  for (int i = 0; i < 60; ++i) {
    people += fmt::format("{},{},{}\n", i, i % 2, 0.5 + i % 23);
    codes += fmt::format("{},{},{}\n", i, i % 2, i % 7);
  }
  const std::string friends = "source,target\n1,2\n";
  expect_bad_input({"people.csv", "'days'", "kind = \"bins\"", "--label-bins"},
                   [&] { draft(people, friends, {.label = "days"}); });
  EXPECT_EQ(draft(codes, friends, {.label = "days"}).classes.size(), 7u) << "a few whole numbers may be codes";
  const Schema schema = draft(people, friends, {.label = "days", .label_bins = {2, 5}});
  EXPECT_EQ(schema.label_bins, (std::vector<double>{2, 5}));
  EXPECT_EQ(parse_schema(schema.text, "draft").classes, (std::vector<std::string>{"below 2", "2 to 5", "5 or more"}));
}

TEST_F(SchemaDraft, Refusals) {
  expect_bad_input({"people.csv", "no column 'jobb'; did you mean 'job'?"},
                   [&] { draft(many_people(), "from,to\nu1,u2\n", {.label = "jobb"}); });
  expect_bad_input({"friends.csv", "at least 2"}, [&] { draft(many_people(), "from\nu1\n", {.label = "job"}); });
  expect_bad_input({"no column looks like a feature"}, [&] { draft("id,label\n1,a\n2,b\n", "source,target\n1,2\n"); });
  std::string many = "id,x,label\n";
  for (int i = 0; i < 200; ++i) many += fmt::format("{},1,class{}\n", i, i);
  expect_bad_input({"label", "more than 100 values"}, [&] { draft(many, "source,target\n1,2\n"); });
}

// What comes back from the draft's own text, and its notes.
TEST_F(SchemaDraft, LeftOutColumnsStandInItAsRemarks) {
  const Schema schema = draft(many_people(), "from,to\nu1,u2\n", {.label = "job"});
  EXPECT_NE(schema.text.find("# \"full name\": do not publish? It looks like names of people."), std::string::npos)
      << schema.text;
  EXPECT_NE(schema.text.find("# [about]"), std::string::npos);
  EXPECT_EQ(schema.text.find("Person 7"), std::string::npos);
  // A column's name cannot end its remark.
  std::string people = "id,\"x\n[[feature]]\ncolumn = \"\"job\"\"\",age,job\n";
  for (int i = 0; i < 30; ++i) people += fmt::format("{},v{},{},{}\n", i, i, 0.5 + i, i % 2);
  EXPECT_EQ(draft(people, "from,to\n1,2\n", {.label = "job"}).features.size(), 1u);
}

TEST_F(SchemaDraft, AsksWhatIsToBePredicted) {
  expect_bad_input(
      {"people.csv", "which column is to be predicted?", "--label", "city, smoker, level, job", "--no-label"},
      [&] { draft(many_people(), "from,to\nu1,u2\n"); });
  const Schema nothing = draft(many_people(), "from,to\nu1,u2\n", {.no_label = true});
  EXPECT_EQ(nothing.label, "");
  EXPECT_EQ(nothing.features.back().column, "job");
}

TEST_F(SchemaDraft, NoticesTablesThatDoNotGoTogether) {
  const DraftWishes job{.label = "job"};
  expect_bad_input({"are --nodes and --edges swapped?", "'from' and 'to'"},
                   [&] { draft("from,to\nu1,u2\n", many_people()); });
  expect_bad_input({"friends.csv", "no row joins two nodes", "'1' is no id", "user_id"},
                   [&] { draft(many_people(), "from,to\n1,2\n", job); });
  const Schema few = draft_schema(folder_.write("people.csv", many_people()),
                                  folder_.write("friends.csv", "from,to\nu1,u2\nx,y\nx,z\n"), job);
  ASSERT_EQ(few.notes.size(), 1u);
  EXPECT_NE(few.notes[0].find("of the first 3 rows"), std::string::npos);
  EXPECT_EQ(few.text.find("first 3"), std::string::npos) << "notes are in no file";
}

}  // namespace
}  // namespace graphveil::files::schema_draft_test
