// What would fit into a budget book where a run does not.
#pragma once

#include <optional>

#include "graphveil/run/book.h"
#include "graphveil/run/experiment.h"

namespace graphveil::run {

struct Fit {
  double noise = 0;    // the value of the plan's knob, to two digits
  double epsilon = 0;  // what the run costs by itself then
};

// About the least noise with which the run fits into what is left, at most a million times its own; none: it does not
// fit with any. Reads public numbers and the book.
std::optional<Fit> fitting(const Prepared& prepared, const BookReading& book);

}  // namespace graphveil::run
