// DP-SGD's gradient: per-sample gradients clipped and summed at about the cost of one plain backward pass.
//
//   clipped.start();
//   tape.start_per_sample(batch.size());
//   clipped.add(cross_entropy(model(tape.input(x)), labels, Reduction::Sum));
//   Bounded<GradientSum> sum = clipped.finish(batches, relation);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/bound/clipping.h"
#include "graphveil/nn/batches.h"
#include "graphveil/nn/buffer.h"
#include "graphveil/nn/clipped_sums.h"
#include "graphveil/nn/parameters.h"
#include "graphveil/nn/sample_rows.h"
#include "graphveil/nn/tape.h"

namespace graphveil::nn {

// Sums over one or more per-sample steps of the tape, for batches too large for one.
//
// Guarantee: the sensitivity that finish() states (bound::clipped_sum), worst-case rounding included, provided that a
// sample is in one of the steps only, that a block is whole within one of them and cut by its samples' public places,
// that a blank sample is in none, and that what the tape is given as rows
// of a sample depends on the records that the sampler's draw says it does.
//   Each sample's gradient enters with norm at most bound::clipped_norm: its norm is measured from above
//   (nn/ghost_norm.h), and bound::kClipMargin covers what is left.
//   Besides, it is never taken to be less than 1/64 of the sum of the norms of its rows' shares: so the shares of a
//   block sum to W <= 126 * 64 times the clip norm, and there is a number of rows, at least 1, whose float sum keeps to
//   the bound of nn/block_sums.h.
//   A sample's values and gradients are the same bits whatever the other samples are (nn/row_products.h), so a block is
//   the same bits unless one of its own samples changes.
//   A sample without a label, or left out because it is not finite, adds exactly nothing.
class ClippedGradient {
 public:
  // Several clip norms are for the parameters' groups, in order; throws InvalidArgument when the
  // numbers differ.
  ClippedGradient(Parameters& parameters, bound::Clipping clipping);
  ClippedGradient(const ClippedGradient&) = delete;
  ClippedGradient& operator=(const ClippedGradient&) = delete;

  // Forgets what was summed.
  void start();
  // Adds the clipped gradients of the samples of this step; `loss` is a sum over samples. An empty step adds zero.
  // Block b of them is [block_ends[b - 1], block_ends[b]), as Batches::block_ends() has it; empty: every
  // bound::kSamplesPerBlock of them. Throws Unsupported beyond bound::kMaxSamples samples, InvalidArgument for blocks
  // that do not add up to the step, or of more than bound::kMaxSamplesPerBlock samples.
  void add(Var loss, std::span<const int64_t> block_ends = {});
  // Adds what others, of the same parameters and clipping, have summed of other samples of this step. Sums of blocks
  // are added without error, so nobody can tell who summed which.
  void take(std::span<const ClippedGradient* const> others);
  // Hands the sum over, one number per parameter, with what one record can do to it given how `batches` draws. Where
  // ranks share the batches out it is the sum over all of them: each block is whole on one rank.
  bound::Bounded<bound::GradientSum> finish(const Batches& batches, bound::Relation relation);

  // Post-processing of a released sum: multiplies each group by its clip norm again where it was divided by it.
  void undo_relative(std::span<double> released) const;
  // Gives the memory of a released sum back, for the next step.
  void reuse(std::vector<double> memory) { sums_.values_ = std::move(memory); }

  const bound::Clipping& clipping() const { return clipping_; }

 private:
  friend class UnsoundThresholds;
  friend class ClippedGradientPeer;  // of the tests
  void add_ranks();
  void count_samples(int64_t more);
  void measure(Tape& tape);
  void weigh(Tape& tape);
  void set_blocks(int64_t samples, std::span<const int64_t> ends);
  void set_rows_per_sum(int64_t samples);
  int64_t group_of(const Operation& operation) const;
  const SampleRows& rows_of(Tape& tape, Var output);
  std::span<double> of_group(std::vector<double>& values, int64_t group, int64_t samples) {
    return std::span(values).subspan(static_cast<size_t>(group * samples), static_cast<size_t>(samples));
  }

  Parameters& parameters_;
  bound::Clipping clipping_;
  ClippedSums sums_;
  int64_t samples_ = 0;                                // added since start()
  std::vector<double> squared_norms_, squared_terms_;  // groups x samples
  std::vector<double> norms_by_sample_;                // samples x groups
  std::vector<int64_t> block_ends_;                    // samples before the end of each block
  std::vector<int64_t> rows_per_sum_;                  // groups x blocks
  Buffer factors_, row_factors_;
  std::vector<uint8_t> erased_;
  SampleRows rows_;
  std::span<const int32_t> rows_known_for_;
};

}  // namespace graphveil::nn
