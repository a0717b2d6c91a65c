#include "graphveil/artifact/predictions_csv.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "graphveil/artifact/short_decimal.h"
#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/files/csv_rows.h"
#include "graphveil/nn/metrics.h"

namespace graphveil::artifact {
namespace {

constexpr int64_t kRowsOfPiece = 2048, kPiecesAtOnce = 64;
constexpr double kRoom = 1.05;  // over what the first rows take

}  // namespace

void predictions_csv(const Matrix& probabilities, const PredictionNames& names, std::span<const TextReader> readers) {
  require(names.ids.empty() || names.ids.size() == probabilities.rows(), "{} ids for {} rows", names.ids.size(),
          probabilities.rows());
  require(names.classes.empty() || names.classes.size() == probabilities.cols(), "{} class names for {} classes",
          names.classes.size(), probabilities.cols());
  std::vector<std::string> classes;
  for (const std::string& name : names.classes.list()) classes.push_back(files::csv_cell(name));
  std::string header = "id,prediction";
  for (int64_t k = 0; k < probabilities.cols(); ++k) {
    header += classes.empty() ? fmt::format(",p{}", k) : "," + classes[k];
  }
  header += '\n';

  const std::vector<int32_t> labels = nn::predictions(probabilities);
  const auto add_row = [&](int64_t v, std::string& text) {
    const auto out = std::back_inserter(text);
    if (names.ids.empty()) {
      fmt::format_to(out, "{}", names.numbers.empty() ? v : names.numbers[v]);
    } else {
      text += files::csv_cell(names.ids[v]);
    }
    classes.empty() ? fmt::format_to(out, ",{}", labels[v]) : fmt::format_to(out, ",{}", classes[labels[v]]);
    for (const Real p : probabilities.row(v)) append_short(text += ',', p);
    text += '\n';
  };
  std::vector<std::string> shown(kPiecesAtOnce), made(kPiecesAtOnce);
  shown.front() = header;
  const auto all_readers = std::ssize(readers);
  for (int64_t first = 0; first < probabilities.rows() || !shown.front().empty();
       first += kPiecesAtOnce * kRowsOfPiece) {
    const int64_t count = std::clamp<int64_t>(probabilities.rows() - first, 0, kPiecesAtOnce * kRowsOfPiece);
    parallel_for(all_readers + (count + kRowsOfPiece - 1) / kRowsOfPiece, 1, [&](int64_t item, int64_t) {
      if (item < all_readers) {
        for (const std::string& piece : shown) {
          if (!piece.empty()) readers[static_cast<size_t>(item)](piece);
        }
        return;
      }
      const int64_t begin = (item - all_readers) * kRowsOfPiece;
      std::string& text = made[static_cast<size_t>(item - all_readers)];
      for (int64_t v = first + begin; v < first + std::min(begin + kRowsOfPiece, count); ++v) add_row(v, text);
    });
    shown.swap(made);
    for (std::string& piece : made) piece.clear();
  }
}

std::string predictions_csv(const Matrix& probabilities, const PredictionNames& names) {
  std::string csv;
  int64_t read = 0;
  const TextReader reader = [&](std::string_view piece) {
    csv += piece;
    // Other pieces will be about as long: a text that grows would be copied again and again.
    if (++read == 2 && probabilities.rows() > kRowsOfPiece) {
      csv.reserve(static_cast<size_t>(kRoom * static_cast<double>(csv.size()) / static_cast<double>(kRowsOfPiece) *
                                      static_cast<double>(probabilities.rows())));
    }
  };
  predictions_csv(probabilities, names, {&reader, 1});
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
