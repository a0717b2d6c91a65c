// A small generated graph and a task on it, shared by the tests of the methods.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "graphveil/graph/generate.h"
#include "graphveil/graph/public_private.h"
#include "graphveil/graph/split.h"
#include "graphveil/method/method.h"
#include "tests/method/vouched.h"

namespace graphveil::method {

inline const graph::Dataset& tiny_data() {
  static const graph::Dataset data = graph::generate(graph::preset("tiny"), Seed::from_number(1));
  return data;
}

inline const graph::Split& tiny_split() {
  static const graph::Split split = graph::random_split(tiny_data(), {}, Seed::from_number(2));
  return split;
}

// Another graph, for methods that want a public one.
inline const graph::Dataset& tiny_public_data() {
  static const graph::Dataset data =
      graph::without_labels(graph::generate(graph::preset("tiny", 150), Seed::from_number(7)));
  return data;
}

// The same with its labels, for references that read them.
inline const graph::Dataset& tiny_labeled_public_data() {
  static const graph::Dataset data = graph::generate(graph::preset("tiny", 150), Seed::from_number(7));
  return data;
}

inline const graph::Split& tiny_public_split() {
  static const graph::Split split = [] {
    graph::Split s;
    for (int32_t v = 0; v < tiny_public_data().nodes(); ++v) (v % 2 == 0 ? s.train : s.test).push_back(v);
    return s;
  }();
  return split;
}

inline constexpr int64_t kTinyDegree = 60;  // no node of the graph has more edges

inline Task tiny_task(bound::Relation relation, uint64_t seed = 3) {
  return {.data = tiny_data(),
          .split = tiny_split(),
          .relation = relation,
          .protect_degree = kTinyDegree,
          .seed = Seed::from_number(seed),
          .public_graph = vouched_graph(tiny_public_data(), tiny_public_split())};
}

inline PublicFacts tiny_facts() {
  return {tiny_data().nodes(), static_cast<int64_t>(tiny_split().train.size()), tiny_data().features.cols(),
          tiny_data().classes, static_cast<int64_t>(tiny_public_split().train.size())};
}

inline Setting tiny_setting(bound::Relation relation) { return {relation, kTinyDegree, tiny_facts()}; }

// A release that allows this plan, whatever it costs.
inline constexpr mechanism::Budget kAnyBudget{std::numeric_limits<double>::infinity(), 1e-5};

inline Release any_release(bound::Relation relation, Plan plan, uint64_t seed = 9) {
  return Release::open(relation, std::move(plan), kAnyBudget, Seed::from_number(seed));
}

// For training in the clear.
inline PublicData public_test_data() { return run::Declared::public_graph(); }

inline double accuracy_on(const Matrix& probabilities, const std::vector<int32_t>& nodes) {
  int64_t right = 0;
  for (int32_t v : nodes) {
    const auto row = probabilities.row(v);
    right += std::max_element(row.begin(), row.end()) - row.begin() == tiny_data().labels[v];
  }
  return static_cast<double>(right) / static_cast<double>(nodes.size());
}

}  // namespace graphveil::method
