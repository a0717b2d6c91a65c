// Training on shares of the classes in place of labels, without privacy.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "graphveil/base/matrix.h"
#include "graphveil/learn/fit.h"

namespace graphveil::learn {

// Adam, in full batches, on the mean over `nodes` of -sum_c shares(i, c) log p_c, where row i of `shares` (nodes x
// classes) is about nodes[i]. Everything else as fit() does it. Throws InvalidArgument for a number of rows that is not
// that of the nodes, none of them, or a batch size.
mechanism::Public<nn::State> fit_shares(Network& network, std::span<const int32_t> nodes, ConstMatrixView shares,
                                        const FitOptions& options, const Seed& seed, const std::string& name,
                                        const mechanism::PublicData& token, const std::string& prefix = "");

}  // namespace graphveil::learn
