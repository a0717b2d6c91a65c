// One classifier from several, weighted by how they do on nodes that they have not seen.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/base/ranks.h"

namespace graphveil::learn {

// The weights w that make softmax(sum over e of w_e scores_e) likeliest on these nodes, less a small ridge (Wolpert
// 1992; multinomial logistic regression with one number per expert, by Newton's steps). The scores of a node must not
// have read its own label. Nodes without a label count for nothing. Ranks that have some of the nodes
// each, in the order of all, end with the bits of one process.
std::vector<double> stack_weights(std::span<const Matrix> scores, std::span<const int32_t> labels,
                                  std::span<const int32_t> nodes, Ranks* ranks = nullptr);

// softmax(sum over e of w_e scores_e) of every node.
Matrix stacked(std::span<const Matrix> scores, std::span<const double> weights);

}  // namespace graphveil::learn
