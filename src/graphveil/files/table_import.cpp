#include "graphveil/files/table_import.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/table_assembly.h"
#include "graphveil/files/table_columns.h"

namespace graphveil::files {
namespace {

// Like read_edges(), this takes the text along, whose memory is free again when it is read.
void read_nodes(const Schema& schema, TableText text, TableAssembly& assembly) {
  const TableColumns columns(text, schema.nodes);
  const NodeColumns at = node_columns(schema, columns.names(), text.file(), assembly.counts());
  Progress progress("reading nodes", static_cast<int64_t>(text.text().size()));
  CsvRows rows(text, schema.nodes.separator, columns.begin(), text.text().size());
  std::vector<std::string_view> cells(at.features.size());
  size_t told = 0;
  while (columns.next(rows)) {
    const std::string_view id = rows.cells()[at.id];
    for (size_t f = 0; f < cells.size(); ++f) cells[f] = rows.cells()[at.features[f]];
    try {
      assembly.add_node(id, at.label ? std::optional(std::string_view(rows.cells()[*at.label])) : std::nullopt, cells,
                        at.person ? std::optional(std::string_view(rows.cells()[*at.person])) : std::nullopt);
    } catch (const Error& error) {
      bad_file(text.file(), "line {}: {}", rows.line(), error.what());
    }
    if (assembly.nodes() % 4096 == 0) {
      progress.advance(static_cast<int64_t>(rows.offset() - told));
      told = rows.offset();
    }
  }
  assembly.counts().blank_lines += columns.blank_lines() + rows.blank_lines();
  assembly.finish_nodes(text.file());
}

struct EdgeColumns {
  size_t source, target, weight;
};

void read_edge_part(const Schema& schema, const TableText& text, const TableColumns& columns, const EdgeColumns& at,
                    const IdTable& ids, size_t begin, size_t end, EdgePart& part) {
  CsvRows rows(text, schema.edges.separator, begin, end);
  while (columns.next(rows)) {
    const std::span<const std::string_view> cells = rows.cells();
    try {
      part.add(schema, ids, cells[at.source], cells[at.target], cells[at.weight]);
    } catch (const Error& error) {
      bad_file(text.file(), "line {}: {}", rows.line(), error.what());
    }
  }
  part.blank_lines = rows.blank_lines();
}

void read_edges(const Schema& schema, TableText text, TableAssembly& assembly) {
  const TableColumns columns(text, schema.edges, false);
  const EdgeColumns at{columns.place(schema.source), columns.place(schema.target),
                       schema.weight.empty() ? 0 : columns.place(schema.weight)};
  constexpr size_t kPartBytes = size_t{1} << 21;
  constexpr size_t kPartsAtOnce = 16;
  Progress progress("reading edges", static_cast<int64_t>(text.text().size()));
  // Parts are cut as they are read: cutting all of a large text would touch a page in every part of it, and where the
  // system keeps files in huge pages that is the whole text at once.
  for (size_t from = columns.begin(); from < text.text().size();) {
    std::vector<size_t> cuts{from};
    while (cuts.size() <= kPartsAtOnce && cuts.back() < text.text().size()) {
      cuts.push_back(part_end(text, cuts.back(), kPartBytes));
    }
    std::vector<EdgePart> found(cuts.size() - 1);
    parallel_for(std::ssize(found), 1, [&](int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
        read_edge_part(schema, text, columns, at, assembly.ids(), cuts[i], cuts[i + 1], found[i]);
      }
    });
    for (EdgePart& part : found) assembly.add_edges(std::move(part));
    progress.advance(static_cast<int64_t>(cuts.back() - from));
    from = cuts.back();
  }
  assembly.counts().blank_lines += columns.blank_lines();
}

}  // namespace

namespace {

// The columns of either table are in the other one.
void check_not_swapped(const Schema& schema, const TableText& nodes, const TableText& edges) {
  const auto has = [](const TableText& text, const TableLayout& layout, std::initializer_list<std::string> wanted) {
    const std::vector<std::string> names = TableColumns(text, layout, false).names();
    return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    });
  };
  if (!schema.nodes.header || !schema.edges.header || has(nodes, schema.nodes, {schema.id})) return;
  if (has(edges, schema.nodes, {schema.id}) && has(nodes, schema.edges, {schema.source, schema.target})) {
    bad_file(nodes.file(), "there is no column '{}', and {} has it: are --nodes and --edges swapped?", schema.id,
             edges.file());
  }
}

}  // namespace

Imported import_tables(const Schema& schema, const std::string& nodes_path, const std::string& edges_path) {
  TableText node_text(nodes_path), edge_text(edges_path);
  check_not_swapped(schema, node_text, edge_text);
  TableAssembly assembly(schema);
  read_nodes(schema, std::move(node_text), assembly);
  read_edges(schema, std::move(edge_text), assembly);
  return assembly.finish(std::filesystem::path(nodes_path).stem().string(), edges_path);
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
    if (counts.features[f].unreadable > 0) {
      line(counts.features[f].unreadable,
           fmt::format("cells {}cannot be read and count as missing, the first in row {} of nodes", column,
                       counts.features[f].first_unreadable)
               .c_str());
    }
  }
  return lines;
}

std::vector<std::string> wide_ranges(const ImportCounts& counts, const Schema& schema) {
  constexpr double kMost = 0.9;
  constexpr size_t kNarrow = 20;  // hundredths
  std::vector<std::string> lines;
  for (size_t f = 0; f < counts.features.size(); ++f) {
    const std::vector<int64_t>& hundredths = counts.features[f].hundredths;
    const double all = static_cast<double>(std::accumulate(hundredths.begin(), hundredths.end(), int64_t{0}));
    // The narrowest stretch that has most of them: its two ends go up together.
    size_t narrowest = hundredths.size();
    double within = 0;
    for (size_t begin = 0, end = 0; end < hundredths.size(); ++end) {
      within += static_cast<double>(hundredths[end]);
      while (begin < end && within - static_cast<double>(hundredths[begin]) >= kMost * all) {
        within -= static_cast<double>(hundredths[begin++]);
      }
      if (within >= kMost * all) narrowest = std::min(narrowest, end + 1 - begin);
    }
    if (all == 0 || narrowest >= kNarrow) continue;
    const FeatureColumn& feature = schema.features[f];
    lines.push_back(fmt::format("nine in ten values of column '{}' fill {}% of its range, {:g} to {:g}", feature.column,
                                narrowest, feature.low, feature.high));
  }
  return lines;
}

}  // namespace graphveil::files
