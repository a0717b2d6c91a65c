// Days of the calendar, as tables write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace graphveil::files {

enum class DateFormat { YearMonthDay, DayMonthDots, DayMonthSlashes, MonthDaySlashes, EightDigits };
inline constexpr DateFormat kDateFormats[] = {DateFormat::YearMonthDay, DateFormat::DayMonthDots,
                                              DateFormat::DayMonthSlashes, DateFormat::MonthDaySlashes,
                                              DateFormat::EightDigits};

// "YYYY-MM-DD", "DD.MM.YYYY", "DD/MM/YYYY", "MM/DD/YYYY", "YYYYMMDD".
const char* name(DateFormat format);
// None: it is the name of no format.
std::optional<DateFormat> date_format(std::string_view name);

// The day that a cell says, counted from 1970-01-01, in the years 1 to 9999; nothing when it says none. Blanks around
// it are allowed, and a time of day after a blank or a T is passed over.
std::optional<int64_t> day_in(std::string_view cell, DateFormat format);

// Years of 365.2425 days from one day to a later one; below 0 when it is not later.
double years_between(int64_t day, int64_t later);

}  // namespace graphveil::files
