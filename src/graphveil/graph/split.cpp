#include "graphveil/graph/split.h"

#include <algorithm>
#include <cmath>

#include "graphveil/base/error.h"

namespace graphveil::graph {

Split random_split(const Dataset& dataset, const SplitRatio& ratio, const Seed& seed) {
  const double sum = ratio.train + ratio.val + ratio.test;
  require(ratio.train > 0 && ratio.val >= 0 && ratio.test >= 0 && sum <= 1 + 1e-9,
          "split is {} / {} / {}, want shares of at least 0 that add up to at most 1, the first above 0", ratio.train,
          ratio.val, ratio.test);
  std::vector<int32_t> nodes;
  for (int64_t v = 0; v < dataset.nodes(); ++v) {
    if (dataset.labels[v] != kUnlabeled) nodes.push_back(static_cast<int32_t>(v));
  }
  RandomStream(seed, "split").shuffle(std::span<int32_t>(nodes));

  // Cut at rounded running totals: parts never overlap, and shares that add up to 1 leave nobody out.
  const auto cut = [&](double share) {
    return nodes.begin() +
           std::min(std::llround(share * static_cast<double>(nodes.size())), static_cast<long long>(nodes.size()));
  };
  const auto a = cut(ratio.train), b = cut(ratio.train + ratio.val), c = cut(sum);
  // In the order of their ids: each node's part is noted, then all are gone through.
  enum Part : uint8_t { kNone, kTrain, kVal, kTest };
  std::vector<uint8_t> part_of(static_cast<size_t>(dataset.nodes()), kNone);
  const auto note = [&](auto begin, auto end, Part part) {
    std::for_each(begin, end, [&](int32_t v) { part_of[static_cast<size_t>(v)] = part; });
  };
  note(nodes.begin(), a, kTrain);
  note(a, b, kVal);
  note(b, c, kTest);
  Split split;
  split.train.reserve(static_cast<size_t>(a - nodes.begin()));
  split.val.reserve(static_cast<size_t>(b - a));
  split.test.reserve(static_cast<size_t>(c - b));
  for (int32_t v = 0; v < dataset.nodes(); ++v) {
    switch (part_of[static_cast<size_t>(v)]) {
      case kTrain: split.train.push_back(v); break;
      case kVal: split.val.push_back(v); break;
      case kTest: split.test.push_back(v); break;
      default: break;
    }
  }
  return split;
}

Split stored_split(const Dataset& dataset) {
  if (!dataset.split) fail(ErrorKind::BadInput, "{}: the data came without a split", dataset.name);
  return *dataset.split;
}

}  // namespace graphveil::graph
