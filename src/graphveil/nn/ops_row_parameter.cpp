#include "graphveil/nn/ops_row_parameter.h"

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/reduce.h"
#include "graphveil/nn/clipped_sums.h"
#include "graphveil/nn/ghost_norm.h"

namespace graphveil::nn {
namespace {

using kernels::Into;

// Rule describes y = f(x; p) with dp = sum over rows of shares:
//   check(x, p, heads), out_cols(x, heads)    the shapes
//   forward(x, p, y)                          row by row; spans
//   input(x, p, g, dx)                        the gradient in x of one row
//   share(x, p, g, c)                         one row's share of dp, as wide as p
template <typename Rule>
struct RowParameter final : Operation {
  Var x, p;
  int64_t heads = 1;
  Buffer shares;

  std::string_view name() const override { return Rule::kName; }
  bool shares_rows() const override { return true; }

  static Var apply(Var x, Var p, int64_t heads) {
    require(p.rows() == 1, "the parameter of '{}' has {} rows, want 1", Rule::kName, p.rows());
    Rule::check(x, p, heads);
    auto& op = x.tape->record<RowParameter<Rule>>();
    op.x = x;
    op.p = p;
    op.heads = heads;
    const MatrixView y = op.allocate(x.rows(), Rule::out_cols(x, heads));
    for_rows(x, [&](int64_t r) { Rule::forward(x.value().row(r), p.value().row(0), y.row(r)); });
    return op.finish({x, p});
  }

  template <typename Body>
  static void for_rows(Var x, Body&& body) {
    parallel_for(x.rows(), kernels::rows_per_piece(2 * x.cols()), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) body(r);
    });
  }

  void backward() override {
    tape().accumulate(x, [&](MatrixView dx) {
      for_rows(
          x, [&](int64_t r) { Rule::input(x.value().row(r), p.value().row(0), output_gradient().row(r), dx.row(r)); });
    });
  }

  MatrixView compute_shares() {
    const MatrixView c = shares.resize(x.rows(), p.cols());
    for_rows(x,
             [&](int64_t r) { Rule::share(x.value().row(r), p.value().row(0), output_gradient().row(r), c.row(r)); });
    return c;
  }

  bool has_parameters() const override { return tape().needs_gradient(p); }
  int32_t parameter_group() const override { return tape().group(p); }
  void parameter_backward() override {
    const MatrixView c = compute_shares();
    tape().accumulate(
        p, [&](MatrixView dp, Into into) { kernels::column_sums(c, dp.row(0), into, tape().shared_rows()); });
  }
  void trace_samples() override {
    tape().claim(p);
    tape().trace_rowwise(output(), {x});
  }
  void add_norms(const SampleRows& samples, const SampleNorms& norms) override {
    add_sum_norms(compute_shares(), samples, norms);
  }
  // The very shares whose norms were taken are scaled: computed again from scaled gradients, a share that
  // cancels within itself would round differently. A factor of zero also clears what is not finite.
  void scale_rows(std::span<const Real> factors) override {
    const MatrixView c = shares.view();
    for_rows(x, [&](int64_t r) {
      const Real factor = factors[static_cast<size_t>(r)];
      for (Real& value : c.row(r)) value = factor == 0 ? Real(0) : factor * value;
    });
  }
  void add_sums(const WeightedRows& rows, const ClippedSums& sums) override {
    add_row_sums(shares.view(), rows, sums.of(p));
  }
};

using In = std::span<const Real>;
using Out = std::span<Real>;

// y_c = x_c s_c:  dx_c = g_c s_c,  ds_c = sum_r g_c x_c.
struct ScaleColumns {
  static constexpr std::string_view kName = "scale_columns";
  static void check(Var x, Var p, int64_t) {
    require(p.cols() == x.cols(), "{} column scales for {} columns", p.cols(), x.cols());
  }
  static int64_t out_cols(Var x, int64_t) { return x.cols(); }
  static void forward(In x, In s, Out y) {
    for (size_t c = 0; c < x.size(); ++c) y[c] = x[c] * s[c];
  }
  static void input(In, In s, In g, Out dx) {
    for (size_t c = 0; c < g.size(); ++c) dx[c] = g[c] * s[c];
  }
  static void share(In x, In, In g, Out ds) {
    for (size_t c = 0; c < x.size(); ++c) ds[c] = g[c] * x[c];
  }
};

// y = (1 + s) x:  dx = (1 + s) g,  ds = sum_r <g_r, x_r>.
struct OnePlus {
  static constexpr std::string_view kName = "scale_by_one_plus";
  static void check(Var, Var p, int64_t) { require(p.cols() == 1, "the scale has {} columns, want 1", p.cols()); }
  static int64_t out_cols(Var x, int64_t) { return x.cols(); }
  static void forward(In x, In s, Out y) {
    for (size_t c = 0; c < x.size(); ++c) y[c] = (1 + s[0]) * x[c];
  }
  static void input(In, In s, In g, Out dx) {
    for (size_t c = 0; c < g.size(); ++c) dx[c] = (1 + s[0]) * g[c];
  }
  static void share(In x, In, In g, Out ds) {
    Real sum = 0;
    for (size_t c = 0; c < x.size(); ++c) sum += g[c] * x[c];
    ds[0] = sum;
  }
};

// y_h = <x_h, v_h>:  dx_h = g_h v_h,  dv_h = sum_r g_h x_h.
struct HeadDot {
  static constexpr std::string_view kName = "head_dot";
  static void check(Var x, Var p, int64_t heads) {
    require(heads >= 1 && x.cols() % heads == 0, "{} columns do not split into {} heads", x.cols(), heads);
    require(p.cols() == x.cols(), "attention vector of {} for {} columns", p.cols(), x.cols());
  }
  static int64_t out_cols(Var, int64_t heads) { return heads; }
  static void forward(In x, In v, Out y) {
    const size_t width = x.size() / y.size();
    for (size_t h = 0; h < y.size(); ++h) {
      Real sum = 0;
      for (size_t c = h * width; c < (h + 1) * width; ++c) sum += x[c] * v[c];
      y[h] = sum;
    }
  }
  static void input(In, In v, In g, Out dx) {
    const size_t width = dx.size() / g.size();
    for (size_t h = 0; h < g.size(); ++h) {
      for (size_t c = h * width; c < (h + 1) * width; ++c) dx[c] = g[h] * v[c];
    }
  }
  static void share(In x, In, In g, Out dv) {
    const size_t width = x.size() / g.size();
    for (size_t h = 0; h < g.size(); ++h) {
      for (size_t c = h * width; c < (h + 1) * width; ++c) dv[c] = g[h] * x[c];
    }
  }
};

// y = x where x > 0, else a x:  dx = g or a g,  da = sum of g x where x <= 0.
struct Prelu {
  static constexpr std::string_view kName = "prelu";
  static void check(Var x, Var p, int64_t) {
    require(p.cols() == 1 || p.cols() == x.cols(), "{} slopes for {} columns, want 1 or as many", p.cols(), x.cols());
  }
  static int64_t out_cols(Var x, int64_t) { return x.cols(); }
  static Real slope(In a, size_t c) { return a.size() == 1 ? a[0] : a[c]; }
  static void forward(In x, In a, Out y) {
    for (size_t c = 0; c < x.size(); ++c) y[c] = x[c] > 0 ? x[c] : slope(a, c) * x[c];
  }
  static void input(In x, In a, In g, Out dx) {
    for (size_t c = 0; c < x.size(); ++c) dx[c] = x[c] > 0 ? g[c] : slope(a, c) * g[c];
  }
  static void share(In x, In, In g, Out da) {
    for (Real& sum : da) sum = 0;
    for (size_t c = 0; c < x.size(); ++c) {
      if (!(x[c] > 0)) da[da.size() == 1 ? 0 : c] += g[c] * x[c];
    }
  }
};

}  // namespace

Var scale_columns(Var x, Var s) { return RowParameter<ScaleColumns>::apply(x, s, 1); }
Var scale_by_one_plus(Var x, Var s) { return RowParameter<OnePlus>::apply(x, s, 1); }
Var head_dot(Var x, Var v, int64_t heads) { return RowParameter<HeadDot>::apply(x, v, heads); }
Var prelu(Var x, Var slopes) { return RowParameter<Prelu>::apply(x, slopes, 1); }

}  // namespace graphveil::nn
