// Repeats something for a while and tells the median time.
#pragma once

#include <algorithm>
#include <vector>

#include "graphveil/base/resources.h"

namespace graphveil::bench {

// Median seconds of one call, over at least `least` calls and `seconds` of them.
template <typename Body>
double median_seconds(double seconds, int least, Body&& body) {
  body();
  std::vector<double> times;
  const Timer whole;
  while (whole.seconds() < seconds || static_cast<int>(times.size()) < least) {
    const Timer one;
    body();
    times.push_back(one.seconds());
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

}  // namespace graphveil::bench
