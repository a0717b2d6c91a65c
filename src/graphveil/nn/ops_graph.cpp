#include "graphveil/nn/ops_graph.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/segment.h"
#include "graphveil/kernels/softmax.h"
#include "graphveil/kernels/spmm.h"
#include "graphveil/nn/unsound_rows.h"

namespace graphveil::nn {
namespace {

using kernels::Into;

void require_source_rows(Var x, const Edges& edges) {
  require(x.rows() == edges.sources(), "{} rows for {} nodes", x.rows(), edges.sources());
}
void require_target_rows(Var x, const Edges& edges) {
  require(x.rows() == edges.nodes(), "{} rows for {} nodes", x.rows(), edges.nodes());
}
void require_edge_rows(Var x, const Edges& edges) {
  require(x.rows() == edges.count(), "{} rows for {} edges", x.rows(), edges.count());
}

using Owners = std::span<const int32_t>;

// The samples of the targets: those given, or, where sources and targets are the same rows, those of the sources.
Owners owners_of_targets(Owners sources, Owners given, const Edges& edges) {
  if (given.empty() && edges.nodes() == edges.sources()) return sources;
  require(static_cast<int64_t>(given.size()) == edges.nodes(), "{} owners for {} targets of edges", given.size(),
          edges.nodes());
  return given;
}

// Throws unless every edge stays within one sample.
void check_edges_within_samples(Owners source_owners, Owners target_owners, const Edges& edges) {
  const std::span<const int32_t> sources = edges.in().indices;
  const std::span<const int32_t> targets = edges.targets();
  for (size_t e = 0; e < sources.size(); ++e) {
    if (source_owners[static_cast<size_t>(sources[e])] != target_owners[static_cast<size_t>(targets[e])]) {
      fail(ErrorKind::Unsupported, "edge {} -> {} joins two samples, which DP-SGD cannot clip", sources[e], targets[e]);
    }
  }
}

// The sample of each edge.
Owners edge_owners(Owners source_owners, Owners target_owners, const Edges& edges, std::vector<int32_t>& memory) {
  check_edges_within_samples(source_owners, target_owners, edges);
  memory.resize(static_cast<size_t>(edges.count()));
  for (size_t e = 0; e < memory.size(); ++e) memory[e] = target_owners[static_cast<size_t>(edges.targets()[e])];
  return memory;
}

// Y = A X:  dX = A^T G.
struct Aggregate final : Operation {
  Var x;
  const Edges* edges = nullptr;
  Owners target_owners;
  bool across_samples = false;
  std::string_view name() const override { return "aggregate"; }
  static Var apply(Var x, const Edges& edges, Owners target_owners, bool across_samples = false) {
    require_source_rows(x, edges);
    auto& op = x.tape->record<Aggregate>();
    op.x = x;
    op.edges = &edges;
    op.target_owners = target_owners;
    op.across_samples = across_samples;
    kernels::spmm(edges.in(), x.value(), op.allocate(edges.nodes(), x.cols()));
    return op.finish({x});
  }
  void backward() override {
    tape().accumulate(x, [&](MatrixView dx, Into into) { kernels::spmm(edges->out(), output_gradient(), dx, into); });
  }
  void trace_samples() override {
    const Owners targets = owners_of_targets(tape().owners(x), target_owners, *edges);
    if (!across_samples) check_edges_within_samples(tape().owners(x), targets, *edges);
    tape().set_owners(output(), targets);
  }
};

// Y = B + A X, or B + A[rows] X, in the memory of B:  dB = G,  dX = A^T G.
struct AggregateOnto final : Operation {
  Var base, x;
  const Edges* edges = nullptr;
  std::optional<std::span<const int32_t>> rows;
  std::string_view name() const override { return "aggregate_onto"; }
  static Var apply(Var base, Var x, const Edges& edges, std::optional<std::span<const int32_t>> rows) {
    require_source_rows(x, edges);
    const int64_t targets = rows ? static_cast<int64_t>(rows->size()) : edges.nodes();
    require(base.rows() == targets && base.cols() == x.cols(), "{} x {} is added to {} x {}", targets, x.cols(),
            base.rows(), base.cols());
    auto& op = x.tape->record<AggregateOnto>();
    op.base = base;
    op.x = x;
    op.edges = &edges;
    op.rows = rows;
    const MatrixView y = op.take_over(base);
    if (rows) {
      kernels::spmm_rows(edges.in(), *rows, x.value(), y, Into::Add);
    } else {
      kernels::spmm(edges.in(), x.value(), y, Into::Add);
    }
    return op.finish({base, x});
  }
  void backward() override {
    tape().accumulate(x, [&](MatrixView dx, Into into) {
      if (rows) return kernels::spmm_rows_transposed(edges->in(), *rows, output_gradient(), dx, into);
      kernels::spmm(edges->out(), output_gradient(), dx, into);
    });
    tape().give_gradient(base, spent_gradient());
  }
};

// y_e = a_u + b_v:  da_u = sum of g over edges leaving u,  db_v = sum of g over edges entering v.
struct EdgeAdd final : Operation {
  Var a, b;
  const Edges* edges = nullptr;
  std::vector<int32_t> owner_memory;
  std::string_view name() const override { return "edge_add"; }
  static Var apply(Var a, Var b, const Edges& edges) {
    require_source_rows(a, edges);
    require_target_rows(b, edges);
    require(a.cols() == b.cols(), "{} and {} columns at the two ends", a.cols(), b.cols());
    auto& op = a.tape->record<EdgeAdd>();
    op.a = a;
    op.b = b;
    op.edges = &edges;
    const MatrixView y = op.allocate(edges.count(), a.cols());
    parallel_for(y.rows, kernels::rows_per_piece(4 * y.cols), [&](int64_t begin, int64_t end) {
      for (int64_t e = begin; e < end; ++e) {
        const std::span<const Real> from = a.value().row(edges.in().indices[static_cast<size_t>(e)]);
        const std::span<const Real> to = b.value().row(edges.targets()[static_cast<size_t>(e)]);
        const std::span<Real> out = y.row(e);
        for (size_t h = 0; h < out.size(); ++h) out[h] = from[h] + to[h];
      }
    });
    return op.finish({a, b});
  }
  void backward() override {
    tape().accumulate(a,
                      [&](MatrixView da, Into into) { kernels::spmm(edges->leaving(), output_gradient(), da, into); });
    tape().accumulate(b, [&](MatrixView db) { kernels::segment_sum(edges->in().offsets, output_gradient(), db); });
  }
  void trace_samples() override {
    tape().set_owners(output(), edge_owners(tape().owners(a), tape().owners(b), *edges, owner_memory));
  }
};

// One column of edge values as an array, optionally in the order of the out-entries.
std::span<const Real> column(ConstMatrixView values, int64_t c, std::span<const int32_t> order, Buffer& memory) {
  const std::span<Real> out = memory.resize(values.rows);
  for (size_t e = 0; e < out.size(); ++e) {
    out[e] = values(order.empty() ? static_cast<int64_t>(e) : order[e], c);
  }
  return out;
}

SparseView with_values(SparseView pattern, std::span<const Real> values) {
  pattern.values = values;
  return pattern;
}

// y_eh = s <k_uh, q_vh>:  dq_vh = s sum_e g_eh k_uh,  dk_uh = s sum_e g_eh q_vh.
struct EdgeDot final : Operation {
  Var key, query;
  const Edges* edges = nullptr;
  int64_t heads = 1;
  Real alpha = 1;
  Buffer memory;
  std::vector<int32_t> owner_memory;
  std::string_view name() const override { return "edge_dot"; }
  static Var apply(Var key, Var query, const Edges& edges, int64_t heads, Real alpha) {
    require_source_rows(key, edges);
    require_target_rows(query, edges);
    require(key.cols() == query.cols(), "keys of {} columns, queries of {}", key.cols(), query.cols());
    require(heads >= 1 && key.cols() % heads == 0, "{} columns do not split into {} heads", key.cols(), heads);
    auto& op = key.tape->record<EdgeDot>();
    op.key = key;
    op.query = query;
    op.edges = &edges;
    op.heads = heads;
    op.alpha = alpha;
    const MatrixView y = op.allocate(edges.count(), heads);
    const int64_t width = key.cols() / heads;
    for (int64_t h = 0; h < heads; ++h) {
      const std::span<Real> dots = op.memory.resize(edges.count());
      kernels::sampled_product(edges.in_pattern(), query.value().columns(h * width, width),
                               key.value().columns(h * width, width), dots);
      for (int64_t e = 0; e < y.rows; ++e) y(e, h) = alpha * dots[static_cast<size_t>(e)];
    }
    return op.finish({key, query});
  }
  void backward() override {
    const int64_t width = key.cols() / heads;
    tape().accumulate(query, [&](MatrixView dq) {
      for (int64_t h = 0; h < heads; ++h) {
        const SparseView a = with_values(edges->in_pattern(), column(output_gradient(), h, {}, memory));
        kernels::spmm(a, key.value().columns(h * width, width), dq.columns(h * width, width));
      }
      kernels::scale(alpha, dq, dq);
    });
    tape().accumulate(key, [&](MatrixView dk) {
      for (int64_t h = 0; h < heads; ++h) {
        const SparseView a =
            with_values(edges->out_pattern(), column(output_gradient(), h, edges->out_edges(), memory));
        kernels::spmm(a, query.value().columns(h * width, width), dk.columns(h * width, width));
      }
      kernels::scale(alpha, dk, dk);
    });
  }
  void trace_samples() override {
    tape().set_owners(output(), edge_owners(tape().owners(key), tape().owners(query), *edges, owner_memory));
  }
};

// Softmax within the edges entering a node:  dx = y (g - sum of y g).
struct EdgeSoftmax final : Operation {
  Var x;
  const Edges* edges = nullptr;
  std::string_view name() const override { return "edge_softmax"; }
  static Var apply(Var x, const Edges& edges) {
    require_edge_rows(x, edges);
    auto& op = x.tape->record<EdgeSoftmax>();
    op.x = x;
    op.edges = &edges;
    kernels::segment_softmax(edges.in().offsets, x.value(), op.allocate(x.rows(), x.cols()));
    return op.finish({x});
  }
  void backward() override {
    tape().accumulate(x, [&](MatrixView dx) {
      kernels::segment_softmax_backward(edges->in().offsets, output().value(), output_gradient(), dx);
    });
  }
  void trace_samples() override {
    // All edges entering a node share its sample, but only if these edge rows are really those edges.
    const std::span<const int32_t> owners = tape().owners(x);
    for (size_t e = 1; e < owners.size(); ++e) {
      if (edges->targets()[e] == edges->targets()[e - 1] && owners[e] != owners[e - 1]) {
        fail(ErrorKind::Unsupported, "edge_softmax mixes two samples, which DP-SGD cannot clip");
      }
    }
    tape().trace_rowwise(output(), {x});
  }
};

// y_vh = sum_e w_eh x_uh:  dx_uh = sum_e w_eh g_vh,  dw_eh = <g_vh, x_uh>.
struct Attend final : Operation {
  Var x, w;
  const Edges* edges = nullptr;
  Owners target_owners;
  Buffer memory;
  std::vector<int32_t> owner_memory;
  std::string_view name() const override { return "attend"; }
  int64_t heads() const { return w.cols(); }
  int64_t width() const { return x.cols() / w.cols(); }
  static Var apply(Var x, Var w, const Edges& edges, Owners target_owners) {
    require_source_rows(x, edges);
    require_edge_rows(w, edges);
    require(w.cols() >= 1 && x.cols() % w.cols() == 0, "{} columns do not split into {} heads", x.cols(), w.cols());
    auto& op = x.tape->record<Attend>();
    op.x = x;
    op.w = w;
    op.edges = &edges;
    op.target_owners = target_owners;
    const MatrixView y = op.allocate(edges.nodes(), x.cols());
    for (int64_t h = 0; h < op.heads(); ++h) {
      kernels::spmm(with_values(edges.in_pattern(), column(w.value(), h, {}, op.memory)),
                    x.value().columns(h * op.width(), op.width()), y.columns(h * op.width(), op.width()));
    }
    return op.finish({x, w});
  }
  void backward() override {
    const auto head = [&](ConstMatrixView m, int64_t h) { return m.columns(h * width(), width()); };
    tape().accumulate(x, [&](MatrixView dx) {
      for (int64_t h = 0; h < heads(); ++h) {
        kernels::spmm(with_values(edges->out_pattern(), column(w.value(), h, edges->out_edges(), memory)),
                      head(output_gradient(), h), dx.columns(h * width(), width()));
      }
    });
    tape().accumulate(w, [&](MatrixView dw) {
      for (int64_t h = 0; h < heads(); ++h) {
        const std::span<Real> dots = memory.resize(edges->count());
        kernels::sampled_product(edges->in_pattern(), head(output_gradient(), h), head(x.value(), h), dots);
        for (int64_t e = 0; e < dw.rows; ++e) dw(e, h) = dots[static_cast<size_t>(e)];
      }
    });
  }
  void trace_samples() override {
    const Owners targets = owners_of_targets(tape().owners(x), target_owners, *edges);
    const Owners expected = edge_owners(tape().owners(x), targets, *edges, owner_memory);
    const Owners given = tape().owners(w);
    if (!std::equal(expected.begin(), expected.end(), given.begin(), given.end())) {
      fail(ErrorKind::Unsupported, "attention weights of one sample meet rows of another, which DP-SGD cannot clip");
    }
    tape().set_owners(output(), targets);
  }
};

}  // namespace

Var aggregate(Var x, const Edges& edges, Owners target_owners) { return Aggregate::apply(x, edges, target_owners); }
Var UnsoundRows::aggregate(Var x, const Edges& edges) { return Aggregate::apply(x, edges, {}, true); }
Var aggregate_onto(Var base, Var x, const Edges& edges) { return AggregateOnto::apply(base, x, edges, std::nullopt); }
Var aggregate_rows_onto(Var base, Var x, const Edges& edges, std::span<const int32_t> rows) {
  return AggregateOnto::apply(base, x, edges, rows);
}
Var edge_add(Var a, Var b, const Edges& edges) { return EdgeAdd::apply(a, b, edges); }
Var edge_dot(Var key, Var query, const Edges& edges, int64_t heads, Real alpha) {
  return EdgeDot::apply(key, query, edges, heads, alpha);
}
Var edge_softmax(Var scores, const Edges& edges) { return EdgeSoftmax::apply(scores, edges); }
Var attend(Var x, Var weights, const Edges& edges, Owners target_owners) {
  return Attend::apply(x, weights, edges, target_owners);
}

}  // namespace graphveil::nn
