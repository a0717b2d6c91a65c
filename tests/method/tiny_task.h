// A small generated graph and a task on it, shared by the tests of the methods.
#pragma once

#include <limits>

#include "graphveil/graph/generate.h"
#include "graphveil/graph/split.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

inline const graph::Dataset& tiny_data() {
  static const graph::Dataset data = graph::generate(graph::preset("tiny"), Seed::from_number(1));
  return data;
}

inline const graph::Split& tiny_split() {
  static const graph::Split split = graph::random_split(tiny_data(), {}, Seed::from_number(2));
  return split;
}

inline Task tiny_task(bound::Relation relation, uint64_t seed = 3) {
  return {tiny_data(), tiny_split(), relation, Seed::from_number(seed), std::nullopt};
}

inline PublicFacts tiny_facts() {
  return {tiny_data().nodes(), static_cast<int64_t>(tiny_split().train.size()), tiny_data().features.cols(),
          tiny_data().classes};
}

// A release that allows this plan, whatever it costs.
inline constexpr mechanism::Budget kAnyBudget{std::numeric_limits<double>::infinity(), 1e-5};

inline double accuracy_on(const Matrix& probabilities, const std::vector<int32_t>& nodes) {
  int64_t right = 0;
  for (int32_t v : nodes) {
    const auto row = probabilities.row(v);
    right += std::max_element(row.begin(), row.end()) - row.begin() == tiny_data().labels[v];
  }
  return static_cast<double>(right) / static_cast<double>(nodes.size());
}

}  // namespace graphveil::method
