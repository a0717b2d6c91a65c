#include "bench/kernels/table.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "graphveil/base/resources.h"

namespace graphveil::bench {

double best_seconds(const std::function<void()>& work) {
  double best = 1e300, spent = 0;
  for (int calls = 0; calls < 3 || (spent < 0.3 && calls < 1000); ++calls) {
    const Timer timer;
    work();
    const double seconds = timer.seconds();
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}

std::vector<double> best_by_turns(int rounds, const std::vector<std::function<void()>>& works) {
  std::vector<double> best(works.size(), 1e300);
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < works.size(); ++i) {
      const Timer timer;
      works[i]();
      best[i] = std::min(best[i], timer.seconds());
    }
  }
  return best;
}

void print_heading(const std::string& title) {
  fmt::print("\n{}\n{:<46}{:>11}{:>11}{:>9}  {:<12}{:>9}{:>10}\n", title, "kernel", "ms", "bound ms", "% bound",
             "bound by", "x Eigen", "ns/item");
}

void print_line(const Line& line) {
  fmt::print("{:<46}{:>11.3f}{:>11.3f}{:>9.0f}  {:<12}{:>9}{:>10}\n", line.name, line.seconds * 1e3,
             line.bound_seconds * 1e3, 100 * line.bound_seconds / line.seconds, line.bound_by,
             line.eigen_seconds ? fmt::format("{:.2f}", *line.eigen_seconds / line.seconds) : "",
             line.per_item_ns ? fmt::format("{:.3f}", *line.per_item_ns) : "");
  std::fflush(stdout);
}

}  // namespace graphveil::bench
