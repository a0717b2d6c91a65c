// A rehearsal: the same training on made-up people, so that what to expect is known before anything is spent.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphveil/run/train.h"

namespace graphveil::run {

// What is taken for granted about people of whom only public numbers are known.
struct TwinAssumptions {
  double mean_degree = 10;  // where none was declared
  double homophily = 0.7;   // the chance that a contact is of one's own kind
  double separation = 1.5;  // how far the features of two classes are apart, in standard deviations
};

// A graph of made-up people: as many nodes, classes and feature columns as `data`, and the same nodes without a label.
// Nothing else of the data is read: no edge, no label's value, no feature. Whether it is symmetric is public.
graph::Dataset made_up_twin(const graph::Dataset& data, const TwinAssumptions& assumed, const Seed& seed);

struct Rehearsal {
  double accuracy = 0;                  // of the test nodes of the twin
  std::optional<double> without_noise;  // of the same method with hardly any noise; none: it has no such setting
  double majority = 0;                  // what always naming the most frequent class gives
  int64_t test_nodes = 0;               // of whom these are shares
  artifact::Certificate certificate;    // what a run on the data would cost
  std::vector<std::string> assumed;     // in words
};
// Trains the experiment once on the twin. Nothing private is read, so nothing is spent. Throws Unsupported for two
// graphs, InvalidArgument as train() does.
Rehearsal rehearse(const Experiment& experiment, const InputData& input, std::optional<double> mean_degree);

}  // namespace graphveil::run
