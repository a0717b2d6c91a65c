// Times things in turn, so that whatever else the machine does hits all of them alike.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "graphveil/base/resources.h"

namespace graphveil::bench {

// Seconds of one call of each body: the lower quartile over rounds in which each is called once, for `seconds`
// in all and at least 20 rounds. The lower quartile because other programs only ever add time.
template <size_t N>
std::array<double, N> times_in_turn(double seconds, const std::array<std::function<void()>, N>& bodies) {
  std::array<std::vector<double>, N> times;
  for (const auto& body : bodies) body();
  const Timer whole;
  while (whole.seconds() < seconds || times[0].size() < 20) {
    for (size_t i = 0; i < N; ++i) {
      const Timer one;
      bodies[i]();
      times[i].push_back(one.seconds());
    }
  }
  std::array<double, N> result{};
  for (size_t i = 0; i < N; ++i) {
    std::sort(times[i].begin(), times[i].end());
    result[i] = times[i][times[i].size() / 4];
  }
  return result;
}

}  // namespace graphveil::bench
