// What cannot come to anything is refused before the work begins.
#pragma once

#include "graphveil/run/parts.h"

namespace graphveil::run {

// Bytes that training takes at the least: weights, gradients and Adam's two moments of every layer, and the rows that a
// method aggregates. From the options and public numbers alone.
double least_memory(const Experiment& experiment, const method::PublicFacts& facts);

// Throws InvalidArgument for a network that no memory here holds, BadInput for data that nothing can be learned from:
// one class, no label, features so large that their squares are no numbers.
void check_feasible(const Experiment& experiment, const InputData& input);

}  // namespace graphveil::run
