// DP-SGD's gradient: per-sample gradients clipped and summed at about the cost of one plain backward pass.
//
//   clipped.start();
//   tape.start_per_sample(batch.size());
//   clipped.add(cross_entropy(model(tape.input(x)), labels, Reduction::Sum));
//   Bounded<Matrix> sum = clipped.finish(batches.draw(), relation);
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/bound/clipping.h"
#include "graphveil/nn/buffer.h"
#include "graphveil/nn/parameters.h"
#include "graphveil/nn/sample_rows.h"
#include "graphveil/nn/tape.h"

namespace graphveil::nn {

// Sums over one or more per-sample steps of the tape, for batches too large for one.
//
// Guarantee: every sample's gradient enters with norm at most bound::clipped_norm, provided that a sample is in
// one of the steps only and that what the tape is given as rows of a sample depends on the records that the
// SampleDraw says it does.
class ClippedGradient {
 public:
  // With several clip norms they are for the parameters' groups, in order; throws InvalidArgument when the
  // numbers differ.
  ClippedGradient(Parameters& parameters, bound::Clipping clipping);

  // Forgets what was summed.
  void start();
  // Adds the clipped gradients of the samples of this step; `loss` is a sum over samples. An empty step adds zero.
  void add(Var loss);
  // Hands the sum over; its memory comes back with Parameters::give_gradients.
  bound::Bounded<bound::GradientSum> finish(const bound::SampleDraw& draw, bound::Relation relation);

  // Post-processing of a released sum: multiplies each group by its clip norm again where it was divided by it.
  void undo_relative(Matrix& released) const;

  const bound::Clipping& clipping() const { return clipping_; }
  // Squared norms of the samples of the last step, samples x groups: private, for tests and for papers that read
  // thresholds off them.
  ConstMatrixView last_squared_norms() { return squared_norms_.view(); }

 private:
  void measure(Tape& tape);
  void weigh(Tape& tape);
  int64_t group_of(const Operation& operation) const;
  const SampleRows& rows_of(Tape& tape, Var output);

  Parameters& parameters_;
  bound::Clipping clipping_;
  Buffer squared_norms_, factors_, row_factors_;
  std::vector<uint8_t> erased_;
  SampleRows rows_;
  std::span<const int32_t> rows_known_for_;
};

}  // namespace graphveil::nn
