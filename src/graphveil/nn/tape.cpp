#include "graphveil/nn/tape.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "graphveil/base/error.h"
#include "graphveil/kernels/rows.h"

namespace graphveil::nn {

ConstMatrixView Var::value() const { return tape->value(index); }
ConstMatrixView Var::gradient() const { return tape->gradient(index); }

void Operation::trace_samples() {
  fail(ErrorKind::Unsupported, "'{}' has no per-sample rule, so it cannot be used in DP-SGD", name());
}

void Operation::add_norms(const SampleRows&, const SampleNorms&) {
  fail(ErrorKind::Internal, "'{}' has parameters but no norm rule", name());
}

void Operation::add_sums(const WeightedRows&, const ClippedSums&) {
  fail(ErrorKind::Internal, "'{}' has parameters but no rule to sum them", name());
}

void Operation::scale_rows(std::span<const Real> factors) {
  const MatrixView g = tape_->slot(index_).gradient;
  kernels::scale_rows(g, factors, g);
}

MatrixView Operation::allocate(int64_t rows, int64_t cols) {
  Tape::Slot& s = tape_->slot(index_);
  const MatrixView value = s.value_memory.resize(rows, cols);
  s.value = value;
  return value;
}

MatrixView Operation::take_over(Var x) {
  Tape::Slot& from = tape_->slot(x.index);
  require(from.is_operation && from.value.data == from.value_memory.view().data,
          "'{}' takes over a value that is not an operation's own", name());
  const MatrixView value = from.value_memory.view();
  tape_->slot(index_).value = value;
  return value;
}

Var Operation::finish(std::span<const Var> inputs) {
  Tape::Slot& s = tape_->slot(index_);
  for (const Var& input : inputs) {
    require(input.tape == tape_, "operation '{}' has an input from another tape", name());
    s.needs_gradient = s.needs_gradient || tape_->needs_gradient(input);
  }
  if (tape_->shared_rows() != nullptr && !shares_rows()) {
    fail(ErrorKind::Unsupported, "'{}' has no rule for rows that ranks share out", name());
  }
  if (tape_->per_sample()) trace_samples();
  return output();
}

ConstMatrixView Operation::output_gradient() const { return tape_->gradient(index_); }
MatrixView Operation::spent_gradient() { return tape_->slot(index_).gradient; }

Tape::Tape(const Seed& seed) : random_(seed, "dropout") {}

void Tape::start(Mode mode) {
  used_ = 0;
  mode_ = mode;
  samples_ = -1;
  shared_rows_ = nullptr;
}

void Tape::start_shared(const SharedRows& rows) {
  start(Mode::Train);
  shared_rows_ = &rows;
}

void Tape::start_per_sample(int64_t samples, std::span<const int32_t> names, int64_t step) {
  require(samples >= 0 && samples <= INT32_MAX, "number of samples is {}, want 0 to 2^31 - 1", samples);
  start(Mode::Train);
  require(names.empty() || static_cast<int64_t>(names.size()) == samples, "{} samples have {} names", samples,
          names.size());
  samples_ = samples;
  names_ = names;
  step_ = step;
  step_draws_ = 0;
  const auto known = static_cast<int64_t>(identity_.size());
  if (known < samples) {
    identity_.resize(static_cast<size_t>(samples));
    std::iota(identity_.begin() + known, identity_.end(), static_cast<int32_t>(known));
  }
  parameters_seen_.clear();
}

int32_t Tape::next_slot() {
  if (used_ == static_cast<int32_t>(slots_.size())) slots_.push_back(std::make_unique<Slot>());
  Slot& s = slot(used_);
  s.is_operation = s.needs_gradient = s.has_gradient = s.is_parameter = s.claimed = false;
  s.value = {};
  s.gradient = {};
  s.scope = SampleScope::Shared;
  s.owners = {};
  return used_++;
}

Var Tape::leaf(ConstMatrixView value) {
  const int32_t index = next_slot();
  slot(index).value = value;
  return {this, index};
}

Var Tape::input(ConstMatrixView rows, std::span<const int32_t> owners) { return owned_by(leaf(rows), owners); }

Var Tape::input_rows(ConstMatrixView matrix, std::span<const int32_t> rows, std::span<const int32_t> owners) {
  const int32_t index = next_slot();
  const MatrixView copy = slot(index).value_memory.resize(static_cast<int64_t>(rows.size()), matrix.cols);
  kernels::gather_rows(matrix, rows, copy);
  slot(index).value = copy;
  return owned_by({this, index}, owners);
}

// An input, of which row r belongs to sample owners[r], or to sample r when there are none.
Var Tape::owned_by(Var x, std::span<const int32_t> owners) {
  if (!per_sample()) return x;
  if (owners.empty()) {
    require(x.rows() == samples_, "input has {} rows for {} samples; say which row belongs to which", x.rows(),
            samples_);
    owners = std::span<const int32_t>(identity_).first(static_cast<size_t>(samples_));
  }
  set_owners(x, owners);
  return x;
}

Var Tape::constant(ConstMatrixView value) { return leaf(value); }

Var Tape::parameter(Parameters& parameters, ParameterId id) {
  const Var x = leaf(parameters.value(id));
  if (parameters.frozen()) return x;
  if (per_sample()) {
    const Real* address = x.value().data;
    if (std::find(parameters_seen_.begin(), parameters_seen_.end(), address) != parameters_seen_.end()) {
      fail(ErrorKind::Unsupported, "parameter '{}' is used twice; per-sample norms need one use each",
           parameters.info(id).name);
    }
    parameters_seen_.push_back(address);
  }
  Slot& s = slot(x.index);
  s.is_parameter = true;
  s.set = &parameters;
  s.id = id;
  if (training()) {
    s.needs_gradient = true;
    // In a per-sample step nothing but clipped sums may hold it.
    s.has_gradient = !per_sample();
    if (s.has_gradient) s.gradient = parameters.gradient(id);
  }
  return x;
}

void Tape::give_gradient(Var x, MatrixView part) {
  Slot& s = slot(x.index);
  if (!s.needs_gradient) return;
  if (s.has_gradient) {
    kernels::axpy(1, part, s.gradient);
  } else {
    s.gradient = part;
    s.has_gradient = true;
  }
}

ConstMatrixView Tape::gradient(int32_t index) const {
  const Slot& s = slot(index);
  return s.has_gradient ? ConstMatrixView(s.gradient) : ConstMatrixView();
}

void Tape::backward(Var loss) {
  require(loss.tape == this && loss.index < used_, "the loss is not a value of this step");
  require(loss.rows() == 1 && loss.cols() == 1, "the loss is {} x {}, want 1 x 1", loss.rows(), loss.cols());
  require(training(), "backward needs a training step");
  if (per_sample() && scope(loss) != SampleScope::Sum) {
    fail(ErrorKind::Unsupported, "the loss of a per-sample step is not a sum over samples");
  }
  accumulate(loss, [](MatrixView g) { g(0, 0) = 1; });
  for (int32_t i = loss.index; i >= 0; --i) {
    Slot& s = slot(i);
    if (!s.is_operation || !s.has_gradient) continue;
    s.operation->backward();
    if (!per_sample() && s.operation->has_parameters()) s.operation->parameter_backward();
  }
}

void Tape::draw(std::span<uint16_t> out) {
  random_.seek(draws_++);
  if (shared_rows_ != nullptr && shared_rows_->own() > 0) {
    // What the rows before take.
    constexpr int64_t kBlockWords = 8;
    const int64_t before = std::ssize(out) / shared_rows_->own() * shared_rows_->first();
    random_.seek_block(static_cast<uint64_t>(before / kBlockWords));
    std::array<uint16_t, kBlockWords> rest{};
    random_.fill(
        {reinterpret_cast<uint8_t*>(rest.data()), static_cast<size_t>(before % kBlockWords) * sizeof(rest[0])});
  }
  random_.fill({reinterpret_cast<uint8_t*>(out.data()), out.size_bytes()});
}

// Stream (step, operation), upper half so that plain draws never meet it; in it sample `name` has 2^32 blocks, each of
// its rows 2^17 of them: a million words.
void Tape::seek_row(int32_t owner) {
  constexpr int kRowBits = 17, kSampleBits = 32, kOperationBits = 16;
  constexpr uint64_t kNamed = uint64_t{1} << 63;
  const auto name = static_cast<uint64_t>(names_.empty() ? owner : names_[static_cast<size_t>(owner)]);
  const auto row = static_cast<uint64_t>(rows_of_sample_[static_cast<size_t>(owner)]++);
  if (row >> (kSampleBits - kRowBits) != 0 || step_draws_ >> kOperationBits != 0) {
    fail(ErrorKind::Unsupported, "a sample of more than {} rows has no dropout", 1 << (kSampleBits - kRowBits));
  }
  random_.seek(kNamed | static_cast<uint64_t>(step_) << kOperationBits | step_draws_);
  random_.seek_block(name << kSampleBits | row << kRowBits);
}

std::span<const int32_t> Tape::owners(Var x) const {
  const Slot& s = slot(x.index);
  if (s.scope != SampleScope::Rows) {
    fail(ErrorKind::Unsupported,
         "a value shared by all samples is used where DP-SGD needs rows that belong to one sample each");
  }
  return s.owners;
}

bool Tape::claim(Var parameter) {
  Slot& s = slot(parameter.index);
  if (s.scope != SampleScope::Shared || s.is_operation) {
    fail(ErrorKind::Unsupported, "DP-SGD needs a parameter or a public constant here, not a computed value");
  }
  if (!s.is_parameter) return false;
  if (s.claimed) fail(ErrorKind::Unsupported, "a parameter is used twice; per-sample norms need one use each");
  s.claimed = true;
  return true;
}

void Tape::set_owners(Var x, std::span<const int32_t> owners) {
  Slot& s = slot(x.index);
  require(static_cast<int64_t>(owners.size()) == s.value.rows, "{} owners for {} rows", owners.size(), s.value.rows);
  // A span of our own identity is right by construction; anything else is checked.
  if (owners.data() != identity_.data()) {
    for (const int32_t owner : owners) {
      require(owner >= 0 && owner < samples_, "a row belongs to sample {}, want 0 to {}", owner, samples_ - 1);
    }
  }
  s.scope = SampleScope::Rows;
  s.owners = owners;
}

void Tape::require_same_owners(std::initializer_list<Var> inputs) const {
  const std::span<const int32_t> first = owners(*inputs.begin());
  for (const Var& input : inputs) {
    const std::span<const int32_t> other = owners(input);
    if (other.data() != first.data() && !std::equal(first.begin(), first.end(), other.begin(), other.end())) {
      fail(ErrorKind::Unsupported, "rows of different samples meet in one operation, which DP-SGD cannot clip");
    }
  }
}

void Tape::trace_rowwise(Var out, std::initializer_list<Var> inputs) {
  require_same_owners(inputs);
  slot(out.index).scope = SampleScope::Rows;
  slot(out.index).owners = slot(inputs.begin()->index).owners;
}

void Tape::erase_samples(std::span<const uint8_t> marked) {
  const auto erase = [](MatrixView m, int64_t row) { std::fill(m.row(row).begin(), m.row(row).end(), Real(0)); };
  for (int32_t i = 0; i < used_; ++i) {
    Slot& s = slot(i);
    if (s.scope != SampleScope::Rows) continue;
    if (!s.is_operation && s.value.data != s.value_memory.view().data) {  // the caller's memory: erase in a copy
      const MatrixView copy = s.value_memory.resize(s.value.rows, s.value.cols);
      for (int64_t r = 0; r < copy.rows; ++r) std::copy_n(s.value.row(r).data(), copy.cols, copy.row(r).data());
      s.value = copy;
    }
    for (int64_t r = 0; r < s.value.rows; ++r) {
      if (marked[static_cast<size_t>(s.owners[static_cast<size_t>(r)])] == 0) continue;
      erase(s.value_memory.view(), r);
      if (s.has_gradient) erase(s.gradient, r);
    }
  }
}

}  // namespace graphveil::nn
