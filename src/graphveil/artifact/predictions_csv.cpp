#include "graphveil/artifact/predictions_csv.h"

#include <iterator>
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

int64_t prediction_rows(const std::string& csv) {
  const files::TableText text("predictions", csv);
  files::CsvRows rows(text, ',');
  int64_t count = -1;
  while (rows.next()) ++count;
  return count;
}

}  // namespace graphveil::artifact
