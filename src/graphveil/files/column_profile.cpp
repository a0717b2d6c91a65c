#include "graphveil/files/column_profile.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/files/feature_encoder.h"

namespace graphveil::files {
namespace {

constexpr size_t kMostWords = 500;  // of a text-bag
constexpr std::string_view kBagMarks = "|;";
constexpr int64_t kSample = 1000;

// Numbers with two digits that hold the range between them.
std::pair<double, double> round_range(double low, double high) {
  const double span = std::max(high - low, std::max(std::abs(low), std::abs(high)) * 1e-6);
  const double step = std::pow(10.0, std::floor(std::log10(std::max(span, 1e-300))) - 1);
  double from = std::floor(low / step) * step, to = std::ceil(high / step) * step;
  if (!(from < to)) to = from + 1;
  return {from, to};
}

// Few enough of the cells to be slips.
bool are_slips(int64_t odd, int64_t filled) { return odd <= std::max<int64_t>(1, filled / 20) && 5 * odd <= filled; }

// Where more than one in twenty is missing, that may say something by itself.
bool often_missing(const ColumnProfile& p) { return 20 * p.missing > p.filled + p.missing; }

std::string slips_note(const std::string& column, int64_t odd, int64_t filled, const char* what, int64_t line) {
  if (odd == 0) return "";
  return fmt::format(
      "column '{}': {} of {} cells {} no {}, the first in line {}; unreadable = \"missing\" lets them count "
      "as missing",
      column, odd, filled, odd == 1 ? "is" : "are", what, line);
}

bool is_flag(const ColumnProfile& profile) {
  static const std::set<std::string> kFlags{"0",     "1",   "true", "false", "yes", "no", "True", "False", "TRUE",
                                            "FALSE", "Yes", "No",   "YES",   "NO",  "t",  "f",    "y",     "n"};
  return profile.values.size() <= 2 &&
         std::all_of(profile.values.begin(), profile.values.end(), [](auto& v) { return kFlags.count(v) > 0; });
}

// The words of a column's name, small: "Birth_Date" has "birth" and "date", "zipCode" has "zip" and "code".
std::set<std::string> words_of(const std::string& column) {
  std::set<std::string> out;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) out.insert(word);
    word.clear();
  };
  for (size_t i = 0; i < column.size(); ++i) {
    const auto c = static_cast<unsigned char>(column[i]);
    if (std::isupper(c) && i > 0 && std::islower(static_cast<unsigned char>(column[i - 1]))) end_word();
    if (std::isalpha(c)) {
      word += static_cast<char>(std::tolower(c));
    } else {
      end_word();
    }
  }
  end_word();
  return out;
}

bool any_of_words(const std::set<std::string>& words, std::initializer_list<const char*> known) {
  return std::any_of(known.begin(), known.end(), [&](const char* word) { return words.count(word) > 0; });
}

// The format, by its place, in which all cells but slips are days, the first of several; none: there is no such.
std::optional<size_t> format_of(const std::string& column, const ColumnProfile& profile) {
  std::optional<size_t> best;
  int64_t most = 0;
  for (size_t f = 0; f < profile.days.size(); ++f) {
    const int64_t count = profile.days[f].count;
    if (count <= most || !are_slips(profile.filled - count, profile.filled)) continue;
    // Eight digits may be any number.
    if (kDateFormats[f] == DateFormat::EightDigits &&
        !any_of_words(words_of(column), {"date", "day", "birth", "dob", "born"})) {
      continue;
    }
    best = f;
    most = count;
  }
  return best;
}

ColumnDraft dated(const std::string& column, const ColumnProfile& profile, size_t format, int64_t year) {
  const ColumnProfile::Days& days = profile.days[format];
  FeatureColumn feature;
  feature.column = column;
  feature.kind = FeatureKind::Date;
  feature.date_format = kDateFormats[format];
  feature.reference = fmt::format("{:04}-01-01", std::clamp<int64_t>(year, 1, 9999));
  feature.reference_day = *day_in(feature.reference, DateFormat::YearMonthDay);
  std::tie(feature.low, feature.high) = round_range(years_between(days.latest, feature.reference_day),
                                                    years_between(days.earliest, feature.reference_day));
  feature.missing = feature.low;
  feature.missing_column = often_missing(profile);
  const int64_t odd = profile.filled - days.count;
  feature.unreadable_is_missing = odd > 0;
  return {feature, "", slips_note(column, odd, profile.filled, "date", days.first_other)};
}

ColumnDraft numbered(const std::string& column, const ColumnProfile& profile) {
  FeatureColumn feature;
  feature.column = column;
  feature.kind = FeatureKind::Number;
  std::tie(feature.low, feature.high) = round_range(profile.low, profile.high);
  feature.missing = feature.low;
  feature.missing_column = often_missing(profile);
  if (profile.low >= 0 && profile.high > 1000 * std::max(1.0, profile.low)) feature.scaling = Scaling::Log;
  const int64_t odd = profile.filled - profile.numbers;
  feature.unreadable_is_missing = odd > 0;
  return {feature, "", slips_note(column, odd, profile.filled, "number", profile.first_word)};
}

}  // namespace

void ColumnProfile::add(std::string_view cell, char decimal, int64_t line) {
  ++filled;
  if (const std::optional<double> number = number_in(cell, decimal)) {
    ++numbers;
    whole += *number == std::floor(*number) ? 1 : 0;
    low = std::min(low, *number);
    high = std::max(high, *number);
  } else {
    if (first_word == 0) first_word = line;
    if (number_in(cell, ',')) ++comma_numbers;
  }
  for (size_t f = 0; f < days.size(); ++f) {
    Days& seen = days[f];
    if (const std::optional<int64_t> day = day_in(cell, kDateFormats[f])) {
      ++seen.count;
      seen.earliest = std::min(seen.earliest, *day);
      seen.latest = std::max(seen.latest, *day);
    } else if (seen.first_other == 0) {
      seen.first_other = line;
    }
  }
  mails += cell.find('@') != std::string_view::npos ? 1 : 0;
  letters += static_cast<int64_t>(cell.size());
  blanks += std::count(cell.begin(), cell.end(), ' ');
  if (sampled < kSample) {
    ++sampled;
    sample.insert(std::hash<std::string_view>()(cell));
  }
  if (values.size() <= kMostDraftedValues) values.emplace(cell);
  for (const char mark : kBagMarks) {
    if (cell.find(mark) != std::string_view::npos) ++with_mark[mark];
    std::set<std::string>& seen = words[mark];
    for (size_t at = 0; at <= cell.size() && seen.size() <= kMostWords;) {
      const size_t end = std::min(cell.find(mark, at), cell.size());
      const std::string_view word = trimmed(cell.substr(at, end - at));
      if (!word.empty()) seen.emplace(word);
      at = end + 1;
    }
  }
}

std::string private_look(const std::string& column, const ColumnProfile& p) {
  constexpr int64_t kEnough = 20;  // cells, to say that each is another
  const std::set<std::string> words = words_of(column);
  const bool number = p.numbers > 0 && are_slips(p.filled - p.numbers, p.filled);
  const auto different = static_cast<int64_t>(p.sample.size());
  const bool mostly_different = p.sampled >= kEnough && 2 * different > p.sampled;
  const bool all_different = p.sampled >= kEnough && 10 * different > 9 * p.sampled;
  if (p.filled == 0) return "";
  if (2 * p.mails > p.filled || any_of_words(words, {"email", "mail", "phone", "telephone", "mobile", "fax"})) {
    return "addresses or numbers at which people are reached";
  }
  if (!number && any_of_words(words, {"name", "surname", "firstname", "lastname", "forename", "fullname", "username",
                                      "nickname", "vorname", "nachname", "nom", "prenom"})) {
    return "names of people";
  }
  if (any_of_words(words, {"address", "street", "adresse", "strasse", "zip", "zipcode", "postcode", "postal", "plz",
                           "latitude", "longitude", "ip"}) &&
      p.values.size() > kFewNumbers) {
    return "addresses or places";
  }
  if (mostly_different && any_of_words(words, {"id", "uuid", "guid", "key", "ssn", "iban", "passport", "insurance",
                                               "account", "hash", "token", "card", "mrn", "number", "nr"})) {
    return "a key by which people are found elsewhere";
  }
  if (number) {
    // A running number: whole, each another, from 0 or 1 to about as many as there are.
    const bool running = all_different && p.whole == p.filled && p.low >= 0 && p.low <= 1 &&
                         p.high <= 1.5 * static_cast<double>(p.filled);
    return running ? "a running number" : "";
  }
  if (format_of(column, p)) return "";
  if (p.letters > 60 * p.filled || p.blanks > 4 * p.filled) return "free text";
  if (all_different && p.with_mark.empty()) return "a name, a key or free text: nearly every row has another value";
  return "";
}

ColumnDraft draft_column(const std::string& column, const ColumnProfile& profile, int64_t year) {
  if (profile.filled == 0) return {std::nullopt, "it is empty throughout", ""};
  if (const std::string look = private_look(column, profile); !look.empty()) {
    return {std::nullopt, "do not publish? It looks like " + look, ""};
  }
  FeatureColumn feature;
  feature.column = column;
  if (is_flag(profile)) {
    feature.kind = FeatureKind::Flag;
    return {feature, "", ""};
  }
  if (const std::optional<size_t> format = format_of(column, profile)) return dated(column, profile, *format, year);
  const bool few = profile.values.size() <= kFewNumbers;
  const bool codes = profile.numbers == profile.filled && profile.whole == profile.filled && few;
  const bool slips = profile.numbers < profile.filled;
  if (!codes && are_slips(profile.filled - profile.numbers, profile.filled) &&
      !(slips && few && profile.filled >= 20)) {
    return numbered(column, profile);
  }
  for (const auto& [mark, count] : profile.with_mark) {
    const std::set<std::string>& words = profile.words.at(mark);
    if (10 * count < profile.filled || words.size() > kMostWords) continue;
    feature.kind = FeatureKind::TextBag;
    feature.separator = mark;
    feature.values.assign(words.begin(), words.end());
    return {feature, "", ""};
  }
  if (profile.values.size() > kMostDraftedValues) {
    return {std::nullopt, fmt::format("it takes more than {} values: group them first", kMostDraftedValues), ""};
  }
  if (2 * static_cast<int64_t>(profile.values.size()) > profile.filled + 4) {
    return {std::nullopt, "do not publish? It takes nearly as many values as there are rows", ""};
  }
  feature.kind = FeatureKind::Category;
  feature.values.assign(profile.values.begin(), profile.values.end());
  return {feature, "", ""};
}

}  // namespace graphveil::files
