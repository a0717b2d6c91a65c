#include "graphveil/run/feasible.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <span>

#include "graphveil/base/context.h"
#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/ranks.h"

namespace graphveil::run {
namespace {

constexpr float kLargestFeature = 1e15f;  // a row of a million such has a finite square

void check_data(const graph::Dataset& data, bool labels_wanted) {
  if (labels_wanted && data.classes < 2) {
    fail(ErrorKind::BadInput, "{}: there is only one class, so there is nothing to predict", data.name);
  }
  // Where a list says who trains, that list is public and the labels themselves are not: the only one may be blank.
  const bool listed = data.split && !data.split->train.empty();
  if (labels_wanted && !listed && graph::unlabeled_nodes(data) == data.nodes()) {
    fail(ErrorKind::BadInput, "{}: no node has a label to learn from", data.name);
  }
  const std::span<const Real> values =
      data.features.is_sparse() ? data.features.sparse().values.span() : data.features.dense_values().span();
  std::atomic<bool> small{true};
  // Where a rank has rows of its own, nobody else looks at them.
  const Stretch share = data.held ? Stretch{0, std::ssize(values)} : own_share(std::ssize(values));
  parallel_for(share.end - share.begin, 1 << 20, [&](int64_t begin, int64_t end) {
    float largest = 0;
    for (int64_t i = share.begin + begin; i < share.begin + end; ++i) largest = std::max(largest, std::abs(values[i]));
    if (!(largest <= kLargestFeature)) small = false;
  });
  if (!small) {
    fail(ErrorKind::BadInput,
         "{}: a feature is larger than {:g}, whose square is no number any more; scale the columns", data.name,
         kLargestFeature);
  }
}

// What is declared of people, against what the data say. Largest and smallest are the holder's, so no number is named.
void check_people(const Experiment& experiment, const InputData& input) {
  const std::optional<int64_t>& declared = experiment.settings().entity_size;
  const bool nodes = !experiment.method().relations().empty() &&
                     !bound::edge_level(chosen_relation(experiment, input.data.graph.symmetric()));
  require(nodes || declared.value_or(1) == 1,
          "--entity-size is {}: people who are several nodes have a meaning under relations node and record alone",
          declared.value_or(1));
  if (!input.largest_entity || !nodes) return;
  require(declared.has_value(),
          "{}: says who is several nodes; declare with --entity-size how many one person is at most", input.data.name);
  if (*input.largest_entity > *declared) {
    fail(ErrorKind::BadInput, "{}: somebody is more nodes than --entity-size {} declares; declare more",
         input.data.name, *declared);
  }
}

}  // namespace

double least_memory(const Experiment& experiment, const method::PublicFacts& facts) {
  const method::NetworkSize size = experiment.method().network();
  const auto width = static_cast<double>(size.width), layers = static_cast<double>(size.layers);
  constexpr double kCopies = 4;      // weights, gradients, two moments
  constexpr double kNarrowEnds = 3;  // layers that may have a narrow side: the first and the last of a part
  const double inner = std::max(0.0, layers - kNarrowEnds) * width * width;
  const double first = width * static_cast<double>(std::min<int64_t>(facts.features, 1 << 20));
  const double rows = size.rows ? width * static_cast<double>(facts.nodes) : 0;
  return sizeof(Real) * (kCopies * (inner + (layers > 0 ? first : 0)) + rows);
}

void check_feasible(const Experiment& experiment, const InputData& input) {
  check_data(input.data, true);
  if (input.public_data) check_data(*input.public_data, false);
  check_people(experiment, input);
  const method::PublicFacts facts{input.data.nodes(), 0, input.data.features.cols(), input.data.classes, 0};
  require_memory(least_memory(experiment, facts), "a network of this --hidden-dim and so many layers");
}

}  // namespace graphveil::run
