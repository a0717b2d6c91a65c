#include "graphveil/files/schema.h"

#include <gtest/gtest.h>

#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/files/tables.h"

namespace graphveil::files::schema_test {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Schema, ReadsEveryKind) {
  const Schema schema = parse_schema(kSchema, "s.toml");
  EXPECT_TRUE(schema.declared);
  EXPECT_EQ(schema.id, "person");
  EXPECT_EQ(schema.label, "job");
  EXPECT_EQ(schema.classes, (std::vector<std::string>{"nurse", "teacher"}));
  EXPECT_EQ(schema.nodes.separator, ',');
  EXPECT_TRUE(schema.nodes.header);
  EXPECT_FALSE(schema.directed);
  ASSERT_EQ(schema.features.size(), 4u);
  EXPECT_EQ(schema.features[0].high, 100);
  EXPECT_EQ(schema.features[0].missing, 40);
  EXPECT_TRUE(schema.features[1].missing_column);
  EXPECT_EQ(schema.features[2].separator, "|");
  EXPECT_EQ(schema.text, kSchema);
  EXPECT_EQ(feature_names(schema),
            (std::vector<std::string>{"age", "city=Lyon", "city=Paris", "city=(other)", "city=(missing)",
                                      "hobbies=chess", "hobbies=go", "smoker"}));
}

// Public is what somebody has said is.
TEST(Schema, IsNotDeclaredUnlessItSaysSo) {
  EXPECT_FALSE(parse_schema(replaced(kSchema, "declared = true\n", ""), "s.toml").declared);
}

TEST(Schema, ReadsHowTablesAreWritten) {
  const std::string text =
      replaced(replaced(kSchema, "[nodes]", "[nodes]\nseparator = \";\"\nheader = false\ndecimal = \",\""), "[edges]",
               "[edges]\nseparator = \"\\t\"\ndirected = true\nweight = \"w\"\nkeep_from = 0.5");
  const Schema schema = parse_schema(text, "s.toml");
  EXPECT_TRUE(schema.declared);
  EXPECT_EQ(schema.nodes.separator, ';');
  EXPECT_FALSE(schema.nodes.header);
  EXPECT_EQ(schema.decimal, ',');
  EXPECT_EQ(schema.edges.separator, '\t');
  EXPECT_TRUE(schema.directed);
  EXPECT_EQ(schema.keep_from, 0.5);
}

TEST(Schema, ANumberIsCutIntoDeclaredBins) {
  const std::string names = "label = \"job\"\nclasses = [\"nurse\", \"teacher\"]\n";
  const std::string bins = "label = { column = \"days\", kind = \"bins\", edges = [3, 7.5] }\n";
  const Schema schema = parse_schema(replaced(kSchema, names, bins), "s.toml");
  EXPECT_EQ(schema.label, "days");
  EXPECT_EQ(schema.label_bins, (std::vector<double>{3, 7.5}));
  EXPECT_EQ(schema.classes, (std::vector<std::string>{"below 3", "3 to 7.5", "7.5 or more"}));
  const std::string own = bins + "classes = [\"short\", \"week\", \"long\"]\n";
  EXPECT_EQ(parse_schema(replaced(kSchema, names, own), "s.toml").classes,
            (std::vector<std::string>{"short", "week", "long"}));
  for (const std::string& bad : {bins + "classes = [\"short\", \"long\"]\n", replaced(bins, "[3, 7.5]", "[7.5, 3]"),
                                 replaced(bins, "[3, 7.5]", "[]"), replaced(bins, "[3, 7.5]", "3"),
                                 replaced(bins, "[3, 7.5]", "[\"3\"]"), replaced(bins, "\"bins\"", "\"number\""),
                                 replaced(bins, "edges", "cuts"), replaced(bins, "kind = \"bins\", ", "")}) {
    EXPECT_THROW(parse_schema(replaced(kSchema, names, bad), "s.toml"), Error) << bad;
  }
}

TEST(Schema, RefusalsNameTheLineAndTheFix) {
  const struct {
    std::string from, to;
    std::vector<std::string> words;
  } cases[] = {
      {"graphveil-schema/1", "graphveil-schema/9", {"line 1", "graphveil-schema/1"}},
      {"format = \"graphveil-schema/1\"", "", {"'format'"}},
      {"[nodes]", "[nodes", {"line 3"}},
      {"[nodes]", "[people]", {"needs 'nodes'"}},
      {"id = \"person\"", "", {"[nodes] needs 'id'"}},
      {"id = \"person\"", "id = 3", {"line 4", "'id' must be a text"}},
      {"id = \"person\"", "id = \"person\"\nlabels = \"job\"", {"no 'labels'; did you mean 'label'?"}},
      {"label = \"job\"", "", {"'label' and 'classes' go together"}},
      {"classes = [\"nurse\", \"teacher\"]", "", {"'label' and 'classes' go together"}},
      {"[\"nurse\", \"teacher\"]", "[\"nurse\", \"nurse\"]", {"'nurse' twice"}},
      {"[\"nurse\", \"teacher\"]", "[]", {"'classes' must be a list"}},
      {"source = \"from\"", "", {"[edges] needs 'source'"}},
      {"target = \"to\"", "target = \"to\"\nweight = \"w\"", {"'weight' and 'keep_from' go together"}},
      {"target = \"to\"", "target = \"to\"\ndirected = \"no\"", {"'directed' must be true or false"}},
      {"[nodes]", "[nodes]\nseparator = \"x\"", {"'separator' is \"x\"", "\";\""}},
      {"[nodes]", "[nodes]\ndecimal = \",\"", {"'decimal' and 'separator' are both ','"}},
      {"kind = \"number\"", "kind = \"numeric\"", {"'kind' must be"}},
      {"range = [0, 100]", "", {"[[feature]] needs 'range'"}},
      {"range = [0, 100]", "range = [100, 0]", {"the smaller number first"}},
      {"range = [0, 100]", "range = [0, nan]", {"'range' must be a number"}},
      {"range = [0, 100]", "range = [0]", {"two numbers"}},
      {"range = [0, 100]", "range = [0, 1e20]\nscale = \"none\"", {"scale = \"none\" does not take"}},
      {"missing = 40", "missing = 140", {"'missing' is 140"}},
      {"missing = 40", "scale = \"logarithm\"", {"'scale' is \"logarithm\""}},
      {"column = \"city\"", "column = \"age\"", {"'age' is a feature twice"}},
      {"column = \"city\"", "column = \"job\"", {"'job' is the label"}},
      {"values = [\"Lyon\", \"Paris\"]", "valuse = [\"Lyon\"]", {"needs 'values'"}},
      {"kind = \"flag\"", "kind = \"flag\"\nvalues = [\"x\"]", {"no 'values'"}},
      {"missing = 40", "missing = \"row\"", {"'missing' is \"row\"", "\"column\""}},
      {"missing = 40", "unreadable = \"drop\"", {"'unreadable' is \"drop\"", "\"missing\""}},
      {"kind = \"category\"", "unreadable = \"missing\"\nkind = \"category\"", {"no 'unreadable'"}},
      {"kind = \"number\"", "kind = \"date\"", {"needs 'reference'"}},
      {"kind = \"number\"", "kind = \"date\"\nreference = \"1.1.2020\"", {"'reference' is", "YYYY-MM-DD"}},
      {"kind = \"number\"", "kind = \"date\"\nreference = \"2020-01-01\"\nformat = \"MDY\"", {"MM/DD/YYYY"}},
      {"[nodes]", "[about]\npeople = 0\n[nodes]", {"'people' must be a whole number"}},
      {"[nodes]", "[about]\ndata = \"a\\nb\"\n[nodes]", {"'data' must be one line"}},
      {"[nodes]", "[about]\nowner = \"x\"\n[nodes]", {"[about] has no 'owner'"}},
  };
  for (const auto& c : cases) {
    try {
      parse_schema(replaced(kSchema, c.from, c.to), "s.toml");
      ADD_FAILURE() << "accepted: " << c.to;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput) << error.what();
      const std::string message = error.what();
      EXPECT_EQ(message.find("s.toml: line "), 0u) << message;
      for (const std::string& word : c.words) EXPECT_NE(message.find(word), std::string::npos) << message;
    }
  }
  expect_bad_input({"there is no [[feature]]"},
                   [] { parse_schema(kSchema.substr(0, kSchema.find("[[feature]]")), "s.toml"); });
}

TEST(Schema, ReadsDatesMissingColumnsAndWhatItIsAbout) {
  const std::string text =
      replaced(replaced(replaced(kSchema, "kind = \"number\"",
                                 "kind = \"date\"\nreference = \"2020-01-01\"\nformat = \"DD.MM.YYYY\""),
                        "missing = 40", "missing = \"column\"\nunreadable = \"missing\""),
               "[nodes]", "[about]\ndata = \"people of a town\"\npeople = 400\n[nodes]");
  const Schema schema = parse_schema(text, "s.toml");
  const FeatureColumn& age = schema.features.at(0);
  EXPECT_EQ(age.kind, FeatureKind::Date);
  EXPECT_EQ(age.reference_day, 18262);  // `date -ud 2020-01-01 +%s` / 86400
  EXPECT_EQ(age.date_format, DateFormat::DayMonthDots);
  EXPECT_TRUE(age.missing_column);
  EXPECT_TRUE(age.unreadable_is_missing);
  EXPECT_EQ(feature_names(schema).at(1), "age=(missing)");
  EXPECT_EQ(schema.about.data, "people of a town");
  EXPECT_EQ(schema.about.people, 400);
}

TEST(Schema, IsReadFromAFile) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_schema(folder.write("s.toml", "\xEF\xBB\xBF" + kSchema)).text, kSchema);
  EXPECT_THROW(read_schema(folder.path("gone.toml")), Error);
}

}  // namespace
}  // namespace graphveil::files::schema_test
