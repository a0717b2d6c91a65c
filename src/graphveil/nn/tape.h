// Reverse-mode differentiation. A step runs the operations, which record themselves; backward walks them in
// reverse. The k-th operation of a step reuses the memory of the k-th operation of the step before, so a
// repeated step allocates nothing once its largest shapes have been seen.
//
//   tape.start();
//   Var loss = cross_entropy(model(tape.input(x)), labels);
//   parameters.zero_gradients();
//   tape.backward(loss);
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "graphveil/base/random.h"
#include "graphveil/base/shared_rows.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/into.h"
#include "graphveil/nn/buffer.h"
#include "graphveil/nn/operation.h"
#include "graphveil/nn/parameters.h"

namespace graphveil::nn {

// Whose data a value holds, in a per-sample step.
enum class SampleScope {
  Shared,  // nobody's: parameters and public constants
  Rows,    // row r belongs to sample owners[r]
  Sum,     // 1 x 1: a sum of terms of one sample each
};

class Tape {
 public:
  enum class Mode { Train, Evaluate, RowsApart };

  // The seed is for dropout alone.
  explicit Tape(const Seed& seed);
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  // Starts a step: forgets all values, keeps the memory. Evaluate keeps no gradients and drops nothing out. RowsApart
  // is Evaluate where each row of a product is the same bits whatever the other rows are (nn/row_products.h), as in a
  // per-sample step: who asks about one node of many, or has a part of them, hears the same.
  void start(Mode mode = Mode::Train);
  // Starts a training step over rows that ranks share out: every rank has the same parameters, its own rows, and after
  // backward the gradient of all, bit for bit as one process has it. Operations without a rule for that throw
  // Unsupported. `rows` must outlive the step.
  void start_shared(const SharedRows& rows);
  // Starts a training step in which every row knows its sample, for clipping (nn/clipped_gradient.h).
  // Operations that would mix samples, or have no per-sample rule, throw Unsupported. Sample s has the public number
  // names[s], or s where there are no names: what dropout does to it follows from the seed, the step, that number and
  // its own rows, so it is the same whoever else is drawn. `names` must outlive the step.
  void start_per_sample(int64_t samples, std::span<const int32_t> names = {}, int64_t step = 0);

  // Data, not differentiated; must outlive the step. In a per-sample step row r belongs to sample owners[r],
  // or to sample r when owners is empty.
  Var input(ConstMatrixView rows, std::span<const int32_t> owners = {});
  // These rows of `matrix`, copied into memory of the tape.
  Var input_rows(ConstMatrixView matrix, std::span<const int32_t> rows, std::span<const int32_t> owners = {});
  // A public constant: a frozen weight, say. In a per-sample step it must not depend on private records.
  Var constant(ConstMatrixView value);
  // The parameter itself; in a plain step its gradient is added to parameters.gradient(id).
  Var parameter(Parameters& parameters, ParameterId id);

  // Gradients of `loss` (1 x 1) in everything recorded. In a per-sample step the parameters get none here.
  void backward(Var loss);

  bool training() const { return mode_ == Mode::Train; }
  bool per_sample() const { return samples_ >= 0; }
  const SharedRows* shared_rows() const { return shared_rows_; }  // of this step; null: all rows are here
  int64_t all_rows(int64_t rows) const { return shared_rows_ != nullptr ? shared_rows_->all() : rows; }
  bool rows_apart() const { return per_sample() || mode_ == Mode::RowsApart; }
  int64_t samples() const { return samples_; }
  // 0, 1, ..., samples - 1: the owners when every sample has one row.
  std::span<const int32_t> identity_owners() const { return identity_; }

  // Uniform 16-bit words for dropout. The count of draws is state: save it and set it to resume a run.
  void draw(std::span<uint16_t> out);
  // The same for rows, row r having words_of(r) of them: in a per-sample step those of the samples that own the rows,
  // in a shared one (every row having as many) those of their places among all.
  template <typename WordsOf>
  void draw_rows(std::span<uint16_t> out, std::span<const int32_t> owners, WordsOf&& words_of);
  uint64_t draws() const { return draws_; }
  void set_draws(uint64_t draws) { draws_ = draws; }

  // What operations use.
  template <typename Op>
  Op& record();
  ConstMatrixView value(int32_t index) const { return slot(index).value; }
  ConstMatrixView gradient(int32_t index) const;
  bool needs_gradient(Var x) const { return slot(x.index).needs_gradient; }
  // Makes what `write` computes part of the gradient of x; does nothing when x needs none. Either write(dx),
  // which overwrites all of dx, or write(dx, into), which overwrites or adds as told.
  template <typename Write>
  void accumulate(Var x, Write&& write);
  // Makes `part`, a window of a gradient that nobody reads any more, part of the gradient of x: as its memory where x
  // has none yet.
  void give_gradient(Var x, MatrixView part);
  Buffer& scratch() { return scratch_; }

  // Per-sample rules. `claim` takes the one use of a parameter that a per-sample step allows (a public
  // constant passes) and returns whether it is a parameter.
  SampleScope scope(Var x) const { return slot(x.index).scope; }
  std::span<const int32_t> owners(Var x) const;  // throws Unsupported unless the scope is Rows
  bool claim(Var parameter);
  int32_t group(Var parameter) const { return slot(parameter.index).set->info(slot(parameter.index).id).group; }
  // The set that a parameter is in, and which of them it is.
  const Parameters& parameter_set(Var parameter) const { return *slot(parameter.index).set; }
  ParameterId parameter_id(Var parameter) const { return slot(parameter.index).id; }
  void set_owners(Var x, std::span<const int32_t> owners);
  // Throws Unsupported unless all have the same owners.
  void require_same_owners(std::initializer_list<Var> inputs) const;
  // Requires that, and gives `out` the same owners.
  void trace_rowwise(Var out, std::initializer_list<Var> inputs);
  void set_sum_of_samples(Var x) { slot(x.index).scope = SampleScope::Sum; }

  // The operations with parameters whose output has a gradient, for clipping.
  template <typename Visit>
  void for_each_parameter_operation(Visit&& visit);
  // Zeroes, in values and gradients, every row of the samples marked: a row that is not finite would survive
  // a factor of zero.
  void erase_samples(std::span<const uint8_t> marked);

 private:
  friend class Operation;
  struct Slot {
    std::unique_ptr<Operation> operation;
    bool is_operation = false;
    ConstMatrixView value;
    MatrixView gradient;
    Buffer value_memory;
    Buffer gradient_memory;
    bool needs_gradient = false;
    bool has_gradient = false;
    bool is_parameter = false;
    bool claimed = false;
    const Parameters* set = nullptr;  // of a parameter
    ParameterId id = 0;
    SampleScope scope = SampleScope::Shared;
    std::span<const int32_t> owners;
  };
  Slot& slot(int32_t index) { return *slots_[static_cast<size_t>(index)]; }
  const Slot& slot(int32_t index) const { return *slots_[static_cast<size_t>(index)]; }
  int32_t next_slot();
  Var leaf(ConstMatrixView value);
  Var owned_by(Var x, std::span<const int32_t> owners);

  std::vector<std::unique_ptr<Slot>> slots_;
  int32_t used_ = 0;
  Mode mode_ = Mode::Train;
  int64_t samples_ = -1;  // -1: a plain step
  const SharedRows* shared_rows_ = nullptr;
  std::span<const int32_t> names_;
  int64_t step_ = 0;
  uint64_t step_draws_ = 0;              // operations of this per-sample step that drew
  std::vector<int64_t> rows_of_sample_;  // so far, of such an operation
  void seek_row(int32_t owner);
  std::vector<int32_t> identity_;
  std::vector<const Real*> parameters_seen_;  // per-sample step: each parameter enters once
  Buffer scratch_;
  RandomStream random_;
  uint64_t draws_ = 0;
};

template <typename Op>
Op& Tape::record() {
  const int32_t index = next_slot();
  Slot& s = slot(index);
  if (!s.operation || typeid(*s.operation) != typeid(Op)) s.operation = std::make_unique<Op>();
  s.is_operation = true;
  s.operation->tape_ = this;
  s.operation->index_ = index;
  return static_cast<Op&>(*s.operation);
}

template <typename WordsOf>
void Tape::draw_rows(std::span<uint16_t> out, std::span<const int32_t> owners, WordsOf&& words_of) {
  if (!per_sample()) return draw(out);
  rows_of_sample_.assign(static_cast<size_t>(samples_), 0);
  size_t drawn = 0;
  for (size_t r = 0; r < owners.size(); ++r) {
    const std::span<uint16_t> row = out.subspan(drawn, words_of(static_cast<int64_t>(r)));
    seek_row(owners[r]);
    random_.fill({reinterpret_cast<uint8_t*>(row.data()), row.size_bytes()});
    drawn += row.size();
  }
  ++step_draws_;
}

template <typename Write>
void Tape::accumulate(Var x, Write&& write) {
  Slot& s = slot(x.index);
  if (!s.needs_gradient) return;
  const bool first = !s.has_gradient;
  if (first) s.gradient = s.gradient_memory.resize(s.value.rows, s.value.cols);
  s.has_gradient = true;
  if constexpr (std::is_invocable_v<Write, MatrixView, kernels::Into>) {
    write(s.gradient, first ? kernels::Into::Overwrite : kernels::Into::Add);
  } else if (first) {
    write(s.gradient);
  } else {
    const MatrixView part = scratch_.resize(s.value.rows, s.value.cols);
    write(part);
    kernels::axpy(1, part, s.gradient);
  }
}

template <typename Visit>
void Tape::for_each_parameter_operation(Visit&& visit) {
  for (int32_t i = 0; i < used_; ++i) {
    Slot& s = slot(i);
    if (s.is_operation && s.has_gradient && s.operation->has_parameters()) visit(*s.operation);
  }
}

}  // namespace graphveil::nn
