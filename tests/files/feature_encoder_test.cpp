#include "graphveil/files/feature_encoder.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/files/refusal.h"
#include "tests/files/tables.h"

namespace graphveil::files::feature_encoder_test {
namespace {

// One feature by itself; the row that a cell becomes.
class OneFeature {
 public:
  explicit OneFeature(FeatureColumn feature) {
    feature.column = "x";
    schema_.features = {std::move(feature)};
  }
  std::vector<float> row(std::string_view cell) {
    FeatureEncoder encoder(schema_);
    encoder.add({cell});
    counts = encoder.counts()[0];
    const std::vector<int32_t> order{0};
    const graph::Features features = encoder.features(order);
    std::vector<float> out(static_cast<size_t>(features.cols()), 0.0f);
    if (!features.is_sparse()) return {features.dense_values().begin(), features.dense_values().end()};
    const SparseMatrix& m = features.sparse();
    for (size_t i = 0; i < m.indices.size(); ++i) out[m.indices[i]] = m.values[i];
    return out;
  }
  CellCounts counts;
  Schema schema_;
};

using Row = std::vector<float>;

// What was counted, but for where in the range it lay.
CellCounts oddities_of(const OneFeature& feature) {
  CellCounts counts = feature.counts;
  counts.hundredths.clear();
  return counts;
}

TEST(NumberIn, ReadsWhatPeopleWrite) {
  EXPECT_EQ(number_in("12", '.'), 12);
  EXPECT_EQ(number_in(" -1.5e3 ", '.'), -1500);
  EXPECT_EQ(number_in("+7", '.'), 7);
  EXPECT_EQ(number_in("3,5", ','), 3.5);
  EXPECT_EQ(number_in("3.5", ','), 3.5);
  for (const char* text : {"", "x", "1x", "nan", "inf", "1e999", "3,5", "1 2", "--1", "0x10", "+-3"}) {
    EXPECT_EQ(number_in(text, '.'), std::nullopt) << text;
  }
  EXPECT_EQ(number_in("1.000,5", ','), std::nullopt);
}

TEST(FeatureEncoder, CountsWhereInTheRangeValuesLie) {
  OneFeature age({.kind = FeatureKind::Number, .low = 0, .high = 100, .missing = 35});
  for (const auto& [cell, place] : {std::pair{"29", 29}, {"0", 0}, {"100", 99}, {"150", 99}, {"57", 57}}) {
    age.row(cell);
    ASSERT_EQ(age.counts.hundredths.size(), 100u);
    EXPECT_EQ(age.counts.hundredths[static_cast<size_t>(place)], 1) << cell;
  }
  age.row("");
  EXPECT_TRUE(age.counts.hundredths.empty()) << "a missing one lies nowhere";
}

TEST(FeatureEncoder, NumbersAreClippedAndScaled) {
  OneFeature age({.kind = FeatureKind::Number, .low = 10, .high = 60, .missing = 35});
  EXPECT_EQ(age.row("10"), Row{0});
  EXPECT_EQ(age.row("35"), Row{0.5f});
  EXPECT_EQ(oddities_of(age), (CellCounts{0, 0, 0}));
  EXPECT_EQ(age.row("99"), Row{1});
  EXPECT_EQ(oddities_of(age), (CellCounts{0, 1, 0}));
  EXPECT_EQ(age.row("-99"), Row{0});
  EXPECT_EQ(age.row(""), Row{0.5f});
  EXPECT_EQ(oddities_of(age), (CellCounts{1, 0, 0}));
  OneFeature raw({.kind = FeatureKind::Number, .low = -5, .high = 5, .scaling = Scaling::None});
  EXPECT_EQ(raw.row("-3"), Row{-3});
  OneFeature income({.kind = FeatureKind::Number, .low = 1, .high = 1000, .scaling = Scaling::Log});
  EXPECT_NEAR(income.row("100")[0], std::log(100.0) / std::log(1000.0), 1e-6);
  EXPECT_EQ(income.row("1000"), Row{1});
}

TEST(FeatureEncoder, CategoriesHaveAColumnForOthers) {
  OneFeature city({.kind = FeatureKind::Category, .values = {"Lyon", "Paris"}});
  EXPECT_EQ(city.row("Paris"), (Row{0, 1, 0}));
  EXPECT_EQ(city.row("Rome"), (Row{0, 0, 1}));
  EXPECT_EQ(city.counts, (CellCounts{0, 0, 1}));
  EXPECT_EQ(city.row(""), (Row{0, 0, 0}));
  EXPECT_EQ(city.counts, (CellCounts{1, 0, 0}));
  OneFeature told({.kind = FeatureKind::Category, .missing_column = true, .values = {"Lyon"}});
  EXPECT_EQ(told.row(""), (Row{0, 0, 1}));
}

TEST(FeatureEncoder, BagsKeepWhatIsDeclared) {
  OneFeature bag({.kind = FeatureKind::TextBag, .values = {"chess", "go", "golf"}, .separator = ";"});
  EXPECT_EQ(bag.row("golf; chess;golf"), (Row{1, 0, 1}));
  EXPECT_EQ(bag.row("tennis;go;"), (Row{0, 1, 0}));
  EXPECT_EQ(bag.counts, (CellCounts{0, 0, 1}));
  EXPECT_EQ(bag.row(""), (Row{0, 0, 0}));
}

TEST(FeatureEncoder, FlagsAreYesOrNo) {
  OneFeature flag({.kind = FeatureKind::Flag, .missing = 1, .yes = {"yes"}, .no = {"no"}});
  EXPECT_EQ(flag.row("yes"), Row{1});
  EXPECT_EQ(flag.row("no"), Row{0});
  EXPECT_EQ(flag.row(""), Row{1});
  expect_error(ErrorKind::InvalidArgument, {"column 'x'", "'maybe'", "'missing'"}, [&] { flag.row("maybe"); });
}

TEST(FeatureEncoder, SaysWhatToDoAboutACellItCannotRead) {
  OneFeature number({.kind = FeatureKind::Number});
  expect_error(ErrorKind::InvalidArgument, {"column 'x'", "'3,5'", "decimal = \",\""}, [&] { number.row("3,5"); });
  expect_error(ErrorKind::InvalidArgument, {"'n/a'", "'missing'"}, [&] { number.row("n/a"); });
}

TEST(FeatureEncoder, ARefusedRowLeavesNothing) {
  Schema schema = parse_schema(kSchema, "s");
  FeatureEncoder encoder(schema);
  encoder.add({"50", "Lyon", "", "yes"});
  EXPECT_THROW(encoder.add({"50", "Lyon", "", "perhaps"}), Error);
  encoder.add({"100", "Rome", "go", "no"});
  EXPECT_EQ(encoder.rows(), 2);
  const std::vector<int32_t> order{1, 0};
  const graph::Features features = encoder.features(order);
  ASSERT_FALSE(features.is_sparse());
  EXPECT_EQ(Row(features.dense_values().begin(), features.dense_values().end()),
            (Row{1, 0, 0, 1, 0, 0, 1, 0, 0.5f, 1, 0, 0, 0, 0, 0, 1}));
}

TEST(FeatureEncoder, ManyColumnsAreKeptSparse) {
  FeatureColumn wide{.kind = FeatureKind::Category};
  for (int i = 0; i < 50; ++i) wide.values.push_back(std::to_string(i));
  Schema schema;
  schema.features = {wide};
  FeatureEncoder encoder(schema);
  encoder.add({"7"});
  const std::vector<int32_t> order{0};
  EXPECT_TRUE(encoder.features(order).is_sparse());
}

TEST(FeatureEncoder, DatesAreYearsUpToTheReferenceDay) {
  OneFeature born({.kind = FeatureKind::Date,
                   .low = 0,
                   .high = 400,
                   .missing = 100,
                   .date_format = DateFormat::DayMonthDots,
                   .reference_day = 0});
  EXPECT_EQ(born.row("01.01.1970"), Row{0});
  EXPECT_EQ(born.row("01.01.1570"), Row{1});  // the calendar comes round in 400 years
  EXPECT_EQ(born.row(""), Row{0.25f});
  EXPECT_EQ(born.row("01.01.1990"), Row{0});
  EXPECT_EQ(born.counts.clipped, 1);
  expect_error(ErrorKind::InvalidArgument, {"column 'x'", "DD.MM.YYYY"}, [&] { born.row("1970-01-01"); });
}

TEST(FeatureEncoder, MissingNumbersMayHaveAColumnOfTheirOwn) {
  OneFeature age({.kind = FeatureKind::Number, .low = 10, .high = 60, .missing = 10, .missing_column = true});
  EXPECT_EQ(age.row("35"), (Row{0.5f, 0}));
  EXPECT_EQ(age.row(""), (Row{0, 1}));
  EXPECT_EQ(feature_names(age.schema_), (std::vector<std::string>{"x", "x=(missing)"}));
}

TEST(FeatureEncoder, WhatCannotBeReadCountsAsMissingWhereTheSchemaSaysSo) {
  OneFeature age({.kind = FeatureKind::Number,
                  .low = 10,
                  .high = 60,
                  .missing = 35,
                  .missing_column = true,
                  .unreadable_is_missing = true});
  EXPECT_EQ(age.row("forty"), (Row{0.5f, 1}));
  EXPECT_EQ(age.counts.unreadable, 1);
  EXPECT_EQ(age.counts.first_unreadable, 1);
  EXPECT_EQ(age.counts.missing, 0);
  OneFeature flag({.kind = FeatureKind::Flag, .yes = {"yes"}, .no = {"no"}, .unreadable_is_missing = true});
  EXPECT_EQ(flag.row("perhaps"), Row{0});
  EXPECT_EQ(flag.counts.unreadable, 1);
}

}  // namespace
}  // namespace graphveil::files::feature_encoder_test
