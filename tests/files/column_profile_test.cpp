#include "graphveil/files/column_profile.h"

#include <gtest/gtest.h>

namespace graphveil::files::column_profile_test {
namespace {

ColumnProfile profile_of(const std::vector<std::string>& cells) {
  ColumnProfile profile;
  int64_t line = 2;
  for (const std::string& cell : cells) profile.add(cell, '.', line++);
  return profile;
}

template <typename F>
std::vector<std::string> many(int count, F cell) {
  std::vector<std::string> cells;
  for (int i = 0; i < count; ++i) cells.push_back(cell(i));
  return cells;
}

std::string look(const std::string& column, const std::vector<std::string>& cells) {
  return private_look(column, profile_of(cells));
}

TEST(ColumnProfile, WhatHadBetterNotBePublishedIsNamedAndLeftOut) {
  const auto people = many(40, [](int i) { return fmt::format("Person {}", i % 8); });
  EXPECT_NE(look("Last_Name", people).find("names of people"), std::string::npos);
  EXPECT_NE(look("contact", many(40, [](int i) { return fmt::format("p{}@x.org", i); })).find("reached"),
            std::string::npos);
  EXPECT_NE(look("zipCode", many(40, [](int i) { return std::to_string(10000 + 7 * (i % 20)); })).find("places"),
            std::string::npos);
  EXPECT_NE(look("insurance number", many(40, [](int i) { return std::to_string(881 * i + 7); })).find("a key"),
            std::string::npos);
  EXPECT_NE(look("row", many(60, [](int i) { return std::to_string(i + 1); })).find("running number"),
            std::string::npos);
  EXPECT_NE(look("note", many(10, [](int i) { return fmt::format("came in on day {} with a cough and a fever", i); }))
                .find("free text"),
            std::string::npos);
  EXPECT_NE(look("x", many(40, [](int i) { return fmt::format("v{}", i); })).find("nearly every row"),
            std::string::npos);
  const ColumnDraft draft = draft_column("surname", profile_of(people), 2026);
  EXPECT_FALSE(draft.feature);
  EXPECT_NE(draft.reason.find("do not publish?"), std::string::npos);
  // What is said there may be published: it holds nothing of the cells.
  EXPECT_EQ(draft.reason.find("Person"), std::string::npos);
}

TEST(ColumnProfile, WhatIsAFeatureIsNotSuspected) {
  EXPECT_EQ(look("city", many(40, [](int i) { return i % 2 ? "Lyon" : "Paris"; })), "");
  EXPECT_EQ(look("age", many(40, [](int i) { return std::to_string(20 + i); })), "");
  EXPECT_EQ(look("income", many(400, [](int i) { return std::to_string(1000.5 + 13.7 * i); })), "");
  EXPECT_EQ(look("born", many(40, [](int i) { return fmt::format("19{}-03-0{}", 50 + i, 1 + i % 9); })), "");
  EXPECT_EQ(look("hobbies", many(40, [](int i) { return fmt::format("chess|go{}", i); })), "");
}

TEST(ColumnProfile, OneBadCellDoesNotDropAColumn) {
  auto cells = many(50, [](int i) { return std::to_string(20 + i); });
  cells[7] = "forty";
  const ColumnDraft draft = draft_column("age", profile_of(cells), 2026);
  ASSERT_TRUE(draft.feature);
  EXPECT_EQ(draft.feature->kind, FeatureKind::Number);
  EXPECT_TRUE(draft.feature->unreadable_is_missing);
  EXPECT_NE(draft.note.find("1 of 50 cells is no number, the first in line 9"), std::string::npos) << draft.note;
  // A third that are words is no slip.
  for (size_t i = 0; i < cells.size(); i += 3) cells[i] = "x";
  const ColumnDraft mixed = draft_column("age", profile_of(cells), 2026);
  EXPECT_TRUE(!mixed.feature || mixed.feature->kind != FeatureKind::Number);
}

TEST(ColumnProfile, DatesBecomeAges) {
  auto cells = many(40, [](int i) { return fmt::format("{}.06.19{}", 10 + i % 9, 50 + i); });
  cells[3] = "unknown";
  const ColumnDraft draft = draft_column("birth date", profile_of(cells), 2026);
  ASSERT_TRUE(draft.feature);
  EXPECT_EQ(draft.feature->kind, FeatureKind::Date);
  EXPECT_EQ(draft.feature->date_format, DateFormat::DayMonthDots);
  EXPECT_EQ(draft.feature->reference, "2026-01-01");
  EXPECT_LE(draft.feature->low, 36.5);
  EXPECT_GE(draft.feature->high, 75.5);
  EXPECT_NE(draft.note.find("no date, the first in line 5"), std::string::npos) << draft.note;
  // Eight digits are a day only where the column says so.
  const auto digits = many(40, [](int i) { return fmt::format("19{}0612", 50 + i); });
  EXPECT_EQ(draft_column("amount", profile_of(digits), 2026).feature->kind, FeatureKind::Number);
  EXPECT_EQ(draft_column("birthDate", profile_of(digits), 2026).feature->kind, FeatureKind::Date);
}

TEST(ColumnProfile, ManyMissingNumbersGetAColumnOfTheirOwn) {
  ColumnProfile profile = profile_of(many(90, [](int i) { return std::to_string(20 + i); }));
  EXPECT_FALSE(draft_column("age", profile, 2026).feature->missing_column);
  profile.missing = 10;
  EXPECT_TRUE(draft_column("age", profile, 2026).feature->missing_column);
}

TEST(ColumnProfile, EveryColumnThatIsLeftOutHasAReason) {
  EXPECT_EQ(draft_column("x", ColumnProfile{}, 2026).reason, "it is empty throughout");
  const auto wide = many(400, [](int i) { return fmt::format("v{}", i / 3); });
  EXPECT_NE(draft_column("x", profile_of(wide), 2026).reason.find("more than 100 values"), std::string::npos);
}

}  // namespace
}  // namespace graphveil::files::column_profile_test
