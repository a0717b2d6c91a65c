#include "graphveil/files/dates.h"

#include <gtest/gtest.h>

namespace graphveil::files::dates_test {
namespace {

TEST(Dates, AreCountedFromTheFirstOfJanuary1970) {
  EXPECT_EQ(day_in("1970-01-01", DateFormat::YearMonthDay), 0);
  EXPECT_EQ(day_in("2000-03-01", DateFormat::YearMonthDay), 11017);  // `date -ud 2000-03-01 +%s` / 86400
  EXPECT_EQ(day_in("1900-02-28", DateFormat::YearMonthDay), -25509);
  EXPECT_EQ(day_in("1900-03-01", DateFormat::YearMonthDay), -25508);  // 1900 was no leap year
  EXPECT_EQ(day_in(" 2024-02-29 ", DateFormat::YearMonthDay), 19782);
}

TEST(Dates, OneDayInEveryFormat) {
  const char* texts[] = {"2001-02-03", "03.02.2001", "03/02/2001", "02/03/2001", "20010203"};
  for (size_t f = 0; f < std::size(kDateFormats); ++f) {
    EXPECT_EQ(day_in(texts[f], kDateFormats[f]), 11356) << texts[f];
    EXPECT_EQ(date_format(name(kDateFormats[f])), kDateFormats[f]);
  }
  EXPECT_EQ(date_format("yyyy"), std::nullopt);
}

TEST(Dates, ATimeOfDayIsPassedOver) {
  for (const char* text : {"2001-02-03 10:30", "2001-02-03T10:30:00Z", "2001-02-03T"}) {
    EXPECT_EQ(day_in(text, DateFormat::YearMonthDay), 11356) << text;
  }
}

TEST(Dates, WhatIsNoDayIsNone) {
  for (const char* text : {"", "2001", "2001-2-3", "2001-02-30", "2001-13-01", "2001-00-10", "2001-01-00", "0000-01-01",
                           "2001-02-035", "20o1-02-03", "-001-02-03", "2001/02/03", "Feb 3 2001", "2001-02-03x"}) {
    EXPECT_EQ(day_in(text, DateFormat::YearMonthDay), std::nullopt) << text;
  }
  EXPECT_EQ(day_in("13/13/2001", DateFormat::DayMonthSlashes), std::nullopt);
}

TEST(Dates, YearsAreOfTheCalendarsMeanLength) {
  EXPECT_DOUBLE_EQ(years_between(0, 146097), 400);  // the calendar comes round in 400 years
  EXPECT_LT(years_between(10, 0), 0);
}

}  // namespace
}  // namespace graphveil::files::dates_test
