// graphveil data: describe, convert and generate graphs. Importing tables: tables_command.cpp.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/description.h"
#include "cli/launch.h"
#include "graphveil/artifact/fingerprint.h"
#include "graphveil/base/error.h"
#include "graphveil/files/format.h"
#include "graphveil/files/writers.h"
#include "graphveil/graph/class_filter.h"
#include "graphveil/graph/generate.h"
#include "graphveil/graph/isolated.h"
#include "graphveil/graph/partition.h"

namespace graphveil::cli {
namespace {

using graph::Dataset;

constexpr int64_t kMostParts = 65536;

constexpr const char* kFormats =
    "Formats read: .npz of gnn-benchmark or as PyG and DGL users save it, Facebook100 .mat, folders of OGB\n"
    "(raw/edge.csv.gz ...), plain text (edges.csv, features.csv, labels.csv) or Matrix Market (adjacency.mtx ...), "
    "and\n"
    ".gvg. Formats written: .npz, .gvg. See docs/formats.md. Tables of your own: `data schema`, then `data import`.";

void describe(const Session& session, const Dataset& dataset, const std::string& written = "") {
  const std::vector<std::string> lost = left_behind(dataset, written);
  nlohmann::ordered_json object;
  if (session.json) object = description_json(dataset);
  if (session.json && !written.empty()) object["left_behind"] = lost;
  print_result(session, object, session.json ? std::string() : description_text(dataset) + left_behind_text(lost));
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
  bool force = false;
};

struct GenerateOptions {
  std::string output;
  std::string preset = "social";
  std::optional<int64_t> nodes, columns;
  std::optional<int32_t> classes;
  std::optional<double> mean_degree, homophily, loyalty, separation;
  std::string features_follow = "class";
  std::optional<uint64_t> seed;
  bool force = false;
};

struct SplitOptions {
  std::string input;
  int64_t parts = 0;
  bool force = false;
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
  add_memory_options(*command, session);
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
  add_force_option(*command, options->force);
  add_common_options(*command, session);
  add_memory_options(*command, session);
  command->footer(std::string(kFormats) +
                  "\n\nExample, the steps of the GAP experiments:\n"
                  "  graphveil data convert UIllinois20.mat uillinois.gvg --target year --min-class-size 1000 "
                  "--drop-isolated");
  command->callback([options, &session] {
    check_output(options->output, options->force);
    Dataset dataset = files::read_dataset(options->input, {files::facebook_target(options->target)});
    if (files::largest_entity(options->input)) {
      fail(ErrorKind::BadInput, "{}: says who is several nodes, which a converted file would lose; import it anew",
           options->input);
    }
    if (options->undirected) {
      dataset.graph = graph::symmetrized(dataset.graph);
      dataset.cleanup = {.stored = dataset.graph.edges()};
    }
    if (options->min_class_size > 0) dataset = graph::keep_classes_of_at_least(dataset, options->min_class_size);
    if (options->drop_isolated) dataset = graph::drop_isolated_nodes(dataset);
    files::write_dataset(dataset, options->output);
    describe(session, dataset, options->output);
  });
}

template <typename Number>
void replace(Number& value, const std::optional<Number>& given) {
  if (given) value = *given;
}

// The preset, with what was said of it changed. Throws InvalidArgument for what the preset does not have.
graph::GeneratorSettings generator_settings(const GenerateOptions& options) {
  graph::GeneratorSettings settings = graph::preset(options.preset, options.nodes);
  replace(settings.mean_degree, options.mean_degree);
  replace(settings.classes, options.classes);
  replace(settings.homophily, options.homophily);
  replace(settings.loyalty, options.loyalty);
  if (options.features_follow == "community") settings.features_follow = graph::FeaturesFollow::Community;
  if (!options.columns && !options.separation) return settings;
  auto* features = std::get_if<graph::GaussianFeatures>(&settings.features);
  require(
      features != nullptr,
      "--columns and --separation are for presets with dense features: citation, products, tiny; {} has one-hot ones",
      options.preset);
  replace(features->columns, options.columns);
  replace(features->separation, options.separation);
  return settings;
}

void add_generator_options(CLI::App& command, GenerateOptions& options) {
  constexpr const char* kChanges = "What the preset says, changed";
  command.add_option("--mean-degree", options.mean_degree, "Neighbors of a node on average")->group(kChanges);
  command.add_option("--classes", options.classes, "Number of classes")->group(kChanges);
  command
      .add_option("--homophily", options.homophily,
                  "Share of a node's edges that are drawn inside its community, above 0 and below 1; about --loyalty "
                  "squared of those join nodes of one class")
      ->group(kChanges);
  command
      .add_option("--loyalty", options.loyalty,
                  "Share of nodes whose community is that of their class: what neighbors alone can tell at most")
      ->group(kChanges);
  command.add_option("--columns", options.columns, "Number of dense features")->group(kChanges);
  command
      .add_option("--separation", options.separation,
                  "Distance of a class's center of dense features from the origin, in standard deviations of a feature")
      ->group(kChanges);
  command
      .add_option("--features-follow", options.features_follow,
                  "What features are drawn from: class, so that a node's own row tells what neighbors cannot, or "
                  "community, so that neighbors tell the same with less noise")
      ->capture_default_str()
      ->check(CLI::IsMember({"class", "community"}))
      ->group(kChanges);
}

// people.gvg: people.part-0-of-4.gvg, beside it. `number` may be what stands for one.
std::string part_name(const std::string& path, const std::string& number, int64_t parts) {
  constexpr std::string_view kEnding = ".gvg";
  const std::string_view stem =
      path.ends_with(kEnding) ? std::string_view(path).substr(0, path.size() - kEnding.size()) : path;
  return fmt::format("{}.part-{}-of-{}{}", stem, number, parts, kEnding);
}

// For a shell, where it needs that.
std::string in_quotes(const std::string& word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+%,:@";
  if (word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

void split(const SplitOptions& options, const Session& session) {
  require(files::detect_format(options.input) == files::Format::Gvg,
          "{}: want a .gvg file; make one with `graphveil data convert`", options.input);
  require(options.input.find(kRankNumber) == std::string::npos,
          "{}: has a {} in its name, which stands for the number of a rank where parts are read: rename it",
          options.input, kRankNumber);
  std::vector<std::string> files;
  for (int64_t r = 0; r < options.parts; ++r) {
    files.push_back(part_name(options.input, std::to_string(r), options.parts));
    check_output(files.back(), options.force);
  }
  const Dataset dataset = files::read_dataset(options.input);
  require(options.parts <= dataset.nodes(), "--parts is {}, but the graph has {} nodes: want no part without one",
          options.parts, dataset.nodes());
  const std::vector<int64_t> cuts =
      graph::cut_rows(dataset.graph.in_lists().offsets, {}, 1, static_cast<int>(options.parts));
  const artifact::Fingerprint whole = artifact::fingerprint(dataset);
  files::write_gvg_parts(dataset, files::read_entities(options.input), files, cuts, artifact::lines_of(whole),
                         std::filesystem::status(options.input).permissions());
  nlohmann::ordered_json object;
  object["parts"] = nlohmann::ordered_json::array();
  std::string text;
  for (size_t r = 0; r < files.size(); ++r) {
    const auto& offsets = dataset.graph.in_lists().offsets;
    const int64_t rows = cuts[r + 1] - cuts[r];
    const int64_t edges = offsets[static_cast<size_t>(cuts[r + 1])] - offsets[static_cast<size_t>(cuts[r])];
    const auto bytes = static_cast<int64_t>(std::filesystem::file_size(files[r]));
    object["parts"].push_back({{"file", files[r]}, {"nodes", rows}, {"edges", edges}, {"bytes", bytes}});
    text += fmt::format("{}  {} nodes, {} edges into them, {:.1f} MB\n", files[r], rows, edges,
                        static_cast<double>(bytes) / 1e6);
  }
  const std::string all = part_name(options.input, kRankNumber, options.parts);
  object["data"] = all;
  text += fmt::format(
      "Part r is for rank r; on machines without a shared disk, put it there under the same path.\n"
      "  mpirun -n {} graphveil train lap --data {} ...\n",
      options.parts, in_quotes(all));
  print_result(session, object, text);
}

void add_split(CLI::App& data, Session& session) {
  CLI::App* command =
      data.add_subcommand("split", "Write a graph as one file for each of several machines that train together");
  auto options = std::make_shared<SplitOptions>();
  command->add_option("IN", options->input, ".gvg file to split; the parts are written beside it")->required();
  command->add_option("--parts", options->parts, "How many: one for each rank of mpirun -n")
      ->required()
      ->check(CLI::Range(int64_t{2}, kMostParts));
  add_force_option(*command, options->force);
  add_common_options(*command, session);
  add_memory_options(*command, session);
  command->footer(
      "Each file has the edges, the features and the ids of a range of rows, ranges of about as many edges, and the\n"
      "labels and degrees of all nodes: private as the whole. See docs/howto/many-machines.md.");
  command->callback([options, &session] { split(*options, session); });
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
  add_generator_options(*command, *options);
  add_force_option(*command, options->force);
  add_common_options(*command, session);
  add_memory_options(*command, session);
  command->footer("Presets:\n" + graph::preset_table());
  command->callback([options, &session] {
    check_output(options->output, options->force);
    const Seed seed = options->seed ? Seed::from_number(*options->seed) : Seed::from_system();
    const Dataset dataset = graph::generate(generator_settings(*options), seed);
    files::write_dataset(dataset, options->output);
    describe(session, dataset);
  });
}

}  // namespace

void add_data_command(CLI::App& app, Session& session) {
  CLI::App* data = app.add_subcommand("data", "Describe, convert, import, generate and split graphs");
  data->require_subcommand(1);
  add_info(*data, session);
  add_convert(*data, session);
  add_generate(*data, session);
  add_split(*data, session);
  add_table_commands(*data, session);
}

}  // namespace graphveil::cli
