// The one door through which private values leave: checks the plan, writes the ledger, then adds the noise.
#pragma once

#include <string>
#include <vector>

#include "graphveil/account/accountant.h"
#include "graphveil/account/ledger.h"
#include "graphveil/base/matrix.h"
#include "graphveil/base/random.h"
#include "graphveil/bound/bounded.h"
#include "graphveil/mechanism/noisy.h"

namespace graphveil::mechanism {

// The most a run may spend.
struct Budget {
  double epsilon = 0;
  double delta = 0;
};

// A ledger line as it was spent, with the sizes behind its noise multiplier.
struct SpentLine {
  account::Event event;
  double sensitivity = 0;  // in `norm`
  bound::Norm norm = bound::Norm::L2;
  double noise_scale = 0;  // standard deviation or scale; log-odds for randomized response

  bool operator==(const SpentLine&) const = default;
};

// Where a release stands: what each line of its plan has been used for, and how many noise streams were drawn from.
struct ReleasePoint {
  struct Use {
    int64_t count = 0;
    double sensitivity = 0;
    bound::Norm norm = bound::Norm::L2;
    double noise_scale = 0;
  };
  std::vector<Use> uses;
  uint64_t draws = 0;
};

// Owns the ledger of one run. Opened with a plan whose price was checked against a cap; every mechanism spends one
// planned event. An event that is not in the plan, or once more than planned, is refused before any noise is drawn
// or any private value opened.
//
// Guarantee: what was released through this object is (cap.epsilon, cap.delta)-differentially private under
// `relation`, by composition of the ledger's events (adaptive composition of dominating pairs; Zhu, Dong and Wang,
// "Optimal accounting of differential privacy via characteristic function", 2022), provided each Bounded states a
// true sensitivity.
class Release {
 public:
  // Throws BudgetExceeded when the plan costs more than the cap.
  Release(bound::Relation relation, account::Ledger plan, Budget cap, Seed seed);
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;

  // value + N(0, (noise_multiplier * amount)^2) in every entry. Wants an L2 bound.
  Noisy<Matrix> gaussian(const std::string& label, bound::Bounded<Matrix> input, double noise_multiplier);
  // The same for a sum kept in double.
  Noisy<std::vector<double>> gaussian(const std::string& label, bound::Bounded<std::vector<double>> input,
                                      double noise_multiplier);
  // value + Laplace(noise_multiplier * amount) in every entry. Wants an L1 bound.
  Noisy<Matrix> laplace(const std::string& label, bound::Bounded<Matrix> input, double noise_multiplier);
  // One number, say a count: in double, where a count and its neighbor never round to more than one apart.
  Noisy<double> laplace(const std::string& label, bound::Bounded<double> input, double noise_multiplier);
  // The k largest entries of a row of scores, by Gumbel noise of scale b = 2 * amount / range; k picks, each one
  // exponential-mechanism event of that range. `amount` bounds how far any one score moves (LInf). Column ids, in
  // the order picked (Durfee and Rogers, "Practical differentially private top-k selection", 2019).
  Noisy<std::vector<int32_t>> top_k(const std::string& label, bound::Bounded<Matrix> scores, int64_t k, double range);
  // Each label kept with probability e^l / (e^l + classes - 1), l = log_odds, else a uniform other class. One record
  // owns one label: `amount` is 1 (one label may change to any other).
  Noisy<std::vector<int32_t>> randomized_response(const std::string& label, bound::Bounded<std::vector<int32_t>> labels,
                                                  int classes, double log_odds);

  // A set of cells of [0, universe), rising: members reported with probability t a, others with t (1 - a), where
  // a = e^l / (1 + e^l), l = log_odds, t = thinning in (0, 1]. One record owns one cell: `amount` is 1. Time and memory
  // in proportion to what goes in and comes out.
  Noisy<std::vector<int64_t>> randomized_set(const std::string& label, bound::Bounded<std::vector<int64_t>> members,
                                             int64_t universe, double log_odds, double thinning);

  bound::Relation relation() const { return relation_; }
  const Budget& cap() const { return cap_; }
  const account::Ledger& plan() const { return plan_; }
  // What has been spent so far: the plan's lines with the counts used, those with none left out.
  account::Ledger spent() const;
  std::vector<SpentLine> spent_lines() const;
  // Whether every planned event has been spent.
  bool complete() const;

  // For checkpoints. A release opened with the same plan and seed, and taken to the point of another, goes on as that
  // one would have: a step done again draws the same noise, so it releases nothing new. Throws InvalidArgument unless
  // nothing was spent yet and the point fits the plan.
  const ReleasePoint& point() const { return point_; }
  void resume(const ReleasePoint& point);

 private:
  // Writes the ledger line; throws, having opened nothing, unless the plan has one more of this event and the
  // sensitivity is that of the line's earlier uses.
  void spend(const account::Event& event, const bound::Sensitivity& sensitivity, bound::Norm wanted,
             double noise_scale);
  // The same for Laplace noise; returns its scale.
  double spend_laplace(const std::string& label, const bound::Sensitivity& sensitivity, double noise_multiplier);

  bound::Relation relation_;
  account::Ledger plan_;
  Budget cap_;
  Seed seed_;
  ReleasePoint point_;
};

}  // namespace graphveil::mechanism
