// Distributions of losses added up by repeated doubling, with few atoms that stand where they matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphveil/account/loss_atoms.h"

namespace graphveil::account {

// One direction of all parts.
struct Term {
  AtomLoss loss;
  int64_t count;
  double mean, variance;  // of one run
};

Term make_term(AtomLoss loss, int64_t count);

// Where Chernoff's bound puts epsilon (see LossSum::tilt_for_delta), and the tilt there: a first guess.
struct Guess {
  double epsilon, tilt;
};
Guess chernoff_guess(const std::vector<Term>& terms, double delta);

// A place where epsilon may lie, and how far from it.
struct Place {
  double epsilon, width;
};

// The sum of all terms by doubling: the counts' bits from the highest to the lowest. Where atoms are put affects
// accuracy, never soundness (loss_atoms.h).
class Composer {
 public:
  // The terms must outlive it.
  explicit Composer(const std::vector<Term>& terms);

  // How many times two distributions are composed.
  size_t operations() const { return steps_.size(); }

  // Knowing nothing but guesses: a partial sum x weighs e^(tilt x), up to where the mean of the rest completes it.
  AtomLoss first(size_t most, const std::vector<Guess>& guesses);
  // Knowing the partial sums of the time before: what completes each of them is composed backward, roughly.
  AtomLoss again(size_t most, const std::vector<Place>& places);

 private:
  AtomLoss forward(size_t most, const std::vector<Importance>& of_terms, const std::vector<Importance>& of_sums);

  const std::vector<Term>& terms_;
  std::vector<size_t> steps_;   // the term to add, or kDouble; the first is a term
  std::vector<AtomLoss> sums_;  // after each step
};

}  // namespace graphveil::account
