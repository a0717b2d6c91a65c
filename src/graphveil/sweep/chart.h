// Accuracy against epsilon as a picture.
#pragma once

#include <string>

#include "graphveil/sweep/summary.h"

namespace graphveil::sweep {

// An SVG that needs nothing beside it: a panel for each graph, a line with a 95% band for each row, dashed lines for
// rows without noise. Epsilon on a logarithmic axis. Empty when no row has a budget.
std::string accuracy_chart(const Summary& summary, const std::string& title);

}  // namespace graphveil::sweep
