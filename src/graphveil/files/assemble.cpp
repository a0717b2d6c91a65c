#include "graphveil/files/assemble.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/files/bad_input.h"

namespace graphveil::files {
namespace {

void check_rows(const std::string& file, const RawRows& raw) {
  const auto entries = static_cast<int64_t>(raw.indices.size());
  if (static_cast<int64_t>(raw.offsets.size()) != raw.rows + 1) {
    bad_field(file, raw.offsets_field, "has {} values for {} rows, want {}", raw.offsets.size(), raw.rows,
              raw.rows + 1);
  }
  if (raw.offsets[0] != 0) bad_row(file, raw.offsets_field, 0, "is {}, want 0", raw.offsets[0]);
  for (int64_t r = 0; r < raw.rows; ++r) {
    if (raw.offsets[r + 1] < raw.offsets[r] || raw.offsets[r + 1] > entries) {
      bad_row(file, raw.offsets_field, r + 1, "is {}, want {} to {}", raw.offsets[r + 1], raw.offsets[r], entries);
    }
  }
  if (raw.offsets[raw.rows] != entries) {
    bad_row(file, raw.offsets_field, raw.rows, "is {}, but {} has {} values", raw.offsets[raw.rows], raw.indices_field,
            entries);
  }
  if (!raw.values.empty() && raw.values.size() != raw.indices.size()) {
    bad_field(file, raw.values_field, "has {} values, but {} has {}", raw.values.size(), raw.indices_field, entries);
  }
  for (int64_t r = 0; r < raw.rows; ++r) {
    for (int64_t i = raw.offsets[r]; i < raw.offsets[r + 1]; ++i) {
      if (raw.indices[i] < 0 || raw.indices[i] >= raw.cols) {
        bad_row(file, raw.indices_field, r, "index {} is out of range, want 0 to {}", raw.indices[i], raw.cols - 1);
      }
    }
  }
}

void sort_row(std::span<int32_t> indices, std::span<float> values, std::vector<std::pair<int32_t, float>>& scratch) {
  if (std::is_sorted(indices.begin(), indices.end())) return;
  scratch.clear();
  for (size_t i = 0; i < indices.size(); ++i) scratch.emplace_back(indices[i], values.empty() ? 1.0f : values[i]);
  std::stable_sort(scratch.begin(), scratch.end(), [](auto& a, auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < indices.size(); ++i) {
    indices[i] = scratch[i].first;
    if (!values.empty()) values[i] = scratch[i].second;
  }
}

}  // namespace

int64_t checked_nodes(const std::string& file, const std::string& field, int64_t nodes) {
  if (nodes == 0) bad_field(file, field, "the graph has no nodes");
  if (nodes < 0 || nodes > graph::kMaxNodes) {
    bad_field(file, field, "{} nodes are out of range, want 1 to {}", nodes, graph::kMaxNodes);
  }
  return nodes;
}

graph::Graph checked_graph(const std::string& file, RawRows raw, graph::EdgeCleanup& cleanup) {
  check_rows(file, raw);
  const auto stored = static_cast<int64_t>(raw.indices.size());
  std::vector<int32_t> neighbors;
  neighbors.reserve(raw.indices.size());
  bool weights_ignored = false;
  int64_t begin = 0;
  for (int64_t u = 0; u < raw.rows; ++u) {
    const int64_t end = raw.offsets[u + 1];
    for (int64_t i = begin; i < end; ++i) {
      const float weight = raw.values.empty() ? 1.0f : raw.values[i];
      weights_ignored |= weight != 0 && weight != 1;
      if (weight != 0) neighbors.push_back(static_cast<int32_t>(raw.indices[i]));
    }
    begin = end;
    raw.offsets[u + 1] = static_cast<int64_t>(neighbors.size());
  }
  const int64_t zero_weights = stored - static_cast<int64_t>(neighbors.size());
  graph::Graph graph = graph::Graph::from_out_lists({std::move(raw.offsets), std::move(neighbors)}, &cleanup);
  cleanup.stored = stored;
  cleanup.zero_weights = zero_weights;
  cleanup.weights_ignored = weights_ignored;
  return graph;
}

SparseMatrix checked_sparse(const std::string& file, RawRows raw) {
  check_rows(file, raw);
  std::vector<int32_t> indices(raw.indices.begin(), raw.indices.end());
  raw.indices = {};
  std::vector<std::pair<int32_t, float>> scratch;
  for (int64_t r = 0; r < raw.rows; ++r) {
    const auto begin = static_cast<size_t>(raw.offsets[r]), size = static_cast<size_t>(raw.offsets[r + 1]) - begin;
    const std::span<int32_t> row(indices.data() + begin, size);
    sort_row(row, raw.values.empty() ? std::span<float>() : std::span(raw.values.data() + begin, size), scratch);
    const auto twice = std::adjacent_find(row.begin(), row.end());
    if (twice != row.end()) bad_row(file, raw.indices_field, r, "column {} occurs twice", *twice);
  }
  if (std::all_of(raw.values.begin(), raw.values.end(), [](float x) { return x == 1; })) raw.values = {};
  return {raw.rows, raw.cols, std::move(raw.offsets), std::move(indices), std::move(raw.values)};
}

void check_finite(const std::string& file, const std::string& field, std::span<const float> values, int64_t width,
                  int64_t first_row) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      bad_row(file, field, first_row + static_cast<int64_t>(i) / width, "column {} is {}, want a finite number",
              static_cast<int64_t>(i) % width, values[i]);
    }
  }
}

void set_labels(const std::string& file, const std::string& field, std::span<const int64_t> labels,
                graph::Dataset& dataset) {
  const int64_t nodes = dataset.nodes();
  if (static_cast<int64_t>(labels.size()) != nodes) {
    bad_field(file, field, "has {} labels for {} nodes", labels.size(), nodes);
  }
  std::vector<int32_t> narrow(labels.size());
  int32_t largest = 0;
  for (size_t v = 0; v < labels.size(); ++v) {
    if (labels[v] < graph::kUnlabeled || labels[v] >= nodes) {
      bad_row(file, field, static_cast<int64_t>(v), "label {} is out of range, want 0 to {}, or -1 for none", labels[v],
              nodes - 1);
    }
    narrow[v] = static_cast<int32_t>(labels[v]);
    largest = std::max(largest, narrow[v]);
  }
  dataset.labels = std::move(narrow);
  dataset.classes = largest + 1;
  dataset.found_in_data.emplace_back(kClassesOfLabels);
}

std::vector<int32_t> checked_part(const std::string& file, const std::string& field, std::span<const int64_t> ids,
                                  int64_t nodes) {
  std::vector<int32_t> part;
  part.reserve(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= nodes) {
      bad_row(file, field, static_cast<int64_t>(i), "node {} is out of range, want 0 to {}", ids[i], nodes - 1);
    }
    part.push_back(static_cast<int32_t>(ids[i]));
  }
  std::sort(part.begin(), part.end());
  const auto twice = std::adjacent_find(part.begin(), part.end());
  if (twice != part.end()) bad_field(file, field, "node {} occurs twice", *twice);
  return part;
}

std::vector<std::string> checked_lines(const std::string& file, const std::string& field, std::string_view text) {
  constexpr size_t kLongest = 200;
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const bool printable = std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (line.empty() || line.size() > kLongest || line.size() == text.size() || !printable) {
      bad_row(file, field, static_cast<int64_t>(lines.size()), "is not a line of 1 to {} printable characters",
              kLongest);
    }
    lines.emplace_back(line);
    text.remove_prefix(line.size() + 1);
  }
  return lines;
}

std::string joined_lines(std::span<const std::string> lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

void check_disjoint(const std::string& file, const graph::Split& split, int64_t nodes) {
  std::vector<bool> taken(static_cast<size_t>(nodes), false);
  for (const auto& [part, name] : {std::pair(&split.train, "train"), {&split.val, "val"}, {&split.test, "test"}}) {
    for (int32_t node : *part) {
      if (taken[node]) bad_field(file, name, "node {} is in another part of the split as well", node);
      taken[node] = true;
    }
  }
}

}  // namespace graphveil::files
