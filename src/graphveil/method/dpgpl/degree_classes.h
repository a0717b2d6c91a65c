// The centrality classes of DP-GPL+W: records with more edges have teachers whose votes weigh more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/base/options.h"
#include "graphveil/graph/graph.h"
#include "graphveil/method/dpgpl/prompt_teachers.h"

namespace graphveil::method {

// Teachers and what the vote of each weighs.
struct WeightedParts {
  TeacherParts parts;
  std::vector<double> weights;
};

// Class c are the records with more outgoing edges than cut c - 1 and at most cut c. Weights rise from `low` to `high`
// in equal steps.
class DegreeClasses {
 public:
  void declare(Options& options);
  // Throws InvalidArgument unless the cuts are rising whole numbers and the weights in order.
  void check() const;
  int64_t count() const;
  double weight(int64_t c) const;
  double largest() const { return high_; }
  // What no weight of ranked_parts exceeds: high, scaled by as much as weights that are all low would be.
  double largest_ranked() const { return high_ / std::min(low_, 1.0); }
  // The weights that the range of epsilon in the paper's Table 12 implies: 16 = (2 / 0.5)^2.
  void use_paper_weights() { low_ = 0.5, high_ = 2; }
  bool declared() const { return cuts_ != kPublic; }
  // Class c in words.
  std::string who(int64_t c) const;

  // Training records with a label, the teachers shared out among the classes as the public graph's nodes are.
  //
  // Guarantee: under record, a record's teacher is told by its id, its own outgoing edges and public numbers.
  WeightedParts parts(const Task& task, int64_t teachers, const std::optional<int64_t>& shots) const;

 private:
  static constexpr const char* kPublic = "public";
  std::optional<std::vector<int64_t>> given() const;
  // Those given, or such that a third of the public nodes is in each class.
  std::vector<int64_t> cuts_on(const graph::Graph& public_graph) const;

  std::string cuts_ = kPublic;
  double low_ = 0.9, high_ = 1.2;
};

// The parts as the paper has them: records are ranked by degree and cut into parts of equal size, at most `shots` used
// of each. A part weighs low to high by its mean degree, from the least of all parts to the largest, and weights are
// scaled to add up to the number of teachers. (By deg / (n - 1) as it stands, all weights would be low to within 1%;
// the paper's range of epsilon is (high / low)^2 in every table.) PerClass: teacher t reads the t-th window of `shots`
// records in each class's ranking, and windows overlap. One record that goes shifts the rank of all others: no bound
// holds for it.
WeightedParts ranked_parts(const Task& task, int64_t teachers, double low, double high,
                           const std::optional<int64_t>& shots = std::nullopt, ShotsPer per = ShotsPer::Teacher);

}  // namespace graphveil::method
