#include "graphveil/nn/ops_normalize.h"

#include <cmath>
#include <optional>
#include <vector>

#include "graphveil/kernels/batch_norm.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/softmax.h"

namespace graphveil::nn {
namespace {

// y = x / |x|:  dx = (g - y <y, g>) / |x|.
struct NormalizeRows final : Operation {
  Var x;
  Buffer norms;
  std::string_view name() const override { return "normalize_rows"; }
  bool shares_rows() const override { return true; }
  static Var apply(Var x) {
    auto& op = x.tape->record<NormalizeRows>();
    op.x = x;
    kernels::normalize_rows(x.value(), op.allocate(x.rows(), x.cols()), op.norms.resize(x.rows()));
    return op.finish({x});
  }
  void backward() override {
    tape().accumulate(x, [&](MatrixView dx) {
      kernels::normalize_rows_backward(output().value(), norms.values(), output_gradient(), dx);
    });
  }
  void trace_samples() override { tape().trace_rowwise(output(), {x}); }
};

// Whether row r is sample r's by construction. The kernel takes narrow rows several at a time, and those left over one
// by one, in another order of sums: so where samples have rows in any number, each row goes alone.
bool places_are_fixed(Var x) {
  const Tape& tape = *x.tape;
  return !tape.per_sample() || tape.owners(x).data() == tape.identity_owners().data();
}

// y = softmax(x):  dx = y (g - <y, g>).
struct Softmax final : Operation {
  Var x;
  std::string_view name() const override { return "softmax"; }
  bool shares_rows() const override { return true; }
  static Var apply(Var x) {
    auto& op = x.tape->record<Softmax>();
    op.x = x;
    const MatrixView y = op.allocate(x.rows(), x.cols());
    if (places_are_fixed(x)) {
      kernels::softmax(x.value(), y);
    } else {
      for (int64_t r = 0; r < x.rows(); ++r) kernels::softmax(x.value().rows_at(r, 1), y.rows_at(r, 1));
    }
    return op.finish({x});
  }
  void backward() override {
    tape().accumulate(x, [&](MatrixView dx) { kernels::softmax_backward(output().value(), output_gradient(), dx); });
  }
  void trace_samples() override { tape().trace_rowwise(output(), {x}); }
};

// y = log softmax(x):  dx = g - softmax(x) sum(g).
struct LogSoftmax final : Operation {
  Var x;
  std::string_view name() const override { return "log_softmax"; }
  bool shares_rows() const override { return true; }
  static Var apply(Var x) {
    auto& op = x.tape->record<LogSoftmax>();
    op.x = x;
    kernels::log_softmax(x.value(), op.allocate(x.rows(), x.cols()));
    return op.finish({x});
  }
  void backward() override {
    tape().accumulate(x,
                      [&](MatrixView dx) { kernels::log_softmax_backward(output().value(), output_gradient(), dx); });
  }
  void trace_samples() override { tape().trace_rowwise(output(), {x}); }
};

// z = (x - mean) / sqrt(variance + epsilon), y = gamma z + beta. With n rows,
//   dbeta = sum g,  dgamma = sum g z,  dx = gamma / sqrt(variance + epsilon) (g - mean(g) - z mean(g z))
// in training; in evaluation the statistics are constants and dx loses the two means.
struct BatchNormOperation final : Operation {
  Var x, gamma, beta;
  std::optional<Activation> activation;  // of y, which is then the activation's
  bool batch_statistics = true;
  std::vector<double> mean, variance;
  Buffer center, inverse_stddev;  // 1 x columns: the mean as the kernels take it
  Buffer sums;                    // 2 x columns: sum g, sum g z
  Buffer before;                  // the gradient before the activation, where x has none to hold it
  std::string_view name() const override { return "batch_norm"; }
  bool shares_rows() const override { return true; }

  static Var apply(Var x, Var gamma, Var beta, BatchNormState& state, std::optional<Activation> activation,
                   Real momentum, Real epsilon) {
    const int64_t columns = x.cols();
    require(gamma.rows() == 1 && gamma.cols() == columns && beta.rows() == 1 && beta.cols() == columns &&
                state.mean.cols() == columns,
            "batch normalization of {} columns has parameters of another width", columns);
    auto& op = x.tape->record<BatchNormOperation>();
    op.x = x;
    op.gamma = gamma;
    op.beta = beta;
    op.activation = activation;
    op.batch_statistics = x.tape->training();
    const int64_t rows = x.tape->all_rows(x.rows());
    require(!op.batch_statistics || rows >= 2, "batch normalization wants at least 2 rows, not {}", rows);
    const MatrixView y = op.allocate(x.rows(), columns);
    const std::span<Real> center = op.center.resize(columns), scale = op.inverse_stddev.resize(columns);
    std::vector<double>& mean = op.mean;
    std::vector<double>& variance = op.variance;
    mean.assign(state.mean.values().begin(), state.mean.values().end());
    variance.assign(state.variance.values().begin(), state.variance.values().end());
    if (op.batch_statistics) {
      kernels::column_moments(x.value(), mean, variance, x.tape->shared_rows());
      const double to_unbiased = static_cast<double>(rows) / static_cast<double>(rows - 1);
      for (int64_t c = 0; c < columns; ++c) {
        state.mean(0, c) += momentum * static_cast<Real>(mean[c] - state.mean(0, c));
        state.variance(0, c) += momentum * static_cast<Real>(variance[c] * to_unbiased - state.variance(0, c));
      }
    }
    for (int64_t c = 0; c < columns; ++c) {
      center[c] = static_cast<Real>(mean[c]);
      scale[c] = static_cast<Real>(1 / std::sqrt(variance[c] + epsilon));
    }
    kernels::batch_normalize(x.value(), op.columns(), activation, y);
    return op.finish({x, gamma, beta});
  }

  kernels::BatchNormColumns columns() {
    return {center.values(), inverse_stddev.values(), gamma.value().row(0), beta.value().row(0)};
  }

  void backward() override {
    const ConstMatrixView g = output_gradient();
    const MatrixView sum = sums.resize(2, g.cols);
    const auto add_up = [&](MatrixView memory) {
      std::optional<kernels::Activated> activated;
      if (activation) activated = {*activation, output().value(), memory};
      kernels::batch_norm_sums(g, x.value(), columns(), activated, sum.row(0), sum.row(1), tape().shared_rows());
      return activation ? ConstMatrixView(memory) : g;
    };
    if (tape().needs_gradient(x)) {
      tape().accumulate(x, [&](MatrixView dx) {
        const ConstMatrixView in_y = add_up(dx);
        const Real share = batch_statistics ? 1 / static_cast<Real>(tape().all_rows(g.rows)) : Real(0);
        kernels::batch_norm_backward(in_y, x.value(), columns(), sum.row(0), sum.row(1), share, dx);
      });
    } else {
      add_up(before.resize(g.rows, g.cols));
    }
    tape().accumulate(beta, [&](MatrixView d) { kernels::copy(sum.rows_at(0, 1), d); });
    tape().accumulate(gamma, [&](MatrixView d) { kernels::copy(sum.rows_at(1, 1), d); });
  }
  void trace_samples() override {
    fail(ErrorKind::Unsupported, "batch normalization mixes samples, so DP-SGD cannot bound one sample's influence");
  }
};

}  // namespace

BatchNormState::BatchNormState(int64_t columns) {
  require(columns >= 1 && columns <= INT32_MAX, "{} columns, want at least 1", columns);
  mean = Matrix(1, columns);
  variance = Matrix(1, columns);
  kernels::fill(variance, 1);
}

Var normalize_rows(Var x) { return NormalizeRows::apply(x); }
Var softmax(Var x) { return Softmax::apply(x); }
Var log_softmax(Var x) { return LogSoftmax::apply(x); }
Var batch_norm(Var x, Var gamma, Var beta, BatchNormState& state, std::optional<Activation> activation, Real momentum,
               Real epsilon) {
  return BatchNormOperation::apply(x, gamma, beta, state, activation, momentum, epsilon);
}

}  // namespace graphveil::nn
