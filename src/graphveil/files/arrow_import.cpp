#include "graphveil/files/arrow_import.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"
#include "graphveil/files/arrow_table.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/table_assembly.h"
#include "graphveil/files/table_text.h"

namespace graphveil::files {
namespace {

constexpr const char* kNodes = "the table of nodes";
constexpr const char* kEdges = "the table of edges";

// A stream does not say how long it is: progress counts what has come.
constexpr int64_t kUnknownRows = int64_t{1} << 40;

void check_text(std::string_view text, const char* what) {
  require(!first_not_utf8(text), "the {} is not UTF-8", what);
}

void read_arrow_nodes(const Schema& schema, ArrowTable& table, TableAssembly& assembly) {
  const NodeColumns at = node_columns(schema, table.columns(), table.name(), assembly.counts());
  table.check_column(at.id, true);
  if (at.label) table.check_column(*at.label, false);
  if (at.person) table.check_column(*at.person, false);
  for (const size_t column : at.features) table.check_column(column, false);
  Progress progress("reading nodes", kUnknownRows);
  std::vector<std::string_view> cells(at.features.size());
  std::vector<CellText> rooms(at.features.size() + 3);
  while (table.next()) {
    for (int64_t row = 0; row < table.rows(); ++row) {
      for (size_t f = 0; f < cells.size(); ++f) cells[f] = table.cell(at.features[f], row, rooms[f]);
      try {
        const std::string_view id = table.cell(at.id, row, rooms[cells.size()]);
        std::optional<std::string_view> label;
        if (at.label) label = table.cell(*at.label, row, rooms[cells.size() + 1]);
        std::optional<std::string_view> person;
        if (at.person) person = table.cell(*at.person, row, rooms[cells.size() + 2]);
        check_text(id, "id");
        assembly.add_node(id, label, cells, person);
      } catch (const Error& error) {
        bad_file(table.name(), "row {}: {}", table.first_row() + row + 1, error.what());
      }
      if (row % 4096 == 4095) progress.advance(4096);
    }
  }
  if (assembly.counts().node_rows == 0) bad_file(table.name(), "the table has no rows");
  assembly.finish_nodes(table.name());
}

void read_arrow_edges(const Schema& schema, ArrowTable& table, TableAssembly& assembly) {
  const std::vector<std::string>& names = table.columns();
  const size_t source = column_place(names, schema.source, table.name());
  const size_t target = column_place(names, schema.target, table.name());
  const std::optional<size_t> weight =
      schema.weight.empty() ? std::nullopt : std::optional(column_place(names, schema.weight, table.name()));
  table.check_column(source, true);
  table.check_column(target, true);
  if (weight) table.check_column(*weight, false);
  constexpr int64_t kRowsPerPart = 1 << 15;
  Progress progress("reading edges", kUnknownRows);
  while (table.next()) {
    const int64_t rows = table.rows(), parts = (rows + kRowsPerPart - 1) / kRowsPerPart;
    std::vector<EdgePart> found(static_cast<size_t>(parts));
    parallel_for(parts, 1, [&](int64_t begin, int64_t end) {
      CellText u, v, w;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t last = std::min(rows, (i + 1) * kRowsPerPart);
        for (int64_t row = i * kRowsPerPart; row < last; ++row) {
          try {
            found[static_cast<size_t>(i)].add(schema, assembly.ids(), table.cell(source, row, u),
                                              table.cell(target, row, v),
                                              weight ? table.cell(*weight, row, w) : std::string_view());
          } catch (const Error& error) {
            bad_file(table.name(), "row {}: {}", table.first_row() + row + 1, error.what());
          }
        }
      }
    });
    for (EdgePart& part : found) assembly.add_edges(std::move(part));
    progress.advance(rows);
  }
}

}  // namespace

Imported import_arrow(const Schema& schema, ArrowArrayStream* nodes, const std::function<ArrowArrayStream*()>& edges) {
  TableAssembly assembly(schema);
  {
    ArrowTable table(nodes, kNodes, schema.decimal);
    read_arrow_nodes(schema, table, assembly);
  }
  ArrowTable table(edges(), kEdges, schema.decimal);
  read_arrow_edges(schema, table, assembly);
  return assembly.finish("arrow", kEdges);
}

}  // namespace graphveil::files
