// A map of nodes in the plane, from the class probabilities that a model gives them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/base/matrix.h"

namespace graphveil::report {

struct MapPoint {
  double x = 0, y = 0;
  int32_t predicted = 0;  // the class of the largest probability
};

// One map for each table of probabilities, all in the same plane: the first two principal components of all rows
// together, each with the sign that makes its largest entry positive. At most `most` rows of a table are shown, spread
// evenly over it. The same input gives the same maps. Throws InvalidArgument unless all have the same number of
// columns, at least 3: fewer classes have no plane.
std::vector<std::vector<MapPoint>> node_maps(std::span<const ConstMatrixView> tables, int64_t most);

}  // namespace graphveil::report
