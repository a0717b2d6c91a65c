#include "graphveil/artifact/predictions_csv.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/files/csv_rows.h"
#include "graphveil/nn/metrics.h"

namespace graphveil::artifact {

std::string predictions_csv(const Matrix& probabilities, const PredictionNames& names) {
  require(names.ids.empty() || names.ids.size() == probabilities.rows(), "{} ids for {} rows", names.ids.size(),
          probabilities.rows());
  require(names.classes.empty() || names.classes.size() == probabilities.cols(), "{} class names for {} classes",
          names.classes.size(), probabilities.cols());
  std::vector<std::string> classes;
  for (const std::string& name : names.classes.list()) classes.push_back(files::csv_cell(name));
  std::string csv = "id,prediction";
  const auto out = std::back_inserter(csv);
  for (int64_t k = 0; k < probabilities.cols(); ++k) {
    classes.empty() ? fmt::format_to(out, ",p{}", k) : fmt::format_to(out, ",{}", classes[k]);
  }
  csv += '\n';
  const std::vector<int32_t> labels = nn::predictions(probabilities);
  for (int64_t v = 0; v < probabilities.rows(); ++v) {
    if (names.ids.empty()) {
      fmt::format_to(out, "{}", names.numbers.empty() ? v : names.numbers[v]);
    } else {
      csv += files::csv_cell(names.ids[v]);
    }
    classes.empty() ? fmt::format_to(out, ",{}", labels[v]) : fmt::format_to(out, ",{}", classes[labels[v]]);
    for (const Real p : probabilities.row(v)) fmt::format_to(out, ",{:.6g}", p);
    csv += '\n';
  }
  return csv;
}

Matrix probabilities_from_csv(const std::string& csv) {
  constexpr size_t kBefore = 2;  // id, prediction
  const files::TableText text("predictions", csv);
  files::CsvRows rows(text, ',');
  const size_t classes = rows.next() && rows.cells().size() > kBefore ? rows.cells().size() - kBefore : 0;
  std::vector<Real> values;
  while (rows.next()) {
    bool good = classes > 0 && rows.cells().size() == classes + kBefore;
    for (size_t k = 0; good && k < classes; ++k) {
      const std::string_view cell = rows.cells()[kBefore + k];
      const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), values.emplace_back());
      good = error == std::errc() && end == cell.data() + cell.size();
    }
    if (!good) fail(ErrorKind::BadInput, "predictions: line {}: want an id, a class and numbers", rows.line());
  }
  const auto count = classes == 0 ? 0 : static_cast<int64_t>(values.size() / classes);
  Matrix out(count, static_cast<int64_t>(classes));
  std::copy(values.begin(), values.end(), out.data());
  return out;
}

std::vector<std::string> prediction_ids(const std::string& csv) {
  const files::TableText text("predictions", csv);
  files::CsvRows rows(text, ',');
  rows.next();  // the header
  std::vector<std::string> out;
  while (rows.next()) {
    if (rows.cells().empty() || rows.cells().front().empty()) {
      fail(ErrorKind::BadInput, "predictions: line {}: has no id", rows.line());
    }
    out.emplace_back(rows.cells().front());
  }
  return out;
}

int64_t prediction_rows(const std::string& csv) {
  const files::TableText text("predictions", csv);
  files::CsvRows rows(text, ',');
  int64_t count = -1;
  while (rows.next()) ++count;
  return count;
}

}  // namespace graphveil::artifact
