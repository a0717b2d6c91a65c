// One differentiable operation on the tape. Each lives in an ops_*.cpp, where a free function computes the
// value and the struct beside it the derivative.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "graphveil/base/matrix.h"

namespace graphveil::nn {

class ClippedSums;
class Operation;
class SampleRows;
class Tape;
struct SampleNorms;
struct WeightedRows;

// A handle on a value of a tape; valid until the tape starts its next step.
struct Var {
  Tape* tape = nullptr;
  int32_t index = -1;

  int64_t rows() const { return value().rows; }
  int64_t cols() const { return value().cols; }
  ConstMatrixView value() const;
  // The gradient after backward; an empty view when nothing flowed here.
  ConstMatrixView gradient() const;
};

class Operation {
 public:
  virtual ~Operation() = default;
  virtual std::string_view name() const = 0;

  // Hands the gradient of the output on to the inputs. Parameters that have a per-sample rule are left to
  // parameter_backward.
  virtual void backward() = 0;

  // Whether it does right in a step of whose rows ranks have a part each (Tape::start_shared): each row by itself, or
  // summed over all of them.
  virtual bool shares_rows() const { return false; }

  // Per-sample training. Says to which sample each row of the output belongs, and throws Unsupported where
  // rows of different samples would mix. The default refuses: an operation without a rule cannot be used.
  virtual void trace_samples();

  // What an operation with parameters adds. The gradient of its parameters is linear in the rows of the
  // output's gradient, so scaling those rows by a factor per sample and then summing their shares gives the sum of the
  // scaled per-sample gradients: no second walk through the network.
  virtual bool has_parameters() const { return false; }
  // A plain step: adds the gradient of the parameters to them.
  virtual void parameter_backward() {}
  // A per-sample step: measures each sample's gradient of the parameters of this operation (nn/ghost_norm.h) ...
  virtual void add_norms(const SampleRows& samples, const SampleNorms& norms);
  // ... after which this multiplies the share of row r by factors[r] ...
  virtual void scale_rows(std::span<const Real> factors);
  // ... and this adds up the shares (nn/block_sums.h).
  virtual void add_sums(const WeightedRows& rows, const ClippedSums& sums);
  // The clipping group of the parameters.
  virtual int32_t parameter_group() const { return 0; }

  Var output() const { return {tape_, index_}; }
  Tape& tape() const { return *tape_; }

 protected:
  // Functions that record call these: the output's memory, and the end of recording.
  MatrixView allocate(int64_t rows, int64_t cols);
  // Makes the memory of x, an operation's output that nobody reads any more, the output's memory, as it is.
  MatrixView take_over(Var x);
  Var finish(std::span<const Var> inputs);
  Var finish(std::initializer_list<Var> inputs) { return finish(std::span(inputs.begin(), inputs.size())); }
  ConstMatrixView output_gradient() const;
  // The gradient, for an operation that hands its memory on.
  MatrixView spent_gradient();

 private:
  friend class Tape;
  Tape* tape_ = nullptr;
  int32_t index_ = -1;
};

}  // namespace graphveil::nn
