#include "graphveil/files/table_import.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"
#include "graphveil/files/assemble.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/id_table.h"
#include "graphveil/files/table_columns.h"

namespace graphveil::files {
namespace {

// The nodes' table, in its own order.
struct NodeRows {
  IdTable ids;
  std::deque<std::string> id_texts;  // those that are not in the file as they read
  std::vector<int32_t> labels;
  std::vector<int32_t> people;  // the row of the first node of the same person
  std::unordered_map<std::string, int32_t> first_rows;
};

bool within(std::string_view cell, std::string_view text) {
  return cell.data() >= text.data() && cell.data() + cell.size() <= text.data() + text.size();
}

int32_t label_of(const Schema& schema, std::string_view cell, ImportCounts& counts) {
  const auto found = std::find(schema.classes.begin(), schema.classes.end(), cell);
  if (found != schema.classes.end()) return static_cast<int32_t>(found - schema.classes.begin());
  const bool missing = std::find(schema.missing.begin(), schema.missing.end(), cell) != schema.missing.end();
  require(missing || !schema.refuse_unknown_class, "column '{}': '{}' is no declared class", schema.label, cell);
  ++(missing ? counts.missing_labels : counts.unknown_classes);
  return graph::kUnlabeled;
}

// The person of the next node; one who is not named is nobody else.
int32_t person_of(const Schema& schema, std::string_view cell, NodeRows& nodes) {
  const auto row = static_cast<int32_t>(nodes.people.size());
  if (std::find(schema.missing.begin(), schema.missing.end(), cell) != schema.missing.end()) return row;
  return nodes.first_rows.emplace(cell, row).first->second;
}

void read_nodes(const Schema& schema, const TableText& text, NodeRows& nodes, FeatureEncoder& encoder,
                ImportCounts& counts) {
  const TableColumns columns(text, schema.nodes);
  const size_t id_place = columns.place(schema.id);
  counts.label_column =
      std::find(columns.names().begin(), columns.names().end(), schema.label) != columns.names().end();
  const size_t label_place = counts.label_column ? columns.place(schema.label) : columns.names().size();
  const size_t person_place = schema.entity.empty() ? columns.names().size() : columns.place(schema.entity);
  std::vector<size_t> places;
  for (const FeatureColumn& feature : schema.features) places.push_back(columns.place(feature.column));
  for (size_t c = 0; c < columns.names().size(); ++c) {
    const bool used = c == id_place || c == label_place || c == person_place ||
                      std::find(places.begin(), places.end(), c) != places.end();
    if (!used) counts.unused_columns.push_back(columns.names()[c]);
  }
  Progress progress("reading nodes", static_cast<int64_t>(text.text().size()));
  CsvRows rows(text, schema.nodes.separator, columns.begin(), text.text().size());
  std::vector<std::string_view> cells(places.size());
  size_t told = 0;
  while (columns.next(rows)) {
    ++counts.node_rows;
    std::string_view id = rows.cells()[id_place];
    if (id.empty()) bad_file(text.file(), "line {}: the id (column '{}') is empty", rows.line(), schema.id);
    if (!within(id, text.text())) id = nodes.id_texts.emplace_back(id);
    if (!nodes.ids.add(id)) {
      ++counts.duplicate_ids;
      continue;
    }
    if (!schema.entity.empty()) nodes.people.push_back(person_of(schema, rows.cells()[person_place], nodes));
    for (size_t f = 0; f < places.size(); ++f) cells[f] = rows.cells()[places[f]];
    try {
      nodes.labels.push_back(counts.label_column ? label_of(schema, rows.cells()[label_place], counts)
                                                 : graph::kUnlabeled);
      encoder.add(cells);
    } catch (const Error& error) {
      bad_file(text.file(), "line {}: {}", rows.line(), error.what());
    }
    if (nodes.labels.size() % 4096 == 0) {
      progress.advance(static_cast<int64_t>(rows.offset() - told));
      told = rows.offset();
    }
  }
  counts.blank_lines += columns.blank_lines() + rows.blank_lines();
  counts.features = encoder.counts();
}

// Shorter ids first, so that numbers come in their order.
std::vector<int32_t> order_by_id(const std::vector<std::string_view>& ids) {
  std::vector<int32_t> order(ids.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int32_t>(i);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return ids[a].size() != ids[b].size() ? ids[a].size() < ids[b].size() : ids[a] < ids[b];
  });
  return order;
}

// A part of the edges' table, by itself.
struct EdgePart {
  std::vector<int32_t> sources, targets;
  int64_t rows = 0, blank_lines = 0, dangling = 0, light = 0;
  std::unordered_set<std::string> strangers;
};

struct EdgeColumns {
  size_t source, target, weight;
};

void read_edge_part(const Schema& schema, const TableText& text, const TableColumns& columns, const EdgeColumns& at,
                    const IdTable& ids, size_t begin, size_t end, EdgePart& part) {
  CsvRows rows(text, schema.edges.separator, begin, end);
  while (columns.next(rows)) {
    ++part.rows;
    if (!schema.weight.empty()) {
      const std::string_view cell = rows.cells()[at.weight];
      const std::optional<double> weight = number_in(cell, schema.decimal);
      if (!weight) bad_file(text.file(), "line {}: the weight '{}' is no number", rows.line(), cell);
      if (*weight < schema.keep_from) {
        ++part.light;
        continue;
      }
    }
    const std::string_view source = rows.cells()[at.source], target = rows.cells()[at.target];
    const std::optional<int32_t> u = ids.find(source), v = ids.find(target);
    if (u && v) {
      part.sources.push_back(*u);
      part.targets.push_back(*v);
      continue;
    }
    ++part.dangling;
    if (!u) part.strangers.emplace(source);
    if (!v) part.strangers.emplace(target);
  }
  part.blank_lines = rows.blank_lines();
}

graph::Graph read_edges(const Schema& schema, const TableText& text, const IdTable& ids,
                        const std::vector<int32_t>& rank, graph::EdgeCleanup& cleanup, ImportCounts& counts) {
  const TableColumns columns(text, schema.edges, false);
  const EdgeColumns at{columns.place(schema.source), columns.place(schema.target),
                       schema.weight.empty() ? 0 : columns.place(schema.weight)};
  constexpr size_t kPartBytes = size_t{1} << 21;
  constexpr int64_t kPartsAtOnce = 16;
  std::vector<size_t> cuts = row_parts(text, kPartBytes);
  cuts[0] = columns.begin();
  if (cuts.size() > 2 && cuts[1] < cuts[0]) cuts = {columns.begin(), text.text().size()};
  const auto parts = static_cast<int64_t>(cuts.size()) - 1;
  std::vector<int32_t> sources, targets;
  std::unordered_set<std::string> strangers;
  Progress progress("reading edges", parts);
  for (int64_t first = 0; first < parts; first += kPartsAtOnce) {
    std::vector<EdgePart> found(static_cast<size_t>(std::min(kPartsAtOnce, parts - first)));
    parallel_for(static_cast<int64_t>(found.size()), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        read_edge_part(schema, text, columns, at, ids, cuts[first + i], cuts[first + i + 1], found[i]);
      }
    });
    for (EdgePart& part : found) {
      for (const int32_t u : part.sources) sources.push_back(rank[u]);
      for (const int32_t v : part.targets) targets.push_back(rank[v]);
      counts.edge_rows += part.rows;
      counts.blank_lines += part.blank_lines;
      counts.dangling_edges += part.dangling;
      counts.light_edges += part.light;
      strangers.merge(part.strangers);
      progress.advance();
    }
  }
  counts.blank_lines += columns.blank_lines();
  counts.ids_only_in_edges = static_cast<int64_t>(strangers.size());
  // A table without rows is a graph without edges; rows of which none fits are a mistake in the schema.
  if (sources.empty() && counts.edge_rows > 0) {
    bad_file(text.file(), "none of its {} rows joins two nodes by columns '{}' and '{}': every node is isolated",
             counts.edge_rows, schema.source, schema.target);
  }
  const auto nodes = static_cast<int64_t>(rank.size());
  return schema.directed ? graph::Graph::from_edges(nodes, sources, targets, &cleanup)
                         : graph::Graph::from_undirected_edges(nodes, sources, targets, &cleanup);
}

// What a draft took from the data.
std::vector<std::string> taken_from_data(const Schema& schema) {
  bool numbers = false, values = false;
  for (const FeatureColumn& feature : schema.features) {
    numbers |= feature.kind == FeatureKind::Number;
    values |= !feature.values.empty();
  }
  std::vector<std::string> lines{"which columns the table of nodes has, and of what kind they are"};
  if (numbers) lines.emplace_back("the range of every number column");
  if (values) lines.emplace_back("which values every category column takes");
  if (!schema.classes.empty()) lines.emplace_back("which classes there are");
  return lines;
}

}  // namespace

Imported import_tables(const Schema& schema, const std::string& nodes_path, const std::string& edges_path) {
  const TableText node_text(nodes_path), edge_text(edges_path);
  Imported imported;
  graph::Dataset& dataset = imported.dataset;
  NodeRows nodes;
  FeatureEncoder encoder(schema);
  read_nodes(schema, node_text, nodes, encoder, imported.counts);
  checked_nodes(nodes_path, "rows", encoder.rows());

  const std::vector<int32_t> order = order_by_id(nodes.ids.ids());
  std::vector<int32_t> rank(order.size()), labels(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = static_cast<int32_t>(i);
    labels[i] = nodes.labels[order[i]];
  }
  for (size_t i = 0; !nodes.people.empty() && i < order.size(); ++i) {
    imported.entities.push_back(rank[nodes.people[order[i]]]);
  }
  dataset.name = std::filesystem::path(nodes_path).stem().string();
  dataset.graph = read_edges(schema, edge_text, nodes.ids, rank, dataset.cleanup, imported.counts);
  dataset.features = encoder.features(order);
  dataset.labels = std::move(labels);
  dataset.classes = std::max<int32_t>(1, static_cast<int32_t>(schema.classes.size()));
  dataset.ids = graph::Names(std::span<const std::string_view>(nodes.ids.ids())).at(order);
  dataset.class_names = graph::Names(std::span<const std::string>(schema.classes));
  const std::vector<std::string> columns = feature_names(schema);
  dataset.feature_names = graph::Names(std::span<const std::string>(columns));
  if (schema.declared) {
    dataset.schema = schema.text;
  } else {
    dataset.found_in_data = taken_from_data(schema);
  }
  return imported;
}

std::vector<std::string> oddities(const ImportCounts& counts, const Schema& schema) {
  std::vector<std::string> lines;
  const auto line = [&](int64_t count, const char* what) {
    if (count > 0) lines.push_back(fmt::format("{} {}", count, what));
  };
  line(counts.blank_lines, "blank lines passed over");
  line(counts.duplicate_ids, "rows of an id that was there before left out");
  if (!counts.label_column && !schema.label.empty()) {
    lines.push_back(
        fmt::format("there is no column '{}': nobody has a label, and nothing can be trained", schema.label));
  }
  line(counts.unknown_classes, "labels are no declared class: such nodes take part without a label");
  line(counts.dangling_edges, "rows of edges left out: an end is no node");
  line(counts.ids_only_in_edges, "ids occur in the table of edges alone");
  for (size_t f = 0; f < counts.features.size(); ++f) {
    const std::string column = fmt::format("of column '{}' ", schema.features[f].column);
    line(counts.features[f].clipped, ("values " + column + "clipped to the declared range").c_str());
    line(counts.features[f].unknown, ("values " + column + "are not among the declared ones").c_str());
  }
  return lines;
}

}  // namespace graphveil::files
