// Matrix Market, and the graph in a folder of such files: adjacency.mtx, features.mtx, labels.mtx (or labels.csv).
#include "graphveil/files/matrix_market.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include "graphveil/files/assemble.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/readers.h"
#include "graphveil/files/table_text.h"
#include "graphveil/files/text_rows.h"

namespace graphveil::files {
namespace {

std::string_view next_word(std::string_view& line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t' || line.front() == '\r')) line.remove_prefix(1);
  const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
  line.remove_prefix(word.size());
  return word;
}

// Lines with something on them that are no remarks.
class Lines {
 public:
  explicit Lines(const TableText& text) : text_(text), left_(text.text()) {}
  bool next() {
    while (!left_.empty()) {
      ++number_;
      line_ = left_.substr(0, left_.find('\n'));
      left_.remove_prefix(std::min(left_.size(), line_.size() + 1));
      std::string_view rest = line_;
      if (!next_word(rest).empty() && line_[0] != '%') return true;
    }
    return false;
  }
  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    bad_file(text_.file(), "line {}: {}", number_, fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename T>
  T number() {
    const std::string_view word = next_word(line_);
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    bool good = error == std::errc() && end == word.data() + word.size() && !word.empty();
    if constexpr (std::is_floating_point_v<T>) good = good && std::isfinite(value);
    if (!good) refuse("want a {}number in range", std::is_integral_v<T> ? "whole " : "");
    return value;
  }
  void end() {
    if (!next_word(line_).empty()) refuse("has more on it than it should");
  }

 private:
  const TableText& text_;
  std::string_view left_, line_;
  int64_t number_ = 0;
};

struct Kind {
  bool dense = false, pattern = false, symmetric = false;
};

Kind read_kind(const TableText& text) {
  std::string header(text.text().substr(0, text.text().find('\n')));
  std::transform(header.begin(), header.end(), header.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string_view left = header;
  const auto refuse = [&] {
    bad_file(
        text.file(),
        "line 1: want '%%MatrixMarket matrix', coordinate or array, real, integer or pattern, general or symmetric");
  };
  if (next_word(left) != "%%matrixmarket" || next_word(left) != "matrix") refuse();
  const std::string_view layout = next_word(left), field = next_word(left), symmetry = next_word(left);
  const Kind kind{layout == "array", field == "pattern", symmetry == "symmetric"};
  const bool known = (kind.dense || layout == "coordinate") &&
                     (field == "real" || field == "integer" || kind.pattern) &&
                     (kind.symmetric || symmetry == "general");
  if (!known || (kind.dense && (kind.pattern || kind.symmetric))) refuse();
  return kind;
}

}  // namespace

MatrixMarket read_matrix_market(const std::string& path) {
  const TableText text(path);
  const Kind kind = read_kind(text);
  Lines lines(text);
  if (!lines.next()) bad_file(path, "has no line of sizes");
  MatrixMarket out;
  out.dense = kind.dense;
  out.rows = lines.number<int64_t>();
  out.cols = lines.number<int64_t>();
  if (out.rows < 1 || out.cols < 1 || out.rows > INT32_MAX || out.cols > INT32_MAX) {
    lines.refuse("{} x {} is out of range", out.rows, out.cols);
  }
  const int64_t entries = kind.dense ? out.rows * out.cols : lines.number<int64_t>();
  lines.end();
  // Every entry takes at least two bytes: sizes that the file cannot hold take no memory.
  if (entries < 0 || entries > static_cast<int64_t>(text.text().size())) {
    lines.refuse("{} entries do not fit the file", entries);
  }
  for (int64_t i = 0; i < entries; ++i) {
    if (!lines.next()) bad_file(path, "ends after {} of {} entries", i, entries);
    if (!kind.dense) {
      const int64_t row = lines.number<int64_t>() - 1, col = lines.number<int64_t>() - 1;
      if (row < 0 || row >= out.rows || col < 0 || col >= out.cols) {
        lines.refuse("entry ({}, {}) is outside {} x {}", row + 1, col + 1, out.rows, out.cols);
      }
      out.row.push_back(static_cast<int32_t>(row));
      out.col.push_back(static_cast<int32_t>(col));
    }
    if (!kind.pattern) out.values.push_back(lines.number<float>());
    lines.end();
    if (kind.symmetric && out.row.back() != out.col.back()) {
      out.row.push_back(out.col.back());
      out.col.push_back(out.row[out.row.size() - 2]);
      if (!kind.pattern) out.values.push_back(out.values.back());
    }
  }
  if (lines.next()) lines.refuse("more than the {} entries that the sizes say", entries);
  return out;
}

namespace {

// By rows.
RawRows raw_rows(const MatrixMarket& m) {
  RawRows raw;
  raw.offsets_field = raw.indices_field = raw.values_field = "entries";
  raw.rows = m.rows;
  raw.cols = m.cols;
  raw.offsets.assign(static_cast<size_t>(m.rows) + 1, 0);
  for (const int32_t r : m.row) ++raw.offsets[r + 1];
  for (int64_t r = 0; r < m.rows; ++r) raw.offsets[r + 1] += raw.offsets[r];
  std::vector<int64_t> next(raw.offsets.begin(), raw.offsets.end() - 1);
  raw.indices.resize(m.col.size());
  raw.values.resize(m.values.size());
  for (size_t i = 0; i < m.col.size(); ++i) {
    const int64_t at = next[m.row[i]]++;
    raw.indices[at] = m.col[i];
    if (!m.values.empty()) raw.values[at] = m.values[i];
  }
  return raw;
}

graph::Features features_of(const std::string& path, const MatrixMarket& m) {
  if (!m.dense) return checked_sparse(path, raw_rows(m));
  Matrix rows(m.rows, m.cols);
  for (int64_t i = 0; i < m.rows * m.cols; ++i) rows(i % m.rows, i / m.rows) = m.values[i];
  return rows;
}

std::vector<int64_t> labels_of(const std::string& path) {
  const MatrixMarket m = read_matrix_market(path);
  if (!m.dense || m.cols != 1) bad_file(path, "labels are an array of one column");
  std::vector<int64_t> labels;
  for (const float value : m.values) {
    if (value != std::floor(value) || std::abs(value) > 1e6f) bad_file(path, "label {} is not a whole number", value);
    labels.push_back(static_cast<int64_t>(value));
  }
  return labels;
}

}  // namespace

graph::Dataset read_matrix_market_folder(const std::string& folder) {
  const auto needed = [&](const std::string& name) {
    std::string path = plain_or_gzip(folder + "/" + name);
    if (path.empty()) bad_file(folder, "{} is missing", name);
    return path;
  };
  const std::string adjacency = needed("adjacency.mtx"), features = needed("features.mtx");
  const MatrixMarket edges = read_matrix_market(adjacency);
  if (edges.dense || edges.rows != edges.cols) bad_file(adjacency, "want a square of coordinates");
  graph::Dataset dataset;
  dataset.name = std::filesystem::path(folder + "/").parent_path().filename().string();
  dataset.graph = checked_graph(adjacency, raw_rows(edges), dataset.cleanup);
  const MatrixMarket columns = read_matrix_market(features);
  if (columns.rows != dataset.nodes()) {
    bad_file(features, "has {} rows for {} nodes", columns.rows, dataset.nodes());
  }
  dataset.features = features_of(features, columns);
  const std::string table = plain_or_gzip(folder + "/labels.csv");
  const std::string labels = table.empty() ? needed("labels.mtx") : table;
  set_labels(labels, "labels", table.empty() ? labels_of(labels) : read_labels(labels), dataset);
  return dataset;
}

}  // namespace graphveil::files
