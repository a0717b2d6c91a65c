#include "graphveil/files/dates.h"

#include <chrono>

#include "graphveil/files/feature_encoder.h"

namespace graphveil::files {
namespace {

struct Shape {
  const char* name;  // Y, M and D stand for digits, all else for itself
  DateFormat format;
};
constexpr Shape kShapes[] = {{"YYYY-MM-DD", DateFormat::YearMonthDay},
                             {"DD.MM.YYYY", DateFormat::DayMonthDots},
                             {"DD/MM/YYYY", DateFormat::DayMonthSlashes},
                             {"MM/DD/YYYY", DateFormat::MonthDaySlashes},
                             {"YYYYMMDD", DateFormat::EightDigits}};

}  // namespace

const char* name(DateFormat format) {
  for (const Shape& shape : kShapes) {
    if (shape.format == format) return shape.name;
  }
  return "";
}

std::optional<DateFormat> date_format(std::string_view text) {
  for (const Shape& shape : kShapes) {
    if (text == shape.name) return shape.format;
  }
  return std::nullopt;
}

std::optional<int64_t> day_in(std::string_view cell, DateFormat format) {
  const std::string_view text = trimmed(cell), shape = name(format);
  if (text.size() < shape.size()) return std::nullopt;
  if (text.size() > shape.size() && text[shape.size()] != ' ' && text[shape.size()] != 'T') return std::nullopt;
  int year = 0;
  unsigned month = 0, day = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    const unsigned value = digit ? static_cast<unsigned>(text[i] - '0') : 0;
    const char want = shape[i];
    if (want == 'Y' || want == 'M' || want == 'D' ? !digit : text[i] != want) return std::nullopt;
    if (want == 'Y') year = 10 * year + static_cast<int>(value);
    if (want == 'M') month = 10 * month + value;
    if (want == 'D') day = 10 * day + value;
  }
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  if (year < 1 || !date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

double years_between(int64_t day, int64_t later) { return static_cast<double>(later - day) / 365.2425; }

}  // namespace graphveil::files
