// What a run will take, before anything is read: time, memory and traffic on so many machines, from public numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/method/work.h"
#include "graphveil/run/experiment.h"

namespace graphveil::run {

// The machines of a run.
struct Machines {
  int64_t ranks = 1;     // processes, each with its share of the rows
  int64_t threads = 1;   // of each
  double gigabits = 10;  // a second that a rank can send, and receive
};

struct ForecastPart {
  std::string what;
  double seconds = 0;
};

// For the busiest rank where rows are cut so that edges are equal. docs/scale.md has the formulas, and how far measured
// runs were from them.
struct Forecast {
  method::Work work;  // of all ranks together
  double seconds = 0;
  std::vector<ForecastPart> parts;  // which add up to it
  double memory_bytes = 0;          // resident at the peak
  double traffic_bytes = 0;         // received in one sum over neighbors
  // Whether ranks gain nothing by sharing a training out: each gathers the rows of all in every step, which the bytes
  // here leave out.
  bool gathers = false;
  double turn_bytes = 0;        // sent on in one sum of a training without noise, on average
  double file_bytes = 0;        // of the graph, all of it
  double first_rank_bytes = 0;  // of all rows' predictions and sums, which rank 0 holds besides
};

// None for a method whose work is not counted. Throws InvalidArgument for numbers that are out of range.
std::optional<Forecast> forecast(const Prepared& prepared, const method::GraphSize& graph, const Machines& machines);

}  // namespace graphveil::run
