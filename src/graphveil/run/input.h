// The graphs that a user names: one, or a private and a public one.
#pragma once

#include <string>

#include "graphveil/run/parts.h"

namespace graphveil::run {

struct InputPaths {
  std::string data;                         // one graph
  std::string private_graph, public_graph;  // instead of it: the graph to protect and a public one
  std::string target = "year";              // Facebook100: the column to predict
};

// Throws InvalidArgument where the paths do not go together or name the same graph twice: what is private cannot be
// public too. Throws as files::read_dataset does.
InputData read_input(const InputPaths& paths);

}  // namespace graphveil::run
