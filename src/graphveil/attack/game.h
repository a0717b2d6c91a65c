// A mechanism on its worst-case neighbors, as a game: a record is there or blank, the adversary sees what is released
// and scores how much that speaks for "there".
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "graphveil/base/random.h"
#include "graphveil/mechanism/plan.h"
#include "graphveil/method/method.h"

namespace graphveil::attack {

// Plays many independent trials at once. Implementations release through mechanism::Release what bound/ has bounded,
// the very code that a run goes through; tests have others, with mistakes.
class Game {
 public:
  virtual ~Game() = default;
  // Roughly how many numbers are drawn for one trial.
  virtual double cost() const = 0;
  // Trial i: the record is there where there[i] is 1. Adds ln P(released | there) / P(released | blank), over all
  // rounds, to scores[i]. Called from several threads.
  virtual void play(std::span<const uint8_t> there, const Seed& seed, std::span<double> scores) const = 0;
};

// The worst-case pair of docs/guarantees.md for what a plan's line releases, with as much noise and as many rounds as
// it says:
//   neighbor-sum                     a star whose center is there, or not; an edge, or both its directions
//   neighbor-counts, edge-count      one edge counted
//   class-sums                       one record's row
//   gradients                        the clipped gradient of every sample that the record touches, as long as may be
//   votes, vote-maxima               a teacher votes for another class, or not at all
//   labels, edge-cells               another label, another cell of the table of edges
//   pagerank-rows, -picks, -values   an edge at the source, or none
//   score                            one prediction right, or wrong
// In every other round the record's shift points the other way, so that noise that is used twice shows. Throws
// Unsupported for a mechanism by which no game releases such a source.
std::unique_ptr<Game> make_game(const mechanism::PlanLine& line, const method::Setting& setting);

// Trials that a game plays in one go.
inline constexpr int64_t kTrialsAtOnce = 4096;

}  // namespace graphveil::attack
