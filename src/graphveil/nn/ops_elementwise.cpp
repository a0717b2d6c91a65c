#include "graphveil/nn/ops_elementwise.h"

#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/grain.h"

namespace graphveil::nn {
namespace {

void require_same_shape(Var x, Var y) {
  require(x.rows() == y.rows() && x.cols() == y.cols(), "shapes differ: {} x {} and {} x {}", x.rows(), x.cols(),
          y.rows(), y.cols());
}

// Sums of samples add up and scale like rows do: both are linear.
bool trace_sums(Tape& tape, Var out, std::initializer_list<Var> inputs) {
  for (const Var& x : inputs) {
    if (tape.scope(x) != SampleScope::Sum) return false;
  }
  tape.set_sum_of_samples(out);
  return true;
}

// y = a + b:  da = g,  db = g.
struct Add final : Operation {
  Var a, b;
  std::string_view name() const override { return "add"; }
  bool shares_rows() const override { return true; }
  static Var apply(Var a, Var b) {
    require_same_shape(a, b);
    Add& op = a.tape->record<Add>();
    op.a = a;
    op.b = b;
    kernels::add(a.value(), b.value(), op.allocate(a.rows(), a.cols()));
    return op.finish({a, b});
  }
  void backward() override {
    tape().accumulate(a, [&](MatrixView da) { kernels::copy(output_gradient(), da); });
    tape().give_gradient(b, spent_gradient());
  }
  void trace_samples() override {
    if (!trace_sums(tape(), output(), {a, b})) tape().trace_rowwise(output(), {a, b});
  }
};

// y = a b:  da = g b,  db = g a.
struct Multiply final : Operation {
  Var a, b;
  std::string_view name() const override { return "multiply"; }
  bool shares_rows() const override { return true; }
  static Var apply(Var a, Var b) {
    require_same_shape(a, b);
    Multiply& op = a.tape->record<Multiply>();
    op.a = a;
    op.b = b;
    kernels::multiply(a.value(), b.value(), op.allocate(a.rows(), a.cols()));
    return op.finish({a, b});
  }
  void backward() override {
    tape().accumulate(a, [&](MatrixView da) { kernels::multiply(output_gradient(), b.value(), da); });
    tape().accumulate(b, [&](MatrixView db) { kernels::multiply(output_gradient(), a.value(), db); });
  }
  void trace_samples() override { tape().trace_rowwise(output(), {a, b}); }
};

// y = alpha x:  dx = alpha g.
struct Scale final : Operation {
  Var x;
  Real alpha = 1;
  std::string_view name() const override { return "scale"; }
  bool shares_rows() const override { return true; }
  static Var apply(Var x, Real alpha) {
    Scale& op = x.tape->record<Scale>();
    op.x = x;
    op.alpha = alpha;
    kernels::scale(alpha, x.value(), op.allocate(x.rows(), x.cols()));
    return op.finish({x});
  }
  void backward() override {
    tape().accumulate(x, [&](MatrixView dx) { kernels::scale(alpha, output_gradient(), dx); });
  }
  void trace_samples() override {
    if (!trace_sums(tape(), output(), {x})) tape().trace_rowwise(output(), {x});
  }
};

// Dropout: y = x m / (1 - p) with a random 0/1 mask m;  dx = g m / (1 - p).
struct Dropout final : Operation {
  Var x;
  uint16_t threshold = 0;
  Real keep_scale = 1;
  std::vector<uint16_t> words;  // entry i is dropped when words[i] < threshold
  std::string_view name() const override { return "dropout"; }
  bool shares_rows() const override { return true; }
  static Var apply(Var x, double probability) {
    require(probability >= 0 && probability < 1, "dropout probability is {}, want 0 to below 1", probability);
    if (probability == 0 || !x.tape->training()) return x;
    Dropout& op = x.tape->record<Dropout>();
    op.x = x;
    op.threshold = static_cast<uint16_t>(probability * 65536);
    op.keep_scale = 1 / (1 - static_cast<Real>(op.threshold) / 65536);
    op.words.resize(static_cast<size_t>(x.value().size()));
    x.tape->draw_rows(op.words, x.tape->per_sample() ? x.tape->owners(x) : std::span<const int32_t>(),
                      [&](int64_t) { return static_cast<size_t>(x.cols()); });
    op.mask(x.value(), op.allocate(x.rows(), x.cols()));
    return op.finish({x});
  }
  void mask(ConstMatrixView in, MatrixView out) const {
    using Bits = std::conditional_t<sizeof(Real) == 4, uint32_t, uint64_t>;
    const Bits limit = threshold;
    const Real by = keep_scale;
    parallel_for(in.rows, kernels::rows_per_piece(in.cols), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const uint16_t* word = words.data() + r * in.cols;
        const std::span<const Real> from = in.row(r);
        const std::span<Real> to = out.row(r);
        // By a mask of bits: half of the branches on random words would be guessed wrong.
        for (size_t c = 0; c < to.size(); ++c) {
          const Bits kept = word[c] < limit ? Bits{0} : ~Bits{0};
          to[c] = std::bit_cast<Real>(std::bit_cast<Bits>(by * from[c]) & kept);
        }
      }
    });
  }
  void backward() override {
    tape().accumulate(x, [&](MatrixView dx) { mask(output_gradient(), dx); });
  }
  void trace_samples() override { tape().trace_rowwise(output(), {x}); }
};

// y = f(x):  dx = g f'(x), where f' is known from y.
struct Activate final : Operation {
  Var x;
  Activation kind = Activation::Relu;
  std::string_view name() const override { return "activation"; }
  bool shares_rows() const override { return true; }
  static Var apply(Var x, Activation kind) {
    Activate& op = x.tape->record<Activate>();
    op.x = x;
    op.kind = kind;
    kernels::activate(kind, x.value(), op.allocate(x.rows(), x.cols()));
    return op.finish({x});
  }
  void backward() override {
    tape().accumulate(
        x, [&](MatrixView dx) { kernels::activate_backward(kind, output().value(), output_gradient(), dx); });
  }
  void trace_samples() override { tape().trace_rowwise(output(), {x}); }
};

}  // namespace

Var add(Var x, Var y) { return Add::apply(x, y); }
Var multiply(Var x, Var y) { return Multiply::apply(x, y); }
Var scale(Var x, Real alpha) { return Scale::apply(x, alpha); }
Var dropout(Var x, double probability) { return Dropout::apply(x, probability); }
Var activate(Var x, Activation kind) { return Activate::apply(x, kind); }

}  // namespace graphveil::nn
