// `train --compare`: the same budget spent without the graph.
#pragma once

#include <memory>

#include "graphveil/run/experiment.h"

namespace graphveil::run {

// What a method is compared with: no edge in training, the graph in the clear for predictions.
inline constexpr const char* kRival = "mlp-dp --propagate 2 --alpha 0.25 --lr 0.1";

// Whether a method can be compared with it: it protects nodes, and its predictions read the graph in the clear.
bool can_compare(const method::Method& method);
// Throws InvalidArgument where the experiment protects edges, on a graph that is symmetric or not.
void check_comparable(const Experiment& experiment, bool symmetric);
// The rival with the settings that every method has, as the experiment has them.
std::unique_ptr<Experiment> rival_of(const Experiment& experiment);

}  // namespace graphveil::run
