// A private graph beside a public one, and runs on them that look into what
// went into a release.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "graphveil/graph/generate.h"
#include "graphveil/graph/public_private.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/method/method.h"
#include "tests/mechanism/access.h"
#include "tests/method/vouched.h"

namespace graphveil::method {

inline const graph::PublicPrivate& parts() {
  static const graph::PublicPrivate p = graph::split_public_private(
      graph::generate(graph::preset("tiny", 1200), Seed::from_number(1)), {500, 600, 300}, Seed::from_number(2));
  return p;
}

inline Setting setting_of_parts(double epsilon = 1) {
  return {bound::Relation::Node,
          100,
          {parts().private_data.nodes(), static_cast<int64_t>(parts().private_split.train.size()),
           parts().private_data.features.cols(), parts().private_data.classes,
           static_cast<int64_t>(parts().public_split.train.size())},
          epsilon};
}

class Seen final : public mechanism::ReleaseObserver {
 public:
  void saw(const std::string&, const std::vector<double>& values, int64_t, const bound::Sensitivity&) override {
    releases.push_back(values);
  }
  std::vector<std::vector<double>> releases;
};

// With options (name, value) set.
template <typename M>
M with(M method, const std::vector<std::pair<std::string, std::string>>& values) {
  Options options;
  method.declare(options);
  for (const auto& [name, value] : values) options.set(name, value);
  return method;
}

inline Task task_on(const graph::Dataset& data, const graph::Dataset& public_data) {
  return {.data = data,
          .split = parts().private_split,
          .relation = bound::Relation::Node,
          .seed = Seed::from_number(3),
          .public_graph = vouched_graph(public_data, parts().public_split)};
}

inline Output run(const Method& method, const graph::Dataset& data, double noise, Seen* seen = nullptr) {
  const graph::Dataset unlabeled = graph::without_labels(parts().public_data);
  mechanism::Release release =
      mechanism::Release::open(bound::Relation::Node, method.plan(noise, setting_of_parts()),
                               {std::numeric_limits<double>::infinity(), 1e-5}, Seed::from_number(4));
  if (seen != nullptr) mechanism::ObserverAccess::watch(release, *seen);
  Output out = method.run(task_on(data, unlabeled), release);
  if (!release.complete()) throw std::runtime_error("the run spent less than its plan");
  return out;
}

inline double test_accuracy(const Matrix& probabilities) {
  int64_t right = 0;
  for (const int32_t v : parts().public_split.test) {
    const auto row = probabilities.row(v);
    right += std::max_element(row.begin(), row.end()) - row.begin() == parts().public_data.labels[v];
  }
  return static_cast<double>(right) / static_cast<double>(parts().public_split.test.size());
}

inline Matrix dense_features(const graph::Dataset& data) {
  std::vector<int32_t> all(static_cast<size_t>(data.nodes()));
  std::iota(all.begin(), all.end(), 0);
  return data.features.dense_rows_at(all);
}

// The private data with one record blank: no features, no label, no edge.
inline graph::Dataset without(const graph::Dataset& data, int32_t w) {
  std::vector<int32_t> from, to, labels(data.labels.begin(), data.labels.end());
  for (int32_t u = 0; u < data.nodes(); ++u) {
    for (const int32_t v : data.graph.out(u)) {
      if (u == w || v == w) continue;
      from.push_back(u);
      to.push_back(v);
    }
  }
  labels[w] = graph::kUnlabeled;
  Matrix features = dense_features(data);
  std::ranges::fill(features.row(w), Real{0});
  graph::Dataset out = data;
  out.graph = graph::Graph::from_edges(data.nodes(), from, to);
  out.features = graph::Features(std::move(features));
  out.labels = SharedArray<int32_t>(std::move(labels));
  return out;
}

// The same data with features stored as `without` stores them.
inline graph::Dataset dense(const graph::Dataset& data) {
  graph::Dataset out = data;
  out.features = graph::Features(dense_features(data));
  return out;
}

inline bool same(const Matrix& a, const Matrix& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(Real)) == 0;
}

}  // namespace graphveil::method
