#include "graphveil/files/table_assembly.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "graphveil/base/similar.h"
#include "graphveil/files/assemble.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/label_bins.h"

namespace graphveil::files {
namespace {

// Shorter ids first, so that numbers come in their order.
std::vector<int32_t> order_by_id(const IdTable& ids) {
  std::vector<int32_t> order(static_cast<size_t>(ids.size()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    const std::string_view first = ids[a], second = ids[b];
    return first.size() != second.size() ? first.size() < second.size() : first < second;
  });
  return order;
}

graph::Names names_in_order(const IdTable& ids, std::span<const int32_t> order) {
  std::vector<int64_t> offsets{0};
  std::vector<char> text;
  offsets.reserve(order.size() + 1);
  for (const int32_t number : order) {
    const std::string_view id = ids[number];
    text.insert(text.end(), id.begin(), id.end());
    offsets.push_back(static_cast<int64_t>(text.size()));
  }
  return {std::move(offsets), std::move(text)};
}

// What a draft took from the data.
std::vector<std::string> taken_from_data(const Schema& schema) {
  bool numbers = false, values = false;
  for (const FeatureColumn& feature : schema.features) {
    numbers |= feature.kind == FeatureKind::Number || feature.kind == FeatureKind::Date;
    values |= !feature.values.empty();
  }
  std::vector<std::string> lines{"which columns the table of nodes has, and of what kind they are"};
  if (numbers) lines.emplace_back("the range of every number column");
  if (values) lines.emplace_back("which values every category column takes");
  if (!schema.classes.empty()) lines.emplace_back("which classes there are");
  return lines;
}

}  // namespace

size_t column_place(std::span<const std::string> names, const std::string& name, const std::string& file) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    bad_file(file, "there is no column '{}'{}{}", name, did_you_mean(name, names),
             names.size() == 1 ? "; the table has one column only: is its separator right?" : "");
  }
  return static_cast<size_t>(found - names.begin());
}

NodeColumns node_columns(const Schema& schema, std::span<const std::string> names, const std::string& file,
                         ImportCounts& counts) {
  NodeColumns at;
  at.id = column_place(names, schema.id, file);
  counts.label_column = std::find(names.begin(), names.end(), schema.label) != names.end();
  if (counts.label_column) at.label = column_place(names, schema.label, file);
  if (!schema.entity.empty()) at.person = column_place(names, schema.entity, file);
  for (const FeatureColumn& feature : schema.features) {
    at.features.push_back(column_place(names, feature.column, file));
  }
  for (size_t c = 0; c < names.size(); ++c) {
    const bool used = c == at.id || c == at.label || c == at.person ||
                      std::find(at.features.begin(), at.features.end(), c) != at.features.end();
    if (!used) counts.unused_columns.push_back(names[c]);
  }
  return at;
}

void EdgePart::add(const Schema& schema, const IdTable& ids, std::string_view source, std::string_view target,
                   std::string_view weight_cell) {
  ++rows;
  if (!schema.weight.empty()) {
    const std::optional<double> weight = number_in(weight_cell, schema.decimal);
    require(weight.has_value(), "the weight '{}' is no number", weight_cell);
    if (*weight < schema.keep_from) {
      ++light;
      return;
    }
  }
  const std::optional<int32_t> u = ids.find(source), v = ids.find(target);
  if (u && v) {
    sources.push_back(*u);
    targets.push_back(*v);
    return;
  }
  ++dangling;
  if (!u) strangers.add(source);
  if (!v) strangers.add(target);
}

int32_t TableAssembly::label_of(std::string_view cell) {
  const bool bins = !schema_.label_bins.empty();
  if (bins) {
    if (const std::optional<double> value = number_in(cell, schema_.decimal)) return bin_of(schema_.label_bins, *value);
  } else if (const auto found = std::find(schema_.classes.begin(), schema_.classes.end(), cell);
             found != schema_.classes.end()) {
    return static_cast<int32_t>(found - schema_.classes.begin());
  }
  const bool missing = std::find(schema_.missing.begin(), schema_.missing.end(), cell) != schema_.missing.end();
  require(missing || !schema_.refuse_unknown_class, "column '{}': '{}' is no {}", schema_.label, cell,
          bins ? "number, and its bins want one" : "declared class");
  ++(missing ? counts_.missing_labels : counts_.unknown_classes);
  return graph::kUnlabeled;
}

// One who is not named is nobody else.
int32_t TableAssembly::person_of(std::string_view cell) {
  const auto row = static_cast<int32_t>(people_.size());
  if (std::find(schema_.missing.begin(), schema_.missing.end(), cell) != schema_.missing.end()) return row;
  if (names_.add(cell)) first_rows_.push_back(row);
  return first_rows_[*names_.find(cell)];
}

void TableAssembly::add_node(std::string_view id, const std::optional<std::string_view>& label,
                             const std::vector<std::string_view>& cells,
                             const std::optional<std::string_view>& person) {
  ++counts_.node_rows;
  require(!id.empty(), "the id (column '{}') is empty", schema_.id);
  if (!ids_.add(id)) {
    ++counts_.duplicate_ids;
    return;
  }
  if (person) people_.push_back(person_of(*person));
  labels_.push_back(label ? label_of(*label) : graph::kUnlabeled);
  encoder_.add(cells);
}

void TableAssembly::finish_nodes(const std::string& file) {
  counts_.features = encoder_.counts();
  checked_nodes(file, "rows", encoder_.rows());
  order_ = order_by_id(ids_);
  rank_.resize(order_.size());
  for (size_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = static_cast<int32_t>(i);
}

void TableAssembly::add_edges(EdgePart part) {
  for (const int32_t u : part.sources) sources_.push_back(rank_[u]);
  for (const int32_t v : part.targets) targets_.push_back(rank_[v]);
  counts_.edge_rows += part.rows;
  counts_.blank_lines += part.blank_lines;
  counts_.dangling_edges += part.dangling;
  counts_.light_edges += part.light;
  for (int32_t i = 0; i < part.strangers.size(); ++i) strangers_.add(part.strangers[i]);
}

Imported TableAssembly::finish(const std::string& name, const std::string& edges_file) {
  counts_.ids_only_in_edges = strangers_.size();
  // A table without rows is a graph without edges; rows of which none fits are a mistake in the schema.
  if (sources_.empty() && counts_.edge_rows > 0) {
    bad_file(
        edges_file,
        "none of its {} rows joins two nodes by columns '{}' and '{}': every node is isolated. Is column '{}' of the "
        "nodes the right one, and are ids written in one way?",
        counts_.edge_rows, schema_.source, schema_.target, schema_.id);
  }
  Imported imported;
  graph::Dataset& dataset = imported.dataset;
  std::vector<int32_t> labels(order_.size());
  for (size_t i = 0; i < order_.size(); ++i) labels[i] = labels_[order_[i]];
  for (size_t i = 0; !people_.empty() && i < order_.size(); ++i) {
    imported.entities.push_back(rank_[people_[order_[i]]]);
  }
  const auto nodes = static_cast<int64_t>(rank_.size());
  dataset.name = name;
  dataset.graph = schema_.directed ? graph::Graph::from_edges(nodes, sources_, targets_, &dataset.cleanup)
                                   : graph::Graph::from_undirected_edges(nodes, sources_, targets_, &dataset.cleanup);
  for (std::vector<int32_t>* ends : {&sources_, &targets_}) std::vector<int32_t>().swap(*ends);
  dataset.features = encoder_.features(order_);
  dataset.labels = std::move(labels);
  dataset.classes = std::max<int32_t>(1, static_cast<int32_t>(schema_.classes.size()));
  dataset.ids = names_in_order(ids_, order_);
  dataset.class_names = graph::Names(std::span<const std::string>(schema_.classes));
  const std::vector<std::string> columns = feature_names(schema_);
  dataset.feature_names = graph::Names(std::span<const std::string>(columns));
  if (schema_.declared) {
    dataset.schema = schema_.text;
  } else {
    dataset.found_in_data = taken_from_data(schema_);
  }
  imported.counts = std::move(counts_);
  return imported;
}

}  // namespace graphveil::files
