// What one training reads and is judged on: a graph and its split, or a private graph beside a public one.
#pragma once

#include <optional>
#include <vector>

#include "graphveil/base/random.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/nn/state.h"
#include "graphveil/run/experiment.h"

namespace graphveil::run {

// The graphs that the user gave.
struct InputData {
  graph::Dataset data;                        // the records to protect, or one graph to split
  std::optional<graph::Dataset> public_data;  // for methods that want one
  // The most nodes of `data` that one person is, for the holder alone; none: the data do not say who is who.
  std::optional<int64_t> largest_entity = std::nullopt;
};

struct Parts {
  graph::Dataset data;  // the private records, prepared, unless ranks share them out
  graph::Split split;
  std::optional<graph::Dataset> public_graph;  // prepared, without labels
  graph::Dataset evaluated;                    // whose predictions are made
  graph::Split evaluated_split;
  std::vector<int32_t> evaluated_ids;                     // its nodes' ids in the graph that was split; empty: the same
  std::optional<nn::State> public_arrays = std::nullopt;  // of the method's public file
};

// The arrays of the public file that the method names; none: it names none. Throws as reading a safetensors file does.
std::optional<nn::State> read_public_arrays(const method::Method& method);

// As the settings ask, with the public file that the method names. The split is drawn from the ids that have a label,
// which are public. Throws InvalidArgument when graphs and settings do not fit.
Parts make_parts(const Experiment& experiment, const InputData& input, const Seed& seed);

// The public numbers of the records, their features counted as stored.
method::PublicFacts public_facts(const Parts& parts, const InputData& input);
// The same before anything is split: every seed gives as many nodes.
method::PublicFacts planned_facts(const Experiment& experiment, const InputData& input);

}  // namespace graphveil::run
