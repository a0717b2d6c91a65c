#include "graphveil/run/rehearse.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "graphveil/base/context.h"
#include "graphveil/base/error.h"
#include "graphveil/graph/generate.h"

namespace graphveil::run {
namespace {

constexpr uint64_t kTwinSeed = 20260101;  // a rehearsal has nothing to hide: the same numbers, the same answer

// The split that came with the data, as percentages: how many train and test is public.
std::string sizes_of(const graph::Dataset& data) {
  require(data.split.has_value(), "{}: --split is file, and it came without a split", data.name);
  const auto train = static_cast<double>(data.split->train.size()), val = static_cast<double>(data.split->val.size()),
             test = static_cast<double>(data.split->test.size());
  const double all = std::max(1.0, train + val + test);
  const double first = 100 * train / all, second = 100 * val / all;
  return fmt::format("{:.4f}/{:.4f}/{:.4f}", first, second,
                     100 - std::stod(fmt::format("{:.4f}", first)) - std::stod(fmt::format("{:.4f}", second)));
}

double majority_share(const Evaluation& evaluation) {
  double most = 0, all = 0;
  for (const nn::ClassScores& scores : evaluation.classes) {
    most = std::max(most, static_cast<double>(scores.nodes));
    all += static_cast<double>(scores.nodes);
  }
  return all > 0 ? most / all : 0;
}

// The accuracy with as little noise as the method takes; none: these options fix the noise, or it learns nothing so.
std::optional<double> accuracy_without_noise(const Experiment& experiment, const InputData& twin, const Seed& seed) {
  constexpr double kHardlyAny = 1e-3;
  if (experiment.method().relations().empty()) return std::nullopt;
  try {
    const std::unique_ptr<Experiment> loud =
        with_options(experiment, {{"noise-multiplier", fmt::format("{}", kHardlyAny)}});
    return train(*loud, twin, {.seed = seed}).test_accuracy.mean;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

graph::Dataset made_up_twin(const graph::Dataset& data, const TwinAssumptions& assumed, const Seed& seed) {
  graph::GeneratorSettings settings;
  settings.name = "made-up twin";
  settings.nodes = data.nodes();
  settings.classes = data.classes;
  settings.mean_degree = std::min(assumed.mean_degree, static_cast<double>(data.nodes()) / 4);
  settings.loyalty = 0.9;
  settings.homophily = assumed.homophily;
  settings.features = graph::GaussianFeatures{data.features.cols(), assumed.separation};
  require_memory(sizeof(Real) * static_cast<double>(data.nodes()) * static_cast<double>(data.features.cols()),
                 "the features of a made-up twin");
  graph::Dataset twin = graph::generate(settings, seed);
  std::vector<int32_t> labels(twin.labels.begin(), twin.labels.end());
  for (int64_t v = 0; v < data.nodes(); ++v) {
    if (data.labels[v] == graph::kUnlabeled) labels[static_cast<size_t>(v)] = graph::kUnlabeled;
  }
  twin.labels = SharedArray<int32_t>(std::move(labels));
  return twin;
}

Rehearsal rehearse(const Experiment& experiment, const InputData& input, std::optional<double> mean_degree) {
  if (input.public_data) {
    fail(ErrorKind::Unsupported,
         "--rehearse makes one graph up: give --data with --private-nodes, --public-nodes and "
         "--public-test in place of two graphs");
  }
  TwinAssumptions assumed;
  if (mean_degree) assumed.mean_degree = *mean_degree;
  const Seed seed = Seed::from_number(kTwinSeed);
  const InputData twin{made_up_twin(input.data, assumed, seed.derived("twin")), std::nullopt};
  std::unique_ptr<Experiment> once = with_options(experiment, {{"repeats", "1"}});
  // The twin is symmetric; the relation is that of the data.
  if (!experiment.method().relations().empty()) {
    once->set("relation", std::string(bound::name(chosen_relation(experiment, input.data.graph.symmetric()))));
  }
  if (!experiment.method().wants_public_graph() && experiment.settings().split == "file") {
    once->set("split", sizes_of(input.data));
  }
  const TrainOutcome outcome = train(*once, twin, {.seed = seed.derived("run")});
  Rehearsal out;
  out.accuracy = outcome.test_accuracy.mean;
  out.without_noise = accuracy_without_noise(*once, twin, seed.derived("run"));
  out.majority = majority_share(outcome.evaluations.front());
  out.test_nodes = outcome.test_nodes;
  out.certificate = outcome.certificate;
  out.assumed = {
      fmt::format("{} contacts a person on average{}", assumed.mean_degree,
                  mean_degree ? ", as declared" : ": not declared, so a guess (--mean-degree)"),
      fmt::format("{:.0f}% of the contacts are of one's own class, and classes are about as large as each other",
                  100 * assumed.homophily),
      fmt::format("features of two classes are {} standard deviations apart", assumed.separation)};
  return out;
}

}  // namespace graphveil::run
