#include "graphveil/method/dpgnn/inference.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace graphveil::method {
namespace {

constexpr double kOwnWithoutLabels = 0.1;

bool one_gcn_layer(const GnnArchitecture& architecture) {
  return architecture.kind == GnnArchitectureKind::Gcn && architecture.layers == 1;
}

}  // namespace

void GnnInference::declare(Options& options) {
  options.integer_or("inference-hops", hops, "auto", 1, 16,
                     "How often a gcn layer averages for predictions; auto: twice when there is one layer, else once");
  options.real_or(
      "inference-own", own, "auto", 0, 1,
      "Share of a node's own row in each of these averages; auto: that of 0, 0.1, 0.2, 0.33 and 0.5 which is "
      "right about most labeled training nodes. Predictions are the holder's, so that is free; it is not part "
      "of the model");
}

Averaging GnnInference::averaging(const GnnArchitecture& architecture) const {
  const bool one = one_gcn_layer(architecture);
  return {hops.value_or(one ? 2 : 1), own.value_or(one ? kOwnWithoutLabels : 0)};
}

void GnnInference::check(const GnnArchitecture& architecture) const {
  const Averaging wanted = averaging(architecture);
  require(wanted.plain() || architecture.kind == GnnArchitectureKind::Gcn,
          "--inference-hops is {} and --inference-own is {}; only gcn can average other than once and plainly",
          wanted.rounds, wanted.own);
}

Matrix GnnInference::predicted(GnnNetwork& network, const GnnArchitecture& architecture, const Task& task) const {
  const Averaging plain = averaging(architecture);
  std::vector<int32_t> labeled;
  std::ranges::copy_if(task.split.train, std::back_inserter(labeled),
                       [&](int32_t v) { return task.data.labels[v] != graph::kUnlabeled; });
  if (own || architecture.kind != GnnArchitectureKind::Gcn || labeled.empty()) return network.probabilities(plain);
  Matrix best;
  int64_t most = -1;
  for (const double share : {kOwnWithoutLabels, 0.0, 0.2, 0.33, 0.5}) {
    Matrix probabilities = network.probabilities({plain.rounds, share});
    const int64_t right = std::ranges::count_if(labeled, [&](int32_t v) {
      const auto row = probabilities.row(v);
      return std::ranges::max_element(row) - row.begin() == task.data.labels[v];
    });
    if (right > most) {
      most = right;
      best = std::move(probabilities);
    }
  }
  return best;
}

}  // namespace graphveil::method
