#include "graphveil/nn/clipped_gradient.h"

#include <algorithm>
#include <utility>

#include "graphveil/kernels/elementwise.h"

namespace graphveil::nn {

ClippedGradient::ClippedGradient(Parameters& parameters, bound::Clipping clipping)
    : parameters_(parameters), clipping_(std::move(clipping)) {
  bound::check(clipping_);
  require(clipping_.groups() == 1 || clipping_.groups() == parameters.groups(),
          "{} clip norms for {} groups of parameters", clipping_.groups(), parameters.groups());
}

void ClippedGradient::start() { parameters_.zero_gradients(); }

void ClippedGradient::add(Var loss) {
  Tape& tape = *loss.tape;
  require(tape.per_sample(), "clipping needs a tape started with start_per_sample");
  if (tape.samples() == 0) return;
  tape.backward(loss);
  measure(tape);
  weigh(tape);
}

bound::Bounded<bound::GradientSum> ClippedGradient::finish(const bound::SampleDraw& draw, bound::Relation relation) {
  const Matrix sum = parameters_.take_gradients();
  return bound::clipped_sum({sum.data(), sum.data() + sum.size()}, clipping_, draw, relation);
}

void ClippedGradient::undo_relative(Matrix& released) const {
  if (!clipping_.relative) return;
  for (ParameterId id = 0; id < parameters_.count(); ++id) {
    const ParameterInfo& info = parameters_.info(id);
    const size_t group = clipping_.groups() == 1 ? 0 : static_cast<size_t>(info.group);
    const auto unit = static_cast<Real>(clipping_.max_norms[group]);
    for (Real& g : std::span(released.data() + info.offset, static_cast<size_t>(info.size()))) g *= unit;
  }
}

// squared_norms(s, l) = sum over the operations of group l of the squared norm of sample s's gradient.
void ClippedGradient::measure(Tape& tape) {
  const MatrixView squared = squared_norms_.resize(tape.samples(), clipping_.groups());
  kernels::fill(squared, 0);
  rows_known_for_ = {};
  tape.for_each_parameter_operation([&](Operation& operation) {
    operation.add_squared_norms(rows_of(tape, operation.output()), squared.columns(group_of(operation), 1));
  });
}

// Scales every row's share by its sample's factor; the parameters' gradients of that are the clipped sum.
void ClippedGradient::weigh(Tape& tape) {
  const MatrixView factors = factors_.resize(tape.samples(), clipping_.groups());
  bound::clip_factors(clipping_, squared_norms_.view(), factors);
  erased_.assign(static_cast<size_t>(tape.samples()), 0);
  bool any_erased = false;
  for (int64_t s = 0; s < tape.samples(); ++s) {
    if (factors(s, 0) == 0) erased_[static_cast<size_t>(s)] = any_erased = true;
  }
  if (any_erased) tape.erase_samples(erased_);
  tape.for_each_parameter_operation([&](Operation& operation) {
    const std::span<const int32_t> owners = tape.owners(operation.output());
    const int64_t group = group_of(operation);
    const std::span<Real> row_factors = row_factors_.resize(static_cast<int64_t>(owners.size()));
    for (size_t r = 0; r < owners.size(); ++r) row_factors[r] = factors(owners[r], group);
    operation.scale_rows(row_factors);
    operation.parameter_backward();
  });
}

int64_t ClippedGradient::group_of(const Operation& operation) const {
  if (clipping_.groups() == 1) return 0;
  require(operation.parameter_group() < clipping_.groups(), "parameters outside the clipped set are in use");
  return operation.parameter_group();
}

// Operations in a row mostly share their owners, so the grouping is kept while it fits.
const SampleRows& ClippedGradient::rows_of(Tape& tape, Var output) {
  const std::span<const int32_t> owners = tape.owners(output);
  if (owners.data() != rows_known_for_.data() || owners.size() != rows_known_for_.size()) {
    rows_.assign(owners, tape.samples());
    rows_known_for_ = owners;
  }
  return rows_;
}

}  // namespace graphveil::nn
