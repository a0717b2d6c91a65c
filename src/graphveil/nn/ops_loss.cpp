#include "graphveil/nn/ops_loss.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/reduce.h"
#include "graphveil/kernels/softmax.h"
#include "graphveil/nn/sample_rows.h"
#include "graphveil/nn/unsound_rows.h"

namespace graphveil::nn {
namespace {

constexpr int64_t kLabelsAtOnce = 8192;

int64_t check_labels(std::span<const int32_t> labels, Var x) {
  require(static_cast<int64_t>(labels.size()) == x.rows(), "{} labels for {} rows", labels.size(), x.rows());
  const int64_t classes = x.cols();
  std::atomic<int64_t> without = 0;
  parallel_for(std::ssize(labels), kLabelsAtOnce, [&](int64_t begin, int64_t end) {
    int64_t here = 0;
    for (const int32_t label : labels.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin))) {
      require(label >= kNoLabel && label < classes, "label {} of {} classes", label, classes);
      here += static_cast<int64_t>(label == kNoLabel);
    }
    without += here;
  });
  return std::ssize(labels) - without;
}

// What a term counts in the loss: 1, or 1 / n. An empty mean is 0.
Real term_weight(Reduction reduction, int64_t count) {
  return reduction == Reduction::Sum ? Real(1) : 1 / static_cast<Real>(std::max<int64_t>(1, count));
}

void trace_loss(Tape& tape, Var out, Reduction reduction, std::initializer_list<Var> inputs) {
  tape.require_same_owners(inputs);
  if (reduction == Reduction::Mean) {
    fail(ErrorKind::Unsupported, "DP-SGD wants a loss summed over rows: a mean divides by the private batch size");
  }
  // A row of a loss may round by its place among the others, so every sample has its own place.
  const bool in_order = each_its_own_row(tape.owners(*inputs.begin()), tape.samples());
  if (!in_order) fail(ErrorKind::Unsupported, "the loss of a per-sample step wants one row of each sample, in order");
  tape.set_sum_of_samples(out);
}

void check_weights(std::span<const Real> weights, int64_t classes) {
  require(weights.empty() || static_cast<int64_t>(weights.size()) == classes, "{} weights for {} classes",
          weights.size(), classes);
  for (const Real weight : weights) {
    require(weight > 0 && std::isfinite(weight), "the weight of a class is {}, want a positive number", weight);
  }
}

// What a row counts beside the others; nothing without a label.
Real row_weight(std::span<const Real> class_weights, int32_t label) {
  if (label == kNoLabel) return 0;
  return class_weights.empty() ? Real(1) : class_weights[static_cast<size_t>(label)];
}

// L = -w sum_r c(y_r) log softmax(x_r)[y_r]:  dx_r = w g c(y_r) (softmax(x_r) - onehot(y_r)), c being the class
// weights.
struct CrossEntropy final : Operation {
  Var x;
  std::span<const int32_t> labels;
  std::span<const Real> class_weights;
  Reduction reduction = Reduction::Mean;
  Real weight = 1;
  Buffer probabilities, row_memory;
  std::string_view name() const override { return "cross_entropy"; }
  bool shares_rows() const override { return true; }
  static Var apply(Var x, std::span<const int32_t> labels, Reduction reduction,
                   std::span<const Real> class_weights = {}, Real factor = 1, std::span<Real> terms = {}) {
    const SharedRows* const shared = x.tape->shared_rows();
    const int64_t own = check_labels(labels, x), count = shared != nullptr ? shared->sum(own) : own;
    check_weights(class_weights, x.cols());
    auto& op = x.tape->record<CrossEntropy>();
    op.x = x;
    op.labels = labels;
    op.class_weights = class_weights;
    op.reduction = reduction;
    op.weight = factor * term_weight(reduction, count);
    const std::span<Real> losses = op.row_memory.resize(x.rows());
    kernels::cross_entropy(x.value(), labels, losses, op.probabilities.resize(x.rows(), x.cols()));
    if (!class_weights.empty()) {
      double all = 0;
      const auto weigh = [&] {
        for (size_t r = 0; r < labels.size(); ++r) {
          const Real weight = row_weight(class_weights, labels[r]);
          losses[r] *= weight;
          all += weight;
        }
      };
      shared != nullptr ? shared->in_turn(std::span(&all, 1), weigh) : weigh();
      if (reduction == Reduction::Mean && all > 0) op.weight = static_cast<Real>(1 / all);
    }
    if (!terms.empty()) std::ranges::copy(losses, terms.begin());
    op.allocate(1, 1)(0, 0) = op.weight * static_cast<Real>(kernels::sum(std::span<const Real>(losses), shared));
    return op.finish({x});
  }
  void backward() override {
    const std::span<Real> weights = row_memory.resize(x.rows());
    const Real common = output_gradient()(0, 0) * weight;
    parallel_for(std::ssize(weights), kLabelsAtOnce, [&](int64_t begin, int64_t end) {
      for (auto r = static_cast<size_t>(begin); r < static_cast<size_t>(end); ++r) {
        weights[r] = class_weights.empty() ? common : common * row_weight(class_weights, labels[r]);
      }
    });
    tape().accumulate(
        x, [&](MatrixView dx) { kernels::cross_entropy_backward(probabilities.view(), labels, weights, dx); });
  }
  void trace_samples() override { trace_loss(tape(), output(), reduction, {x}); }
};

// L = w sum_r log(1 + exp(s_r x_r)) with s_r = 1 - 2 y_r:  dx_r = w g s_r sigmoid(s_r x_r).
struct LogisticLoss final : Operation {
  Var x;
  std::span<const int32_t> labels;
  Reduction reduction = Reduction::Mean;
  Real weight = 1;
  static double sign(int32_t label) { return label == 1 ? -1 : 1; }
  std::string_view name() const override { return "logistic_loss"; }
  static Var apply(Var x, std::span<const int32_t> labels, Reduction reduction) {
    require(x.cols() == 1, "scores of {} columns, want 1", x.cols());
    require(static_cast<int64_t>(labels.size()) == x.rows(), "{} labels for {} rows", labels.size(), x.rows());
    for (const int32_t label : labels) require(label >= kNoLabel && label <= 1, "label {}, want 0 or 1", label);
    auto& op = x.tape->record<LogisticLoss>();
    op.x = x;
    op.labels = labels;
    op.reduction = reduction;
    op.weight = term_weight(reduction, x.rows() - std::count(labels.begin(), labels.end(), kNoLabel));
    double total = 0;
    for (int64_t r = 0; r < x.rows(); ++r) {
      const int32_t label = labels[static_cast<size_t>(r)];
      if (label == kNoLabel) continue;
      const double score = sign(label) * x.value()(r, 0);
      // log(1 + exp(t)) without overflow.
      total += std::max(score, 0.0) + std::log1p(std::exp(-std::abs(score)));
    }
    op.allocate(1, 1)(0, 0) = op.weight * static_cast<Real>(total);
    return op.finish({x});
  }
  void backward() override {
    const double g = double{output_gradient()(0, 0)} * weight;
    tape().accumulate(x, [&](MatrixView dx) {
      for (int64_t r = 0; r < dx.rows; ++r) {
        const int32_t label = labels[static_cast<size_t>(r)];
        const double s = sign(label);
        dx(r, 0) = label == kNoLabel ? Real(0) : static_cast<Real>(g * s / (1 + std::exp(-s * x.value()(r, 0))));
      }
    });
  }
  void trace_samples() override { trace_loss(tape(), output(), reduction, {x}); }
};

// L = w/2 |x|^2:  dx = w g x.
struct L2Penalty final : Operation {
  Var x;
  Real weight = 1;
  std::string_view name() const override { return "l2_penalty"; }
  static Var apply(Var x, Real weight) {
    auto& op = x.tape->record<L2Penalty>();
    op.x = x;
    op.weight = weight;
    op.allocate(1, 1)(0, 0) = weight / 2 * static_cast<Real>(kernels::sum_of_squares(x.value()));
    return op.finish({x});
  }
  void backward() override {
    tape().accumulate(x, [&](MatrixView dx) { kernels::scale(weight * output_gradient()(0, 0), x.value(), dx); });
  }
};

// L = sum of x:  dx = g.
struct Sum final : Operation {
  Var x;
  std::string_view name() const override { return "sum"; }
  static Var apply(Var x) {
    auto& op = x.tape->record<Sum>();
    op.x = x;
    op.allocate(1, 1)(0, 0) = static_cast<Real>(kernels::sum(x.value()));
    return op.finish({x});
  }
  void backward() override {
    tape().accumulate(x, [&](MatrixView dx) { kernels::fill(dx, output_gradient()(0, 0)); });
  }
  void trace_samples() override { trace_loss(tape(), output(), Reduction::Sum, {x}); }
};

}  // namespace

Var UnsoundRows::cross_entropy(Var x, std::span<const int32_t> labels, Real factor) {
  return CrossEntropy::apply(x, labels, Reduction::Sum, {}, factor);
}
Var cross_entropy(Var x, std::span<const int32_t> labels, Reduction reduction, std::span<const Real> class_weights,
                  std::span<Real> terms) {
  return CrossEntropy::apply(x, labels, reduction, class_weights, 1, terms);
}
Var logistic_loss(Var x, std::span<const int32_t> labels, Reduction reduction) {
  return LogisticLoss::apply(x, labels, reduction);
}
Var l2_penalty(Var x, Real weight) { return L2Penalty::apply(x, weight); }
Var sum(Var x) { return Sum::apply(x); }

}  // namespace graphveil::nn
