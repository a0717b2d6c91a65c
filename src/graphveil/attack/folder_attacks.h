// What the files of a run give away to somebody who gets hold of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graphveil/attack/roc.h"
#include "graphveil/base/random.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/mechanism/plan.h"
#include "graphveil/nn/state.h"

namespace graphveil::attack {

// The friend lists of nodes, from predictions that may have read them: a friend's class speaks louder in the prediction
// about a node than it does in `without_list`, what the public model says from features alone. Pairs of nodes, joined
// and not, as many of either. Where the prediction reads no list, 0.5. Throws InvalidArgument when sizes differ or the
// graph has no edges.
Roc own_list_attack(const graph::Dataset& data, const Matrix& predictions, const Matrix& without_list, int64_t pairs,
                    const Seed& seed);

// The numbers of a predictions.csv with so many classes. Throws BadInput.
Matrix read_predictions(const std::string& csv, int64_t classes, const std::string& what);

// Released numbers that are no whole multiple of the public grid of their line: of such a number an adversary who knows
// two graphs can say which one it cannot have come from.
struct OffGrid {
  std::string name;
  int64_t numbers = 0, off = 0;
  double grid = 0;
};
std::vector<OffGrid> support_attack(const nn::State& sums, const mechanism::Plan& plan);

// What two releases have in common that they should not: numbers that are equal, where noise of their own would have
// made them differ, and the rows in which they differ after all, which are then about whoever changed.
struct Shared {
  std::string name;
  int64_t numbers = 0, equal = 0;
  std::vector<int64_t> differing_rows;  // the first 20
  int64_t rows = 0;
  // Two numbers with noise of their own are equal with a chance of about 1e-4.
  bool shares_noise() const { return numbers >= 16 && 4 * equal > numbers; }
};
std::vector<Shared> difference_attack(const nn::State& a, const nn::State& b);

}  // namespace graphveil::attack
