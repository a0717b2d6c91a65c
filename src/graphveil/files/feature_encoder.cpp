#include "graphveil/files/feature_encoder.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::files {
namespace {

std::string shown(std::string_view cell) {
  constexpr size_t kLongest = 40;
  std::string text(cell.substr(0, kLongest));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; }, '?');
  return cell.size() > kLongest ? text + "..." : text;
}

double scaled(const FeatureColumn& feature, double value) {
  switch (feature.scaling) {
    case Scaling::None: return value;
    case Scaling::MinMax: return value / (feature.high - feature.low) - feature.low / (feature.high - feature.low);
    case Scaling::Log: return std::log1p(value - feature.low) / std::log1p(feature.high - feature.low);
  }
  return value;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<double> number_in(std::string_view cell, char decimal) {
  std::string_view text = trimmed(cell);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::string with_point;
  if (decimal == ',' && text.find(',') != std::string_view::npos) {
    if (text.find('.') != std::string_view::npos) return std::nullopt;
    with_point = text;
    std::replace(with_point.begin(), with_point.end(), ',', '.');
    text = with_point;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

FeatureEncoder::FeatureEncoder(const Schema& schema)
    : schema_(schema),
      missing_(schema.missing.begin(), schema.missing.end()),
      cols_(static_cast<int64_t>(feature_names(schema).size())),
      counts_(schema.features.size()) {
  require(cols_ >= 1 && cols_ <= INT32_MAX, "the schema has {} feature columns, want 1 to {}", cols_, INT32_MAX);
  int32_t first = 0;
  for (const FeatureColumn& feature : schema.features) {
    firsts_.push_back(first);
    Places& places = places_.emplace_back();
    for (const std::string& value : feature.values) places.emplace(value, static_cast<int32_t>(places.size()));
    const bool category = feature.kind == FeatureKind::Category;
    first += feature.values.empty() ? 1 : static_cast<int32_t>(feature.values.size()) + (category ? 1 : 0);
    if (feature.missing_column) ++first;
  }
}

void FeatureEncoder::entry(int32_t column, double value) {
  if (value == 0) return;
  indices_.push_back(column);
  values_.push_back(static_cast<float>(value));
}

std::optional<double> FeatureEncoder::reading(const FeatureColumn& feature, std::string_view cell) const {
  if (feature.kind == FeatureKind::Number) return number_in(cell, schema_.decimal);
  const std::optional<int64_t> day = day_in(cell, feature.date_format);
  return day ? std::optional(years_between(*day, feature.reference_day)) : std::nullopt;
}

void FeatureEncoder::unreadable(const FeatureColumn& feature, std::string_view cell, const std::string& words,
                                CellCounts& counts) {
  if (!feature.unreadable_is_missing) {
    fail(ErrorKind::InvalidArgument, "column '{}': '{}' {}", feature.column, shown(cell), words);
  }
  if (counts.unreadable++ == 0) counts.first_unreadable = rows() + 1;
}

void FeatureEncoder::number(const FeatureColumn& feature, int32_t first, std::string_view cell, CellCounts& counts) {
  std::optional<double> read;
  if (is_missing(cell)) {
    ++counts.missing;
  } else if (read = reading(feature, cell); !read) {
    const bool comma = schema_.decimal == '.' && number_in(cell, ',').has_value();
    const std::string what = feature.kind == FeatureKind::Date
                                 ? std::string("is no day written ") + name(feature.date_format)
                                 : "is no number";
    unreadable(feature, cell,
               what + (comma && feature.kind == FeatureKind::Number
                           ? "; declare decimal = \",\" under [nodes] if commas are decimal points"
                           : "; list it under 'missing' if it stands for nothing, or say unreadable = \"missing\""),
               counts);
  }
  const double value = std::clamp(read.value_or(feature.missing), feature.low, feature.high);
  if (read && value != *read) ++counts.clipped;
  entry(first, scaled(feature, value));
  if (read && feature.scaling != Scaling::None) {
    constexpr double kRounding = 1e-9;  // 0.29 may be a hair less
    counts.hundredths.resize(100);
    ++counts.hundredths[static_cast<size_t>(std::clamp(100 * scaled(feature, value) + kRounding, 0.0, 99.0))];
  }
  if (!read && feature.missing_column) entry(first + 1, 1);
}

void FeatureEncoder::flag(const FeatureColumn& feature, int32_t first, std::string_view cell, CellCounts& counts) {
  const auto in = [&](const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), cell) != words.end();
  };
  if (in(feature.yes)) return entry(first, 1);
  if (in(feature.no)) return;
  if (is_missing(cell)) {
    ++counts.missing;
  } else {
    unreadable(feature, cell, "is neither yes nor no; list it under 'yes', 'no' or 'missing'", counts);
  }
  entry(first, feature.missing);
}

void FeatureEncoder::bag(const FeatureColumn& feature, const Places& places, int32_t first, std::string_view cell,
                         CellCounts& counts) {
  const size_t begin = indices_.size();
  while (!cell.empty()) {
    const size_t end = std::min(cell.find(feature.separator), cell.size());
    const std::string_view word = trimmed(cell.substr(0, end));
    cell.remove_prefix(std::min(cell.size(), end + feature.separator.size()));
    if (word.empty()) continue;
    const auto found = places.find(word);
    if (found == places.end()) {
      ++counts.unknown;
    } else {
      indices_.push_back(first + found->second);
    }
  }
  const auto from = indices_.begin() + static_cast<ptrdiff_t>(begin);
  std::sort(from, indices_.end());
  indices_.erase(std::unique(from, indices_.end()), indices_.end());
  values_.resize(indices_.size(), 1.0f);
}

void FeatureEncoder::add(const std::vector<std::string_view>& cells) {
  require(cells.size() == schema_.features.size(), "{} cells for {} features", cells.size(), schema_.features.size());
  try {
    for (size_t f = 0; f < cells.size(); ++f) {
      const FeatureColumn& feature = schema_.features[f];
      switch (feature.kind) {
        case FeatureKind::Number:
        case FeatureKind::Date: number(feature, firsts_[f], cells[f], counts_[f]); break;
        case FeatureKind::Flag: flag(feature, firsts_[f], cells[f], counts_[f]); break;
        case FeatureKind::TextBag:
          if (is_missing(cells[f])) {
            ++counts_[f].missing;
          } else {
            bag(feature, places_[f], firsts_[f], cells[f], counts_[f]);
          }
          break;
        case FeatureKind::Category: {
          const auto other = static_cast<int32_t>(feature.values.size());
          if (const auto found = places_[f].find(cells[f]); found != places_[f].end()) {
            entry(firsts_[f] + found->second, 1);
          } else if (is_missing(cells[f])) {
            ++counts_[f].missing;
            if (feature.missing_column) entry(firsts_[f] + other + 1, 1);
          } else {
            ++counts_[f].unknown;
            entry(firsts_[f] + other, 1);
          }
          break;
        }
      }
    }
  } catch (const Error&) {
    indices_.resize(static_cast<size_t>(offsets_.back()));
    values_.resize(indices_.size());
    throw;
  }
  offsets_.push_back(static_cast<int64_t>(indices_.size()));
}

graph::Features FeatureEncoder::features(std::span<const int32_t> order) const {
  SparseMatrix matrix{static_cast<int64_t>(rows()), cols_, offsets_, indices_, values_};
  // From the schema alone: how full a file is must not show in how it is kept.
  const bool sparse = cols_ > 4 * static_cast<int64_t>(schema_.features.size());
  const graph::Features in_order = graph::Features(std::move(matrix)).rows_at(order);
  if (sparse) return in_order;
  Matrix dense(in_order.rows(), cols_);
  const SparseView view = in_order.sparse().view();
  for (int64_t r = 0; r < view.rows; ++r) {
    for (int64_t i = view.offsets[r]; i < view.offsets[r + 1]; ++i) {
      dense(r, view.indices[i]) = view.values.empty() ? 1.0f : view.values[i];
    }
  }
  return dense;
}

}  // namespace graphveil::files
