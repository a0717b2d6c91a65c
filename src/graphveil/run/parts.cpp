#include "graphveil/run/parts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/safetensors.h"
#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/ranks.h"
#include "graphveil/graph/public_private.h"
#include "graphveil/graph/split.h"

namespace graphveil::run {
namespace {

// Of two parts there are no validation nodes.
graph::SplitRatio parse_ratio(const std::string& text) {
  const size_t count = std::ranges::count(text, '/') == 1 ? 2 : 3;
  std::array<double, 3> parts{};
  const char* at = text.data();
  const char* end = at + text.size();
  for (size_t i = 0; i < count; ++i) {
    const auto [next, error] = std::from_chars(at, end, parts[i]);
    const bool last = i + 1 == count;
    if (error != std::errc() || !(parts[i] >= 0 && parts[i] <= 100) ||
        (last ? next != end : next == end || *next != '/')) {
      fail(ErrorKind::InvalidArgument,
           "--split is '{}', want percentages of train/val/test such as 75/10/15, of train/test such as 80/20, or file",
           text);
    }
    at = next + 1;
  }
  if (count == 2) std::swap(parts[1], parts[2]);
  require(parts[0] > 0 && std::abs(parts[0] + parts[1] + parts[2] - 100) < 1e-9,
          "--split is '{}', want percentages that add up to 100, the first above 0", text);
  return {parts[0] / 100, parts[1] / 100, parts[2] / 100};
}

graph::Split make_split(const graph::Dataset& data, const Settings& settings, const Seed& seed) {
  if (settings.split == "file") return graph::stored_split(data);
  return graph::random_split(data, parse_ratio(settings.split), seed);
}

// How large the parts of one graph are. There is no default: which nodes are public is for their holder to declare.
int64_t required_size(const std::optional<int64_t>& size, const char* option, const graph::Dataset& data) {
  const int64_t half = (data.nodes() - graph::unlabeled_nodes(data)) / 2;
  require(size.has_value(),
          "--{} is missing. Give two graphs with --private and --public; or declare how many nodes of this one are "
          "private and how many public, for example, where half of it may be public: --private-nodes {} --public-nodes "
          "{} --public-test {}",
          option, half, half, half / 2);
  return *size;
}

// The private and the public graph of one training, for methods that want both.
graph::PublicPrivate two_graphs(const InputData& input, const Settings& settings, bool one_graph, const Seed& seed) {
  if (!input.public_data) {
    require(
        !input.data.held,
        "--data is a graph in parts, of which no rank has enough to split it into a private and a public one: split "
        "the private graph alone, and give --private and --public");
    return graph::split_public_private(
        input.data,
        {.private_nodes = required_size(settings.private_nodes, "private-nodes", input.data),
         .public_nodes = required_size(settings.public_nodes, "public-nodes", input.data),
         .public_test = required_size(settings.public_test, "public-test", input.data),
         .balanced = settings.balanced,
         .one_graph = one_graph},
        seed);
  }
  require(!input.public_data->held, "--public is a graph in parts, and every rank wants it whole");
  require(!settings.private_nodes && !settings.public_nodes && !settings.balanced,
          "--private-nodes, --public-nodes and --balanced split one graph; leave them out when two graphs are given");
  return graph::pair_public_private(input.data, *input.public_data, settings.public_test.value_or(0), seed);
}

}  // namespace

std::optional<nn::State> read_public_arrays(const method::Method& method) {
  const std::string file = method.public_file();
  if (file.empty()) return std::nullopt;
  return artifact::from_safetensors(artifact::read_file(file), file);
}

Parts make_parts(const Experiment& experiment, const InputData& input, const Seed& seed) {
  const method::Method& method = experiment.method();
  if (!method.wants_public_graph()) {
    require(!input.public_data, "{} takes no public graph", method.describe().name);
    // A split is drawn one node after the other, while the other threads make the data ready.
    graph::Split split;
    Beside drawn([&] { split = make_split(input.data, experiment.settings(), seed); });
    // Each of several ranks makes its own part ready (run/on_ranks.h).
    graph::Dataset data = current_ranks() == nullptr ? method.prepare(input.data) : input.data;
    drawn.wait();
    require(!split.train.empty(), "the split leaves no training nodes");
    return {data, split, std::nullopt, data, split, {}, std::nullopt};
  }
  const Settings& settings = experiment.settings();
  const bool as_published = settings.accounting == Accounting::Published;
  const bool one_graph = method.one_graph(as_published);
  require(
      !one_graph || as_published || method.relations().empty(),
      "on one graph (--messages whole) private records send messages to public nodes, which has no proof: it is for "
      "--accounting published, and for methods that promise nothing");
  graph::PublicPrivate parts = two_graphs(input, settings, one_graph, seed);
  graph::Dataset evaluated = method.prepare(parts.public_data);
  // The method never sees a public label, so that it cannot learn from one; a reference that does, sees the pool's.
  graph::Dataset unlabeled = method.reads_public_labels() ? graph::with_labels_of(evaluated, parts.public_split.train)
                                                          : graph::without_labels(evaluated);
  return {current_ranks() == nullptr ? method.prepare(parts.private_data) : std::move(parts.private_data),
          std::move(parts.private_split),
          std::move(unlabeled),
          std::move(evaluated),
          std::move(parts.public_split),
          std::move(parts.public_ids),
          read_public_arrays(method)};
}

method::PublicFacts public_facts(const Parts& parts, const InputData& input) {
  return {parts.data.nodes(), static_cast<int64_t>(parts.split.train.size()), input.data.features.cols(),
          parts.data.classes, parts.public_graph ? static_cast<int64_t>(parts.evaluated_split.train.size()) : 0};
}

method::PublicFacts planned_facts(const Experiment& experiment, const InputData& input) {
  return public_facts(make_parts(experiment, input, Seed::from_number(0)), input);
}

}  // namespace graphveil::run
