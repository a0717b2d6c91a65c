#include "graphveil/kernels/activation.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/isa/activation.h"
#include "graphveil/kernels/isa/levels.h"

namespace graphveil::kernels {
namespace {

constexpr int64_t kActivationRun = 8192;  // entries of a piece
constexpr Real kScale = Real(kSeluScale);
constexpr Real kScaleAlpha = Real(kSeluScale * kSeluAlpha);

// run(x, y, count) over runs of neighboring entries: a contiguous matrix counts as one long row.
template <typename Run>
void map_runs(ConstMatrixView x, MatrixView y, Run run) {
  assert(x.rows == y.rows && x.cols == y.cols);
  if (x.contiguous() && y.contiguous()) {
    return parallel_for(x.size(), kActivationRun,
                        [&](int64_t begin, int64_t end) { run(x.data + begin, y.data + begin, end - begin); });
  }
  parallel_for(x.rows, rows_per_piece(x.cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) run(x.data + r * x.stride, y.data + r * y.stride, x.cols);
  });
}

// y = op(x), entry by entry.
template <typename Op>
void map(ConstMatrixView x, MatrixView y, Op op) {
  map_runs(x, y, [&](const Real* in, Real* out, int64_t count) {
    for (int64_t i = 0; i < count; ++i) out[i] = op(in[i]);
  });
}

// run(y, g, dx, count) over runs of neighboring entries.
template <typename Run>
void backward_runs(ConstMatrixView y, ConstMatrixView g, MatrixView dx, Run run) {
  assert(y.rows == g.rows && y.cols == g.cols && y.rows == dx.rows && y.cols == dx.cols);
  if (y.contiguous() && g.contiguous() && dx.contiguous()) {
    return parallel_for(y.size(), kActivationRun, [&](int64_t begin, int64_t end) {
      run(y.data + begin, g.data + begin, dx.data + begin, end - begin);
    });
  }
  parallel_for(y.rows, rows_per_piece(y.cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      run(y.data + r * y.stride, g.data + r * g.stride, dx.data + r * dx.stride, y.cols);
    }
  });
}

// dx = g f'(y) with f' a smooth function of the value.
template <typename Op>
void smooth_backward(ConstMatrixView y, ConstMatrixView g, MatrixView dx, Op derivative) {
  backward_runs(y, g, dx, [&](const Real* value, const Real* gradient, Real* out, int64_t count) {
    for (int64_t i = 0; i < count; ++i) out[i] = gradient[i] * derivative(value[i]);
  });
}

}  // namespace

void activate(Activation kind, ConstMatrixView x, MatrixView y) {
  const isa::ActivationKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kActivation);
  switch (kind) {
    case Activation::Relu: return map(x, y, [](Real v) { return v > 0 ? v : Real(0); });
    case Activation::Selu:
      return map_runs(
          x, y, [&](const Real* in, Real* out, int64_t count) { kernels.elu(in, out, count, kScale, kScaleAlpha); });
    case Activation::Elu:
      return map_runs(x, y, [&](const Real* in, Real* out, int64_t count) { kernels.elu(in, out, count, 1, 1); });
    // Without a branch: nobody foresees the sign, and a wrong guess costs more than the product.
    case Activation::LeakyRelu: return map(x, y, [](Real v) { return std::max(v, kLeakySlope * v); });
    case Activation::Tanh: return map_runs(x, y, kernels.tanh);
    case Activation::Sigmoid: return map_runs(x, y, kernels.sigmoid);
  }
}

void activate_backward(Activation kind, ConstMatrixView y, ConstMatrixView g, MatrixView dx) {
  const isa::ActivationKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kActivation);
  const auto piecewise = [&](Real above, Real y_share, Real below) {
    backward_runs(y, g, dx, [&](const Real* value, const Real* gradient, Real* out, int64_t count) {
      kernels.piecewise_backward(value, gradient, out, count, above, y_share, below);
    });
  };
  switch (kind) {
    case Activation::Relu: return piecewise(1, 0, 0);
    // Below zero y = scale alpha (e^x - 1), so the derivative scale alpha e^x is y + scale alpha.
    case Activation::Selu: return piecewise(kScale, 1, kScaleAlpha);
    case Activation::Elu: return piecewise(1, 1, 1);
    case Activation::LeakyRelu: return piecewise(1, 0, kLeakySlope);
    case Activation::Tanh: return smooth_backward(y, g, dx, [](Real v) { return 1 - v * v; });
    case Activation::Sigmoid: return smooth_backward(y, g, dx, [](Real v) { return v * (1 - v); });
  }
}

void prelu(ConstMatrixView x, std::span<const Real> slopes, MatrixView y) {
  assert(x.rows == y.rows && x.cols == y.cols);
  assert(slopes.size() == 1 || static_cast<int64_t>(slopes.size()) == x.cols);
  const int64_t step = slopes.size() == 1 ? 0 : 1;
  parallel_for(x.rows, rows_per_piece(x.cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      for (int64_t c = 0; c < x.cols; ++c) {
        const Real v = x(r, c);
        y(r, c) = v > 0 ? v : slopes[c * step] * v;
      }
    }
  });
}

void prelu_backward(ConstMatrixView x, std::span<const Real> slopes, ConstMatrixView g, MatrixView dx,
                    std::span<Real> dslopes) {
  assert(x.rows == g.rows && x.cols == g.cols && x.rows == dx.rows && x.cols == dx.cols);
  assert(slopes.size() == dslopes.size());
  assert(slopes.size() == 1 || static_cast<int64_t>(slopes.size()) == x.cols);
  const int64_t step = slopes.size() == 1 ? 0 : 1;
  const int64_t width = static_cast<int64_t>(slopes.size());
  const int64_t grain = rows_per_piece(x.cols);
  // Each piece sums the slopes' gradient apart; the pieces are then added in their order.
  std::vector<double> partial(static_cast<size_t>((x.rows + grain - 1) / grain * width), 0.0);
  parallel_for(x.rows, grain, [&](int64_t begin, int64_t end) {
    double* sums = partial.data() + begin / grain * width;
    for (int64_t r = begin; r < end; ++r) {
      for (int64_t c = 0; c < x.cols; ++c) {
        const Real v = x(r, c);
        const Real gradient = g(r, c);
        if (!(v > 0)) sums[c * step] += static_cast<double>(gradient) * v;
        dx(r, c) = v > 0 ? gradient : slopes[c * step] * gradient;
      }
    }
  });
  for (int64_t w = 0; w < width; ++w) {
    double total = 0;
    for (size_t i = static_cast<size_t>(w); i < partial.size(); i += static_cast<size_t>(width)) total += partial[i];
    dslopes[w] += static_cast<Real>(total);
  }
}

}  // namespace graphveil::kernels
