// How a budget is divided between sums over neighbors and training: a rule from public numbers.
#pragma once

#include <optional>

#include "graphveil/method/method.h"

namespace graphveil::method {

// Share of the budget that sums over neighbors get under node, where all of it is one Gaussian mechanism of mean `mu`.
//
// Training moves features x classes weights by sums over the training nodes, with noise that goes as 1 / mu:
//   need = features * classes / (training nodes * mu),
// and a row of the sums stands out of its noise as
//   signal = mean degree * mu / sqrt(protected degree).
// The sums get the more the less training needs, and little where they say little. `own_list`: predictions read sums
// along the node's own list too, which makes them worth more. Without a declared mean degree: half the protected one.
double graph_share(double mu, const Setting& setting, std::optional<double> mean_degree, bool own_list);

}  // namespace graphveil::method
