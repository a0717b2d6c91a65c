// graphveil data schema, data import: from tables of one's own to a graph.
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/description.h"
#include "graphveil/base/error.h"
#include "graphveil/files/format.h"
#include "graphveil/files/label_bins.h"
#include "graphveil/files/schema_draft.h"
#include "graphveil/files/table_import.h"

namespace graphveil::cli {
namespace {

struct TableOptions {
  std::string nodes, edges, schema, output;
  files::DraftWishes wishes;
  bool nodes_without_header = false, edges_without_header = false;
  bool strict = false, force = false;
};

void add_table_options(CLI::App& command, TableOptions& options) {
  command.add_option("--nodes", options.nodes, "CSV: one row per node, with an id, features and a label")->required();
  command.add_option("--edges", options.edges, "CSV: one row per edge, with the ids of its ends")->required();
}

void add_draft_options(CLI::App& command, TableOptions& options) {
  const std::string usual = " (default: found by its name)";
  command.add_option("--id", options.wishes.id, "Column of the nodes' ids" + usual);
  command.add_option("--label", options.wishes.label, "Column to predict" + usual);
  command
      .add_option("--label-bins", options.wishes.label_bins,
                  "The label is a number: cut it into classes at these, say 3,7,30")
      ->delimiter(',');
  command.add_option("--entity", options.wishes.entity, "Column of the person behind a node, where one may be several");
  command.add_option("--source", options.wishes.source, "Column of the edges' source ids" + usual);
  command.add_option("--target", options.wishes.target, "Column of the edges' target ids" + usual);
  command.add_flag("--no-label", options.wishes.no_label, "Nothing is to be predicted: people to predict on alone");
  command.add_flag("--nodes-without-header", options.nodes_without_header, "The table of nodes has no header");
  command.add_flag("--edges-without-header", options.edges_without_header, "The table of edges has no header");
}

files::Schema drafted(const TableOptions& options) {
  files::DraftWishes wishes = options.wishes;
  if (!wishes.label_bins.empty()) {
    const std::optional<std::string> wrong = files::wrong_edges(wishes.label_bins);
    require(!wrong, "--label-bins: {}", wrong.value_or(""));
  }
  wishes.nodes_header = !options.nodes_without_header;
  wishes.edges_header = !options.edges_without_header;
  // Read back, so that what is imported is what would have been written.
  files::Schema draft = files::draft_schema(options.nodes, options.edges, wishes);
  files::Schema schema = files::parse_schema(draft.text, "the draft");
  schema.left_out = std::move(draft.left_out);
  schema.notes = std::move(draft.notes);
  return schema;
}

// For the holder's eyes: these speak of private records, and no file has them.
void show_notes(const files::Schema& schema, const Session& session) {
  if (session.quiet) return;
  for (const std::string& note : schema.notes) fmt::print(stderr, "{} (yours to know)\n", note);
}

nlohmann::ordered_json counts_json(const files::ImportCounts& counts, const files::Schema& schema) {
  nlohmann::ordered_json features = nlohmann::ordered_json::array();
  for (size_t f = 0; f < counts.features.size(); ++f) {
    features.push_back({{"column", schema.features[f].column},
                        {"missing", counts.features[f].missing},
                        {"clipped", counts.features[f].clipped},
                        {"unknown", counts.features[f].unknown},
                        {"unreadable", counts.features[f].unreadable}});
  }
  return {{"node_rows", counts.node_rows},           {"edge_rows", counts.edge_rows},
          {"blank_lines", counts.blank_lines},       {"duplicate_ids", counts.duplicate_ids},
          {"missing_labels", counts.missing_labels}, {"unknown_classes", counts.unknown_classes},
          {"dangling_edges", counts.dangling_edges}, {"ids_only_in_edges", counts.ids_only_in_edges},
          {"light_edges", counts.light_edges},       {"features", features},
          {"unused_columns", counts.unused_columns}};
}

void run_import(const TableOptions& options, const Session& session) {
  check_output(options.output, options.force);
  const files::Schema schema = options.schema.empty() ? drafted(options) : files::read_schema(options.schema);
  const files::Imported imported = files::import_tables(schema, options.nodes, options.edges);
  const std::vector<std::string> odd = files::oddities(imported.counts, schema);
  if (options.strict && !odd.empty()) {
    fail(ErrorKind::BadInput, "--strict: {}; nothing was written", fmt::join(odd, "; "));
  }
  files::write_dataset(imported.dataset, options.output, imported.entities);
  nlohmann::ordered_json object = description_json(imported.dataset);
  object["import"] = counts_json(imported.counts, schema);
  object["out"] = options.output;
  const std::vector<std::string> lost = left_behind(imported.dataset, options.output);
  object["left_behind"] = lost;
  std::string text = description_text(imported.dataset) + left_behind_text(lost);
  if (!odd.empty()) text += "Taken care of (yours to know: these count private records):\n";
  for (const std::string& line : odd) text += fmt::format("  {}\n", line);
  const std::vector<std::string> wide = files::wide_ranges(imported.counts, schema);
  object["import"]["wide_ranges"] = wide;
  if (!wide.empty()) {
    text +=
        "Wide ranges (yours to know: these speak of private records). Noise hides a column that is nearly the same for "
        "everybody.\nIf you know without the data where most values lie, declare that; do not take it from here:\n";
  }
  for (const std::string& line : wide) text += fmt::format("  {}\n", line);
  if (!imported.counts.unused_columns.empty()) {
    text += fmt::format("Columns that the schema does not name, left out: {}\n",
                        fmt::join(imported.counts.unused_columns, ", "));
  }
  if (!schema.declared) {
    text +=
        "No schema was declared public: columns, ranges and classes were read off the data, and every certificate will "
        "say so. See `graphveil data schema`.\n";
  }
  print_result(session, object, text);
}

void add_schema(CLI::App& data, Session& session) {
  CLI::App* command =
      data.add_subcommand("schema", "Draft the public schema of your own tables, to edit: TOML on standard output");
  auto options = std::make_shared<TableOptions>();
  add_table_options(*command, *options);
  add_draft_options(*command, *options);
  add_common_options(*command, session);
  command->footer("Example:\n  graphveil data schema --nodes people.csv --edges friends.csv --label job > schema.toml");
  command->callback([options, &session] {
    const files::Schema schema = drafted(*options);
    show_notes(schema, session);
    nlohmann::ordered_json object;
    object["left_out"] = nlohmann::ordered_json::array();
    for (const files::LeftOut& column : schema.left_out) {
      object["left_out"].push_back({{"column", column.column}, {"reason", column.reason}});
    }
    object["notes"] = schema.notes;
    object["schema"] = schema.text;
    object["features"] = files::feature_names(schema);
    object["classes"] = schema.classes;
    print_result(session, object, schema.text);
  });
}

void add_import(CLI::App& data, Session& session) {
  CLI::App* command = data.add_subcommand("import", "Make a graph of your own tables, as a schema says");
  auto options = std::make_shared<TableOptions>();
  CLI::Option* schema =
      command->add_option("--schema", options->schema,
                          "TOML file that `data schema` drafted and you declared public; without one, "
                          "columns and ranges are read off the data, and a certificate says so");
  add_table_options(*command, *options);
  command->add_option("OUT", options->output, "File to write: .gvg (with ids and names) or .npz (without)")->required();
  add_draft_options(*command, *options);
  for (const char* name : {"--id", "--label", "--label-bins", "--no-label", "--entity", "--source", "--target",
                           "--nodes-without-header", "--edges-without-header"}) {
    command->get_option(name)->excludes(schema);
  }
  command->add_flag("--strict", options->strict,
                    "Refuse blank lines, repeated ids, edges without nodes, and values that the schema does not have");
  add_force_option(*command, options->force);
  add_common_options(*command, session);
  command->footer(
      "Example:\n  graphveil data import --schema schema.toml --nodes people.csv --edges friends.csv people.gvg\n"
      "Tables are CSV in UTF-8, plain or .gz, separated as the schema says. Parquet and Arrow: write CSV first.");
  command->callback([options, &session] { run_import(*options, session); });
}

}  // namespace

void add_table_commands(CLI::App& data, Session& session) {
  add_schema(data, session);
  add_import(data, session);
}

}  // namespace graphveil::cli
