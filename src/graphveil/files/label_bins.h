// A number to predict, cut into classes at declared places: which bin a value falls into is what a model can learn.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace graphveil::files {

// The names of the classes that rising edges make, one more than edges: "below 3", "3 to 7", "7 or more". A value on an
// edge belongs above it.
std::vector<std::string> bin_names(std::span<const double> edges);

// The class of a value.
int32_t bin_of(std::span<const double> edges, double value);

// Why these are no edges; none: they are. Edges are finite and rise, and there are 1 to 1000 of them.
std::optional<std::string> wrong_edges(std::span<const double> edges);

// What to do with a label that is a number, in one sentence; empty: how its column is called is not known.
std::string bins_advice(const std::string& column);

}  // namespace graphveil::files
