// A rehearsal: the same training on made-up people, so that what to expect is known before anything is spent.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphveil/run/train.h"

namespace graphveil::run {

// What is taken for granted about people of whom only public numbers are known.
struct TwinAssumptions {
  double mean_degree = 10;
  double majority = 0.5;    // the share of the largest class; at least 1 / classes
  double homophily = 0.6;   // the chance that a contact is of one's own kind
  double separation = 1.5;  // how far features of a class are from those of all others, in standard deviations
};

// A graph of made-up people: as many nodes, classes and feature columns as `data`, and the same nodes without a label.
// Nothing else of the data is read: no edge, no label's value, no feature. Whether it is symmetric is public. Throws
// InvalidArgument for a share that no largest class can have.
graph::Dataset made_up_twin(const graph::Dataset& data, const TwinAssumptions& assumed, const Seed& seed);

// What the holder declares for a rehearsal; none: it is assumed, and said to be.
struct DeclaredPeople {
  std::optional<double> mean_degree = {};
  std::optional<double> majority = {};
};

// One answer to the question that nobody can answer without the data: how well features and contacts tell classes
// apart.
struct RehearsedCase {
  const char* word = "";  // "little", "something", "much": what features and contacts say
  double separation = 0, homophily = 0;
  double accuracy = 0;                  // of the test nodes of the twin
  std::optional<double> without_noise;  // of the same method with hardly any noise; none: it has no such setting
};

struct Rehearsal {
  std::vector<RehearsedCase> cases;   // the hardest people first
  double majority = 0;                // what always naming the most frequent class gives
  int64_t test_nodes = 0;             // of whom these are shares
  artifact::Certificate certificate;  // what a run on the data would cost
  std::vector<std::string> assumed;   // in words
};
// Trains the experiment once on each twin. Nothing private is read, so nothing is spent. It measures what the noise
// leaves, and says nothing about the data. Throws Unsupported for two graphs, InvalidArgument as train() does.
Rehearsal rehearse(const Experiment& experiment, const InputData& input, const DeclaredPeople& declared = {});

}  // namespace graphveil::run
