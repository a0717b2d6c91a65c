// graphveil data: describe, convert and generate graphs.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "graphveil/base/error.h"
#include "graphveil/files/format.h"
#include "graphveil/graph/class_filter.h"
#include "graphveil/graph/degrees.h"
#include "graphveil/graph/generate.h"
#include "graphveil/graph/isolated.h"

namespace graphveil::cli {
namespace {

using graph::Dataset;
using graph::DegreeQuantiles;

constexpr const char* kFormats =
    "Formats read: gnn-benchmark .npz, Facebook100 .mat, an OGB folder (raw/edge.csv.gz ...), a folder of plain\n"
    "text (edges.csv, features.csv, labels.csv), and .gvg. Formats written: .npz, .gvg. See docs/formats.md.";

// 1234567 as 1,234,567.
std::string grouped(int64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), 1, ',');
  return digits;
}

nlohmann::ordered_json quantiles_json(const DegreeQuantiles& q) {
  return {{"min", q.min}, {"p25", q.p25}, {"median", q.median}, {"p75", q.p75},
          {"p90", q.p90}, {"p99", q.p99}, {"max", q.max}};
}

std::string quantiles_text(const DegreeQuantiles& q) {
  return fmt::format("min {}, 25% {}, median {}, 75% {}, 90% {}, 99% {}, max {}", grouped(q.min), grouped(q.p25),
                     grouped(q.median), grouped(q.p75), grouped(q.p90), grouped(q.p99), grouped(q.max));
}

nlohmann::ordered_json description_json(const Dataset& dataset) {
  const graph::DegreeStatistics degrees = graph::degree_statistics(dataset.graph);
  nlohmann::ordered_json json{{"name", dataset.name},
                              {"nodes", dataset.nodes()},
                              {"edges", dataset.cleanup.stored},
                              {"features", dataset.features.cols()},
                              {"classes", dataset.classes},
                              {"symmetric", dataset.graph.symmetric()},
                              {"mean_degree", dataset.graph.mean_degree()},
                              {"edges_used", dataset.graph.edges()},
                              {"self_loops_removed", dataset.cleanup.self_loops},
                              {"duplicates_removed", dataset.cleanup.duplicates},
                              {"zero_weights_removed", dataset.cleanup.zero_weights},
                              {"weights_ignored", dataset.cleanup.weights_ignored},
                              {"sparse_features", dataset.features.is_sparse()},
                              {"feature_entries", dataset.features.entries()},
                              {"in_degree", quantiles_json(degrees.in)},
                              {"out_degree", quantiles_json(degrees.out)},
                              {"isolated_nodes", degrees.isolated},
                              {"class_sizes", graph::class_sizes(dataset)},
                              {"unlabeled_nodes", graph::unlabeled_nodes(dataset)}};
  if (dataset.split) {
    json["split"] = {{"train", dataset.split->train.size()},
                     {"val", dataset.split->val.size()},
                     {"test", dataset.split->test.size()}};
  }
  return json;
}

std::string edges_text(const Dataset& dataset) {
  const graph::EdgeCleanup& cleanup = dataset.cleanup;
  std::string text = grouped(cleanup.stored) + " stored";
  if (dataset.graph.symmetric()) {
    text += fmt::format(" ({} undirected)", grouped(dataset.graph.edges() / 2));
  } else {
    text += " (directed)";
  }
  const std::pair<int64_t, const char*> removed[] = {
      {cleanup.self_loops, "self-loops"}, {cleanup.duplicates, "duplicates"}, {cleanup.zero_weights, "of weight 0"}};
  for (const auto& [count, what] : removed) {
    if (count > 0) text += fmt::format(", {} {} left out", grouped(count), what);
  }
  return text + (cleanup.weights_ignored ? ", weights ignored" : "");
}

std::string sizes_text(const std::vector<int64_t>& sizes) {
  constexpr size_t kShown = 12;
  std::string text;
  for (size_t c = 0; c < std::min(sizes.size(), kShown); ++c) text += (c ? ", " : "") + grouped(sizes[c]);
  if (sizes.size() > kShown) {
    text += fmt::format(", ... (smallest {}, largest {})", grouped(*std::min_element(sizes.begin(), sizes.end())),
                        grouped(*std::max_element(sizes.begin(), sizes.end())));
  }
  return text;
}

std::string description_text(const Dataset& dataset) {
  const graph::DegreeStatistics degrees = graph::degree_statistics(dataset.graph);
  std::string text = dataset.name + "\n";
  const auto line = [&](const char* label, const std::string& value) {
    text += fmt::format("  {:<15}{}\n", label, value);
  };
  line("nodes", grouped(dataset.nodes()));
  line("edges", edges_text(dataset));
  line("symmetric", dataset.graph.symmetric() ? "yes" : "no");
  line("features", fmt::format("{} {} ({:.1f} entries a node)", grouped(dataset.features.cols()),
                               dataset.features.is_sparse() ? "sparse" : "dense",
                               static_cast<double>(dataset.features.entries()) / static_cast<double>(dataset.nodes())));
  line("classes", std::to_string(dataset.classes));
  line("class sizes", sizes_text(graph::class_sizes(dataset)));
  if (const int64_t count = graph::unlabeled_nodes(dataset); count > 0) line("unlabeled", grouped(count));
  line("mean degree", fmt::format("{:.2f}", dataset.graph.mean_degree()));
  if (dataset.graph.symmetric()) {
    line("degrees", quantiles_text(degrees.in));
  } else {
    line("in-degrees", quantiles_text(degrees.in));
    line("out-degrees", quantiles_text(degrees.out));
  }
  line("isolated nodes", grouped(degrees.isolated));
  if (dataset.split) {
    line("split", fmt::format("{} train, {} val, {} test", grouped(static_cast<int64_t>(dataset.split->train.size())),
                              grouped(static_cast<int64_t>(dataset.split->val.size())),
                              grouped(static_cast<int64_t>(dataset.split->test.size()))));
  }
  return text;
}

void describe(const Session& session, const Dataset& dataset) {
  print_result(session, session.json ? description_json(dataset) : nlohmann::ordered_json(),
               session.json ? std::string() : description_text(dataset));
}

// Options outlive the parsing: the callbacks hold them.
struct InfoOptions {
  std::string path;
  std::string target = "year";
};

struct ConvertOptions {
  std::string input, output;
  std::string target = "year";
  int64_t min_class_size = 0;
  bool drop_isolated = false;
  bool undirected = false;
};

struct GenerateOptions {
  std::string output;
  std::string preset = "social";
  std::optional<int64_t> nodes;
  std::optional<uint64_t> seed;
};

void add_target_option(CLI::App& command, std::string& target) {
  command
      .add_option("--target", target,
                  "Facebook100: the column to predict (status, gender, major, minor, housing, year, high-school)")
      ->capture_default_str()
      ->check(CLI::IsMember({"status", "gender", "major", "minor", "housing", "year", "high-school"}));
}

void add_info(CLI::App& data, Session& session) {
  CLI::App* command = data.add_subcommand("info", "Print nodes, edges, features, classes and degrees of a graph");
  auto options = std::make_shared<InfoOptions>();
  command->add_option("PATH", options->path, "File or folder")->required();
  add_target_option(*command, options->target);
  add_common_options(*command, session);
  command->footer(kFormats);
  command->callback([options, &session] {
    describe(session, files::read_dataset(options->path, {files::facebook_target(options->target)}));
  });
}

void add_convert(CLI::App& data, Session& session) {
  CLI::App* command = data.add_subcommand("convert", "Write a graph in another format, and describe the result");
  auto options = std::make_shared<ConvertOptions>();
  command->add_option("IN", options->input, "File or folder to read")->required();
  command->add_option("OUT", options->output, "File to write: .npz or .gvg")->required();
  add_target_option(*command, options->target);
  command
      ->add_option("--min-class-size", options->min_class_size,
                   "Drop classes with fewer nodes than this, and unlabeled nodes")
      ->check(CLI::PositiveNumber);
  command->add_flag("--drop-isolated", options->drop_isolated, "Drop nodes without edges (after the classes)");
  command->add_flag("--undirected", options->undirected, "Add the reverse of every edge");
  add_common_options(*command, session);
  command->footer(std::string(kFormats) +
                  "\n\nExample, the steps of the GAP experiments:\n"
                  "  graphveil data convert UIllinois20.mat uillinois.gvg --target year --min-class-size 1000 "
                  "--drop-isolated");
  command->callback([options, &session] {
    Dataset dataset = files::read_dataset(options->input, {files::facebook_target(options->target)});
    if (options->undirected) {
      dataset.graph = graph::symmetrized(dataset.graph);
      dataset.cleanup = {.stored = dataset.graph.edges()};
    }
    if (options->min_class_size > 0) dataset = graph::keep_classes_of_at_least(dataset, options->min_class_size);
    if (options->drop_isolated) dataset = graph::drop_isolated_nodes(dataset);
    files::write_dataset(dataset, options->output);
    describe(session, dataset);
  });
}

void add_generate(CLI::App& data, Session& session) {
  CLI::App* command = data.add_subcommand("generate", "Make a synthetic graph and write it");
  auto options = std::make_shared<GenerateOptions>();
  command->add_option("OUT", options->output, "File to write: .npz or .gvg")->required();
  command->add_option("--preset", options->preset, "Kind of graph")
      ->capture_default_str()
      ->check(CLI::IsMember(graph::preset_names()));
  command->add_option("--nodes", options->nodes, "Number of nodes (default: the preset's); the mean degree stays");
  command->add_option("-s,--seed", options->seed, "The same number gives the same graph (default: a fresh one)");
  add_common_options(*command, session);
  command->footer("Presets:\n" + graph::preset_table());
  command->callback([options, &session] {
    require(options->output.ends_with(".npz") || options->output.ends_with(".gvg"),
            "{}: the name must end in .npz or .gvg", options->output);
    const Seed seed = options->seed ? Seed::from_number(*options->seed) : Seed::from_system();
    const Dataset dataset = graph::generate(graph::preset(options->preset, options->nodes), seed);
    files::write_dataset(dataset, options->output);
    describe(session, dataset);
  });
}

}  // namespace

void add_data_command(CLI::App& app, Session& session) {
  CLI::App* data = app.add_subcommand("data", "Describe, convert and generate graphs");
  data->require_subcommand(1);
  add_info(*data, session);
  add_convert(*data, session);
  add_generate(*data, session);
}

}  // namespace graphveil::cli
