// Times a piece of work and prints one line: time, share of the bound, ratio to Eigen.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace graphveil::bench {

// The least wall-clock seconds of several calls (at least 3 calls and about 0.3 s).
double best_seconds(const std::function<void()>& work);

// The least seconds of each piece of work when all are measured by turns, `rounds` times: on a machine that is also
// busy with other things, what disturbs one then disturbs the others too.
std::vector<double> best_by_turns(int rounds, const std::vector<std::function<void()>>& works);

void print_heading(const std::string& title);

struct Line {
  std::string name;
  double seconds = 0;
  double bound_seconds = 0;             // the least time the machine could need
  std::string bound_by;                 // which resource that is
  std::optional<double> eigen_seconds;  // for the same work
  std::optional<double> per_item_ns;    // time for one number, edge, ...
};
void print_line(const Line& line);

}  // namespace graphveil::bench
