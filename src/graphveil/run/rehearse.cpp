#include "graphveil/run/rehearse.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "graphveil/base/context.h"
#include "graphveil/base/error.h"
#include "graphveil/graph/generate.h"
#include "graphveil/run/signals.h"

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

// The skew of generated classes at which the largest has this share.
double skew_of(double majority, int32_t classes) {
  const auto largest = [&](double skew) {
    double all = 0;
    for (int32_t k = 0; k < classes; ++k) all += std::pow((k + 2.0) / 2, -skew);
    return 1 / all;
  };
  double low = 0, high = 64;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (largest(middle) < majority ? low : high) = middle;
  }
  return low;
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
  const double least = 1 / static_cast<double>(std::max(1, data.classes));
  require(assumed.majority >= least && assumed.majority < 1,
          "--majority is {:g}; the largest of {} classes has a share of at least {:.3g}, and less than 1",
          assumed.majority, data.classes, least);
  graph::GeneratorSettings settings;
  settings.name = "made-up twin";
  settings.nodes = data.nodes();
  settings.classes = data.classes;
  settings.mean_degree = std::min(assumed.mean_degree, static_cast<double>(data.nodes()) / 4);
  settings.class_skew = skew_of(assumed.majority, data.classes);
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

Rehearsal rehearse(const Experiment& experiment, const InputData& input, const DeclaredPeople& declared) {
  if (input.public_data) {
    fail(ErrorKind::Unsupported,
         "--rehearse makes one graph up: give --data with --private-nodes, --public-nodes and "
         "--public-test in place of two graphs");
  }
  const bool is_private = !experiment.method().relations().empty();
  const bound::Relation relation = chosen_relation(experiment, input.data.graph.symmetric());
  TwinAssumptions assumed;
  assumed.mean_degree = declared.mean_degree.value_or(assumed_degree(relation, experiment.settings().protect_degree));
  // Half of the people where nobody said: equal classes would make any model look good.
  assumed.majority =
      declared.majority.value_or(std::max(assumed.majority, 1 / static_cast<double>(input.data.classes)));
  std::unique_ptr<Experiment> once = with_options(experiment, {{"repeats", "1"}});
  // The twin is symmetric; the relation is that of the data.
  if (is_private) once->set("relation", std::string(bound::name(relation)));
  if (!experiment.method().wants_public_graph() && experiment.settings().split == "file") {
    once->set("split", sizes_of(input.data));
  }
  const Seed seed = Seed::from_number(kTwinSeed);
  Rehearsal out;
  out.cases = {{"little", 0.5, 0.4, 0, {}}, {"something", 1, 0.6, 0, {}}, {"much", 2, 0.8, 0, {}}};
  for (RehearsedCase& one : out.cases) {
    assumed.separation = one.separation;
    assumed.homophily = one.homophily;
    const InputData twin{made_up_twin(input.data, assumed, seed.derived("twin")), std::nullopt};
    const TrainOutcome outcome = train(*once, twin, {.seed = seed.derived("run")});
    one.accuracy = outcome.test_accuracy.mean;
    one.without_noise = accuracy_without_noise(*once, twin, seed.derived("run"));
    out.majority = majority_share(outcome.evaluations.front());
    out.test_nodes = outcome.test_nodes;
    out.certificate = outcome.certificate;
  }
  out.assumed = {
      fmt::format("{:g} contacts a person on average{}", assumed.mean_degree,
                  declared.mean_degree ? ", as declared" : ": not declared, so a guess (--mean-degree)"),
      fmt::format("{:.0f}% of the people are of the largest class{}", 100 * assumed.majority,
                  declared.majority ? ", as declared" : ": not declared, so a guess (--majority)"),
      "features of a class stand 0.5, 1 and 2 standard deviations from the middle of all, and 40, 60 and 80% of the "
      "contacts are of one's own class"};
  return out;
}

}  // namespace graphveil::run
