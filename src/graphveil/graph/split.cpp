#include "graphveil/graph/split.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"

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
  const auto fill = [&](std::vector<int32_t>& list, int64_t count, Part part) {
    // Every id is written, and the place moves on where it belongs: no branch to mispredict.
    list.resize(static_cast<size_t>(count) + 1);
    size_t at = 0;
    for (int32_t v = 0; v < dataset.nodes(); ++v) {
      list[at] = v;
      at += static_cast<size_t>(part_of[static_cast<size_t>(v)] == part);
    }
    list.pop_back();
  };
  const std::array<std::pair<std::vector<int32_t>*, int64_t>, 3> lists{
      {{&split.train, a - nodes.begin()}, {&split.val, b - a}, {&split.test, c - b}}};
  parallel_for(std::ssize(lists), 1, [&](int64_t i, int64_t /*end*/) {
    const auto& [list, count] = lists[static_cast<size_t>(i)];
    fill(*list, count, static_cast<Part>(kTrain + i));
  });
  return split;
}

Split stored_split(const Dataset& dataset) {
  if (!dataset.split) fail(ErrorKind::BadInput, "{}: the data came without a split", dataset.name);
  return *dataset.split;
}

}  // namespace graphveil::graph
