// The one door through which private values leave: reads the plan, writes the ledger, then adds the noise.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "graphveil/account/noisy_argmax.h"
#include "graphveil/base/integer_matrix.h"
#include "graphveil/base/matrix.h"
#include "graphveil/base/random.h"
#include "graphveil/bound/bounded.h"
#include "graphveil/bound/clipping.h"
#include "graphveil/bound/grid.h"
#include "graphveil/bound/label.h"
#include "graphveil/mechanism/answer_log.h"
#include "graphveil/mechanism/noisy.h"
#include "graphveil/mechanism/plan.h"
#include "graphveil/mechanism/recording.h"

namespace graphveil::mechanism {

// The most a run may spend.
struct Budget {
  double epsilon = 0;
  double delta = 0;
};

// The point at which a release stands: how often each line of its plan was used, and how many noise streams were drawn
// from.
struct ReleasePoint {
  std::vector<int64_t> uses;
  uint64_t draws = 0;
};

class ReleaseObserver;

// The probability with which randomized response gives another label, never below what these log-odds say.
double flip_probability(double log_odds, int64_t classes);

// Owns the ledger of one run. A mechanism is asked for by the label of a plan's line; noise, sampling and count are
// that line's. A value whose stated sensitivity, norm, relation or sampling is not the line's, and a line used more
// often than planned, is refused before any noise is drawn or any private value opened.
//
// Three doors lead through it:
//   private  noise as planned, at most the cap
//   clear    no noise: the same method without privacy. Promises nothing
//   replay   what a recorded run gave out, whatever comes in: shows what else a run reads
//
// Guarantee (private): what was released through this object is (cap.epsilon, cap.delta)-differentially private under
// `relation`, by composition of the ledger's events (adaptive composition of dominating pairs; Zhu, Dong and Wang,
// "Optimal accounting of differential privacy via characteristic function", 2022). Every number given out is a whole
// multiple of a public power of two: values are whole numbers of steps, noise is the continuous noise rounded to whole
// steps and drawn without a look at the value. Adding whole steps commutes with rounding, so this is rounding after the
// continuous mechanism: post-processing.
class Release {
 public:
  // Throws BudgetExceeded when the plan costs more than the cap.
  static Release open(bound::Relation relation, Plan plan, Budget cap, Seed seed);
  static Release clear(bound::Relation relation, Plan plan);
  // Gives out `recording`, which must outlive it; throws Internal when the run asks for something else.
  static Release replay(bound::Relation relation, Plan plan, const Recording& recording);
  Release(Release&&) noexcept = default;
  Release& operator=(Release&&) = delete;
  ~Release();

  bound::Relation relation() const { return relation_; }
  // Whether a guarantee will be given for what comes out: false behind the clear door.
  bool promises() const { return door_ != Door::Clear; }
  const Budget& cap() const { return cap_; }
  const Plan& plan() const { return plan_; }
  const PlanLine& line(const std::string& label) const { return plan_.line(label); }
  // The step of the grid on which values of this line must lie: a power of two, at most 2^-12 of the noise.
  double grid(const std::string& label) const;

  // value + N(0, s^2) in every entry, s = noise multiplier times sensitivity. Wants an L2 bound.
  Noisy<Matrix> gaussian(const std::string& label, bound::Bounded<bound::GridMatrix> input);
  // Gaussian noise on a clipped sum of gradients, which brings its own grid, far finer than the noise.
  Noisy<std::vector<double>> gaussian(const std::string& label, bound::Bounded<bound::GradientSum> input);
  // A whole number plus discrete Laplace noise, drawn exactly. Wants an L1 bound.
  Noisy<int64_t> discrete_laplace(const std::string& label, bound::Bounded<int64_t> input);
  // Discrete Laplace noise in every entry of a matrix of whole numbers: pure epsilon = amount / scale, whatever the
  // number of entries.
  Noisy<IntegerMatrix<int64_t>> discrete_laplace(const std::string& label, bound::Bounded<bound::CountMatrix> input);
  // A matrix of whole numbers plus discrete Gaussian noise in every entry, drawn exactly. Wants an L2 bound.
  Noisy<IntegerMatrix<int64_t>> discrete_gaussian(const std::string& label, bound::Bounded<bound::CountMatrix> input);
  // value + Laplace noise in every entry, in whole steps. With an LInf bound each entry is an event of its own; else
  // wants an L1 bound.
  Noisy<Matrix> laplace(const std::string& label, bound::Bounded<bound::GridMatrix> input);
  // The k largest entries of each row of scores, by Gumbel noise of scale b = 2 * amount / range; k picks a row, each
  // one exponential-mechanism event of that range. `amount` bounds how far any one score moves (LInf). Column ids, k
  // for each row in the order picked (Durfee and Rogers, "Practical differentially private top-k selection", 2019).
  // Noise goes to every column, zeros too, a block at a time.
  Noisy<std::vector<int32_t>> top_k(const std::string& label, bound::Bounded<bound::SparseGrid> scores, int64_t k);
  // The k largest entries of each row after noise as in gaussian(), with their noisy values.
  Noisy<LargestEntries> gaussian_top_k(const std::string& label, bound::Bounded<bound::SparseGrid> input, int64_t k);
  // Each label kept with probability e^l / (e^l + classes - 1), l the line's log-odds, else a uniform other class. One
  // record owns one label: `amount` is 1 (one label may change to any other).
  Noisy<std::vector<int32_t>> randomized_response(const std::string& label,
                                                  bound::Bounded<std::vector<int32_t>> labels);
  // One label that one record may change to any other, by randomized response as above.
  Noisy<int32_t> label(const std::string& line, bound::Bounded<int32_t> input);
  // The label of the largest entry of a posterior plus noise of this kind and scale. The line must allow the log-odds
  // that this has as a label release (account::noisy_argmax_log_odds).
  Noisy<int32_t> noisy_argmax(const std::string& line, bound::Bounded<bound::Posterior> input,
                              account::ArgmaxNoise noise, double scale);
  // A set of cells of [0, universe), rising: members reported with probability t a, others with t (1 - a), where
  // a = e^l / (1 + e^l), l the line's log-odds, t = thinning in (0, 1]. One record owns one cell: `amount` is 1. Time
  // and memory in proportion to what goes in and comes out.
  Noisy<std::vector<int64_t>> randomized_set(const std::string& label, bound::Bounded<std::vector<int64_t>> members,
                                             int64_t universe, double thinning);

  // What has been spent so far: the plan's lines with the counts used, those with none left out.
  Plan spent() const;
  // Whether every planned event has been spent.
  bool complete() const;
  // Called once, before this door draws its first noise; when it throws, nothing was drawn or spent.
  void before_noise(std::function<void()> call) { before_noise_ = std::move(call); }
  // Notes every output in `recording` from now on.
  void record(Recording& recording) { recording_ = &recording; }

  // The point is for checkpoints. A release with the same plan and seed, taken forward to a point that another had
  // reached after the same draws, goes on as that one would have: a step done again draws the same noise, so it
  // releases nothing new. Throws InvalidArgument for a point that does not fit the plan or lies behind this one.
  const ReleasePoint& point() const { return point_; }
  void resume(const ReleasePoint& point);

  // Labels (`label`, `noisy_argmax`) go to this log, which must outlive it, before they are given out. `training` is
  // the run's name there.
  void keep(AnswerLog& log, std::string training);
  // Labels of this line that an earlier process of the same training gave out, with the same plan and seed: they are
  // spent, and the next label draws the noise that it would have drawn then. Without a log: none. Throws BadInput when
  // they do not fit the line.
  std::vector<int32_t> given(const std::string& label);

 private:
  enum class Door { Private, Clear, Replay };
  friend class ObserverAccess;  // defined by tests alone: sees values before the noise
  Release(Door door, bound::Relation relation, Plan plan, Budget cap, Seed seed);

  // Writes the ledger line; throws, having opened nothing, unless the plan has `times` more of this line and the value
  // is bounded as it says.
  const PlanLine& spend(const std::string& label, const bound::Sensitivity& sensitivity, int64_t times = 1);
  std::string purpose(const std::string& label) const { return "noise/" + label; }
  // The next recorded output behind the replay door.
  template <typename T>
  T replayed(const std::string& label);
  template <typename T>
  Noisy<T> finish(const std::string& label, T output, double noise_scale);
  // A matrix of whole numbers with the noise of the line's kind: add(values, scale, stream, first).
  template <typename Kind, typename Add>
  Noisy<IntegerMatrix<int64_t>> with_whole_noise(const std::string& label, bound::Bounded<bound::CountMatrix> input,
                                                 Add&& add);
  // Finishes with one label, which the log is told.
  Noisy<int32_t> finish_label(const std::string& label, int32_t output, double noise_scale);

  Door door_;
  bound::Relation relation_;
  Plan plan_;
  Budget cap_;
  Seed seed_;
  ReleasePoint point_;
  Recording* recording_ = nullptr;
  const Recording* replay_ = nullptr;
  size_t replayed_ = 0;
  AnswerLog* log_ = nullptr;
  std::string training_;  // its name in the log
  ReleaseObserver* observer_ = nullptr;
  std::function<void()> before_noise_;
};

// Sees what goes into a release before the noise: for tests of sensitivities, which set it through ObserverAccess.
class ReleaseObserver {
 public:
  virtual ~ReleaseObserver() = default;
  // `values` in the value's own units, `rows` rows of them.
  virtual void saw(const std::string& label, const std::vector<double>& values, int64_t rows,
                   const bound::Sensitivity& sensitivity) = 0;
};

}  // namespace graphveil::mechanism
