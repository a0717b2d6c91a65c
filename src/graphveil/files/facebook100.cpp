// Facebook100 .mat: the friendships of one school (sparse `A`) and seven columns about its members
// (`local_info`: status, gender, major, minor, housing, year, high school; 0 = not given).
#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "graphveil/files/assemble.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/file_bytes.h"
#include "graphveil/files/mat5.h"
#include "graphveil/files/readers.h"

namespace graphveil::files {
namespace {

constexpr int64_t kColumns = 7;
constexpr int64_t kFeatureColumns = 6;  // the high school is never a feature
constexpr double kMaxCode = 1 << 24;

// A column as codes: 0 = not given, k = the k-th smallest value that occurs.
struct Codes {
  std::vector<int32_t> of_node;
  int32_t count = 0;
};

Codes encode(const std::string& file, const MatMatrix& info, int64_t column) {
  const std::span<const double> values(info.values.data() + column * info.rows, static_cast<size_t>(info.rows));
  for (int64_t v = 0; v < info.rows; ++v) {
    if (!(values[v] >= 0 && values[v] <= kMaxCode) ||
        values[v] != static_cast<double>(static_cast<int32_t>(values[v]))) {
      bad_row(file, "local_info", v, "column {} is {}, want a whole number from 0 to {}", column, values[v], kMaxCode);
    }
  }
  std::vector<double> distinct(values.begin(), values.end());
  distinct.push_back(0);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  Codes codes;
  codes.count = static_cast<int32_t>(distinct.size()) - 1;
  codes.of_node.reserve(values.size());
  for (double value : values) {
    const auto place = std::lower_bound(distinct.begin(), distinct.end(), value) - distinct.begin();
    codes.of_node.push_back(static_cast<int32_t>(place));
  }
  return codes;
}

// The other columns side by side, each value a column of its own; a value not given gives no entry.
SparseMatrix one_hot(const std::vector<Codes>& columns, int64_t nodes) {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  for (int64_t v = 0; v < nodes; ++v) {
    int32_t first = 0;
    for (const Codes& codes : columns) {
      if (codes.of_node[v] > 0) indices.push_back(first + codes.of_node[v] - 1);
      first += codes.count;
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  int64_t width = 0;
  for (const Codes& codes : columns) width += codes.count;
  return {nodes, width, std::move(offsets), std::move(indices), {}};
}

graph::Graph friendships(const std::string& file, MatMatrix& a, graph::EdgeCleanup& cleanup) {
  RawRows raw;
  raw.offsets_field = raw.indices_field = raw.values_field = "A";
  raw.rows = raw.cols = a.rows;
  raw.offsets = std::move(a.offsets);
  raw.indices = std::move(a.row_indices);
  raw.values.reserve(a.values.size());
  for (double weight : a.values) raw.values.push_back(weight != 0 ? 1.0f : 0.0f);
  // Friendship is mutual: an entry on one side only stands for both.
  return graph::symmetrized(checked_graph(file, std::move(raw), cleanup));
}

}  // namespace

graph::Dataset read_facebook100(const std::string& path, FacebookTarget target) {
  const SharedArray<std::byte> bytes = file_bytes(path);
  const std::array<std::string, 2> wanted{"A", "local_info"};
  std::vector<MatMatrix> matrices = read_mat5(path, bytes, wanted);
  const auto find = [&](const std::string& name) -> MatMatrix& {
    for (MatMatrix& matrix : matrices) {
      if (matrix.name == name) return matrix;
    }
    bad_field(path, name, "the variable is missing");
  };
  MatMatrix& a = find("A");
  MatMatrix& info = find("local_info");
  checked_nodes(path, "A", a.rows);
  if (!a.sparse || a.rows != a.cols) bad_field(path, "A", "is {} x {}, want a sparse square", a.rows, a.cols);
  if (info.sparse || info.rows != a.rows || info.cols != kColumns) {
    bad_field(path, "local_info", "is {} x {}, want {} x {}", info.rows, info.cols, a.rows, kColumns);
  }

  graph::Dataset dataset;
  dataset.name = std::filesystem::path(path).stem().string();
  dataset.graph = friendships(path, a, dataset.cleanup);
  std::vector<Codes> columns;
  for (int64_t c = 0; c < kFeatureColumns; ++c) {
    if (c != static_cast<int64_t>(target)) columns.push_back(encode(path, info, c));
  }
  dataset.features = one_hot(columns, dataset.nodes());
  Codes labels = encode(path, info, static_cast<int64_t>(target));
  for (int32_t& label : labels.of_node) --label;  // 0 (not given) becomes kUnlabeled
  static_assert(graph::kUnlabeled == -1);
  if (labels.count == 0) bad_field(path, "local_info", "no node has a value of the target");
  dataset.labels = std::move(labels.of_node);
  dataset.classes = labels.count;
  dataset.found_in_data = {"which values each column takes", "which values the target takes"};
  return dataset;
}

}  // namespace graphveil::files
