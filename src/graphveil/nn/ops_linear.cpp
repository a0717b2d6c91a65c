#include "graphveil/nn/ops_linear.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "graphveil/kernels/gather_gemm.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/reduce.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/spmm.h"
#include "graphveil/nn/clipped_sums.h"
#include "graphveil/nn/ghost_norm.h"
#include "graphveil/nn/row_products.h"

namespace graphveil::nn {
namespace {

using kernels::Into;
using kernels::Transpose;

// Claims a weight and its bias, which are clipped together.
void claim_both(Tape& tape, Var w, const std::optional<Var>& b) {
  const bool weight = tape.claim(w);
  const bool bias = b && tape.claim(*b);
  if (weight && bias && tape.group(w) != tape.group(*b)) {
    fail(ErrorKind::Unsupported, "a weight and its bias are in different clipping groups");
  }
}

// Whether the rows of a product with w must keep to themselves and would not by themselves.
bool wants_rows_apart(const Tape& tape, Var w) {
  return tape.per_sample() || (tape.rows_apart() && !kernels::rows_keep_apart(w.rows(), w.cols()));
}

// Y = X W (+ b):  dX = G W^T,  dW = X^T G,  db = column sums of G.
struct LinearOperation final : Operation {
  Var x, w;
  std::optional<Var> b;

  std::string_view name() const override { return b ? "linear" : "matmul"; }
  bool shares_rows() const override { return true; }

  static Var apply(Var x, Var w, std::optional<Var> b) {
    require(x.cols() == w.rows(), "product of {} x {} and {} x {}", x.rows(), x.cols(), w.rows(), w.cols());
    require(!b || (b->rows() == 1 && b->cols() == w.cols()), "bias does not fit {} columns", w.cols());
    LinearOperation& op = x.tape->record<LinearOperation>();
    op.x = x;
    op.w = w;
    op.b = b;
    const MatrixView y = op.allocate(x.rows(), w.cols());
    if (wants_rows_apart(*x.tape, w)) {
      multiply_rows(x.value(), Transpose::No, w.value(), y);
      if (b) kernels::add_row(y, b->value().row(0), y);
    } else if (b) {
      kernels::linear(x.value(), w.value(), b->value().row(0), y, x.tape->shared_rows());
    } else {
      kernels::matmul(x.value(), w.value(), y, x.tape->shared_rows());
    }
    return b ? op.finish({x, w, *b}) : op.finish({x, w});
  }

  void backward() override {
    tape().accumulate(x, [&](MatrixView dx, Into into) {
      if (tape().per_sample()) return multiply_rows(output_gradient(), Transpose::Yes, w.value(), dx, into);
      kernels::gemm(Transpose::No, Transpose::Yes, 1, output_gradient(), w.value(), into == Into::Add ? 1 : 0, dx,
                    tape().shared_rows());
    });
  }

  bool has_parameters() const override { return tape().needs_gradient(w) || (b && tape().needs_gradient(*b)); }
  int32_t parameter_group() const override { return tape().group(tape().needs_gradient(w) ? w : *b); }

  void parameter_backward() override {
    tape().accumulate(w, [&](MatrixView dw, Into into) {
      kernels::gemm(Transpose::Yes, Transpose::No, 1, x.value(), output_gradient(), into == Into::Add ? 1 : 0, dw,
                    tape().shared_rows());
    });
    if (!b) return;
    tape().accumulate(*b, [&](MatrixView db, Into into) {
      kernels::column_sums(output_gradient(), db.row(0), into, tape().shared_rows());
    });
  }

  void trace_samples() override {
    claim_both(tape(), w, b);
    tape().trace_rowwise(output(), {x});
  }

  void add_norms(const SampleRows& samples, const SampleNorms& norms) override {
    if (tape().needs_gradient(w)) add_outer_norms(x.value(), output_gradient(), samples, norms);
    if (b && tape().needs_gradient(*b)) add_sum_norms(output_gradient(), samples, norms);
  }
  void add_sums(const WeightedRows& rows, const ClippedSums& sums) override {
    if (tape().needs_gradient(w)) add_outer_sums(x.value(), output_gradient(), rows, sums.of(w));
    if (b && tape().needs_gradient(*b)) add_row_sums(output_gradient(), rows, sums.of(*b));
  }
};

// Y = X + 1 b^T:  dX = G,  db = column sums of G.
struct AddBias final : Operation {
  Var x, b;

  std::string_view name() const override { return "add_bias"; }
  bool shares_rows() const override { return true; }

  static Var apply(Var x, Var b) {
    require(b.rows() == 1 && b.cols() == x.cols(), "bias is {} x {}, want 1 x {}", b.rows(), b.cols(), x.cols());
    AddBias& op = x.tape->record<AddBias>();
    op.x = x;
    op.b = b;
    kernels::add_row(x.value(), b.value().row(0), op.allocate(x.rows(), x.cols()));
    return op.finish({x, b});
  }

  void backward() override {
    // A per-sample step reads the gradient again, when it measures and sums.
    if (!tape().per_sample()) return tape().give_gradient(x, spent_gradient());
    tape().accumulate(x, [&](MatrixView dx) { kernels::copy(output_gradient(), dx); });
  }
  bool has_parameters() const override { return tape().needs_gradient(b); }
  int32_t parameter_group() const override { return tape().group(b); }
  void parameter_backward() override {
    tape().accumulate(b, [&](MatrixView db, Into into) {
      kernels::column_sums(output_gradient(), db.row(0), into, tape().shared_rows());
    });
  }
  void trace_samples() override {
    tape().claim(b);
    tape().trace_rowwise(output(), {x});
  }
  void add_norms(const SampleRows& samples, const SampleNorms& norms) override {
    add_sum_norms(output_gradient(), samples, norms);
  }
  void add_sums(const WeightedRows& rows, const ClippedSums& sums) override {
    add_row_sums(output_gradient(), rows, sums.of(b));
  }
};

// The sample of each row of data: the owners given, or row r is sample r.
std::span<const int32_t> owners_of_input(Tape& tape, int64_t rows, std::span<const int32_t> given) {
  if (!given.empty()) return given;
  require(rows == tape.samples(), "input has {} rows for {} samples; say which row belongs to which", rows,
          tape.samples());
  return tape.identity_owners().first(static_cast<size_t>(rows));
}

// Y = X W with sparse X:  dW = X^T G. X is data and gets no gradient.
struct SparseMatmul final : Operation {
  SparseInput x;
  Var w;
  // Dropout: the kept entries of the chosen rows, values scaled, as a matrix of their own.
  std::vector<uint16_t> words;
  std::vector<int64_t> offsets;
  std::vector<int32_t> indices;
  std::vector<Real> values;

  std::string_view name() const override { return "sparse_matmul"; }
  bool shares_rows() const override { return words.empty(); }  // else each row draws as many words as it has entries

  static Var apply(Tape& tape, const SparseInput& x, Var w, double dropout) {
    require(x.matrix.cols == w.rows(), "product of {} x {} and {} x {}", x.row_count(), x.matrix.cols, w.rows(),
            w.cols());
    require(dropout >= 0 && dropout < 1, "dropout probability is {}, want 0 to below 1", dropout);
    SparseMatmul& op = tape.record<SparseMatmul>();
    op.x = x;
    op.w = w;
    if (dropout > 0 && tape.training()) op.drop_entries(dropout);
    const MatrixView y = op.allocate(op.x.row_count(), w.cols());
    if (op.x.rows) {
      kernels::spmm_rows(op.x.matrix, *op.x.rows, w.value(), y);
    } else {
      kernels::spmm(op.x.matrix, w.value(), y);
    }
    return op.finish({w});
  }

  // Replaces x by a matrix of the kept entries alone.
  void drop_entries(double probability) {
    const SparseView& m = x.matrix;
    const auto threshold = static_cast<uint32_t>(probability * 65536);
    const Real scale = 1 / (1 - static_cast<Real>(threshold) / 65536);
    const int64_t count = x.row_count();
    offsets.assign(1, 0);
    indices.clear();
    values.clear();
    size_t entries = 0;
    for (int64_t r = 0; r < count; ++r) entries += m.row(row_of(r)).size();
    words.resize(entries);
    tape().draw_rows(words, tape().per_sample() ? owners_of_input(tape(), count, x.owners) : x.owners,
                     [&](int64_t r) { return m.row(row_of(r)).size(); });
    size_t drawn = 0;
    for (int64_t r = 0; r < count; ++r) {
      const auto begin = static_cast<size_t>(m.offsets[static_cast<size_t>(row_of(r))]);
      const std::span<const int32_t> columns = m.row(row_of(r));
      for (size_t e = 0; e < columns.size(); ++e) {
        if (words[drawn++] < threshold) continue;
        indices.push_back(columns[e]);
        values.push_back(scale * (m.values.empty() ? Real(1) : m.values[begin + e]));
      }
      offsets.push_back(static_cast<int64_t>(indices.size()));
    }
    x.matrix = {count, m.cols, offsets, indices, values};
    x.rows = std::nullopt;
    x.transposed = nullptr;
  }
  int64_t row_of(int64_t r) const { return x.rows ? (*x.rows)[static_cast<size_t>(r)] : r; }

  void backward() override {}
  bool has_parameters() const override { return tape().needs_gradient(w); }
  int32_t parameter_group() const override { return tape().group(w); }
  void parameter_backward() override {
    tape().accumulate(w, [&](MatrixView dw, Into into) {
      if (x.transposed != nullptr) {
        kernels::spmm(*x.transposed, output_gradient(), dw, into);
      } else if (x.rows) {
        kernels::spmm_rows_transposed(x.matrix, *x.rows, output_gradient(), dw, into, tape().shared_rows(),
                                      x.whole ? &*x.whole : nullptr);
      } else {
        kernels::spmm_transposed(x.matrix, output_gradient(), dw, into, tape().shared_rows());
      }
    });
  }
  void trace_samples() override {
    tape().claim(w);
    tape().set_owners(output(), owners_of_input(tape(), x.row_count(), x.owners));
  }
  void add_norms(const SampleRows& samples, const SampleNorms& norms) override {
    add_outer_norms(x.matrix, x.rows, output_gradient(), samples, norms);
  }
  void add_sums(const WeightedRows& rows, const ClippedSums& sums) override {
    add_outer_sums(x.matrix, x.rows, output_gradient(), rows, sums.of(w));
  }
};

// Y = X[rows] W (+ b):  dW = X[rows]^T G,  db = column sums of G. X is data and gets no gradient.
struct GatheredLinear final : Operation {
  GatheredInput x;
  Var w;
  std::optional<Var> b;

  std::string_view name() const override { return b ? "gathered_linear" : "gathered_matmul"; }

  static Var apply(Tape& tape, const GatheredInput& x, Var w, std::optional<Var> b) {
    require(!b || (b->rows() == 1 && b->cols() == w.cols()), "bias does not fit {} columns", w.cols());
    require(x.matrix.cols == w.rows(), "product of {} x {} and {} x {}", x.rows.size(), x.matrix.cols, w.rows(),
            w.cols());
    for (const int32_t row : x.rows) require(row >= 0 && row < x.matrix.rows, "row {} of {}", row, x.matrix.rows);
    GatheredLinear& op = tape.record<GatheredLinear>();
    op.x = x;
    op.w = w;
    op.b = b;
    const MatrixView y = op.allocate(static_cast<int64_t>(x.rows.size()), w.cols());
    const std::span<const Real> bias = b ? b->value().row(0) : std::span<const Real>();
    if (wants_rows_apart(tape, w)) {
      multiply_picked_rows(x.matrix, x.rows, w.value(), bias, y);
    } else {
      kernels::gather_matmul(x.matrix, x.rows, w.value(), bias, y);
    }
    return b ? op.finish({w, *b}) : op.finish({w});
  }

  void backward() override {}
  bool has_parameters() const override { return tape().needs_gradient(w) || (b && tape().needs_gradient(*b)); }
  int32_t parameter_group() const override { return tape().group(tape().needs_gradient(w) ? w : *b); }
  void parameter_backward() override {
    tape().accumulate(w, [&](MatrixView dw, Into into) {
      kernels::gather_matmul_transposed(x.matrix, x.rows, output_gradient(), dw, into);
    });
    if (!b) return;
    tape().accumulate(*b, [&](MatrixView db, Into into) { kernels::column_sums(output_gradient(), db.row(0), into); });
  }
  void trace_samples() override {
    claim_both(tape(), w, b);
    tape().set_owners(output(), owners_of_input(tape(), static_cast<int64_t>(x.rows.size()), x.owners));
  }
  void add_norms(const SampleRows& samples, const SampleNorms& norms) override {
    if (tape().needs_gradient(w)) add_outer_norms(x.matrix, x.rows, output_gradient(), samples, norms);
    if (b && tape().needs_gradient(*b)) add_sum_norms(output_gradient(), samples, norms);
  }
  void add_sums(const WeightedRows& rows, const ClippedSums& sums) override {
    if (tape().needs_gradient(w)) add_outer_sums(x.matrix, x.rows, output_gradient(), rows, sums.of(w));
    if (b && tape().needs_gradient(*b)) add_row_sums(output_gradient(), rows, sums.of(*b));
  }
};

// An embedding is a product with one-hot rows, so it shares that rule.
struct Embedding final : Operation {
  Var table;
  std::span<const int32_t> ids, given_owners;
  std::vector<int64_t> offsets;

  std::string_view name() const override { return "embedding"; }

  static Var apply(Var table, std::span<const int32_t> ids, std::span<const int32_t> owners) {
    for (const int32_t id : ids) require(id >= 0 && id < table.rows(), "embedding id {} of {}", id, table.rows());
    Embedding& op = table.tape->record<Embedding>();
    op.table = table;
    op.ids = ids;
    op.given_owners = owners;
    kernels::gather_rows(table.value(), ids, op.allocate(static_cast<int64_t>(ids.size()), table.cols()));
    return op.finish({table});
  }
  SparseView one_hot() {
    offsets.resize(ids.size() + 1);
    std::iota(offsets.begin(), offsets.end(), int64_t{0});
    return {static_cast<int64_t>(ids.size()), table.rows(), offsets, ids, {}};
  }

  void backward() override {}
  bool has_parameters() const override { return tape().needs_gradient(table); }
  int32_t parameter_group() const override { return tape().group(table); }
  void parameter_backward() override {
    tape().accumulate(table, [&](MatrixView dt, Into into) {
      if (into == Into::Overwrite) kernels::fill(dt, 0);
      kernels::scatter_add_rows(output_gradient(), ids, dt);
    });
  }
  void trace_samples() override {
    tape().claim(table);
    tape().set_owners(output(), owners_of_input(tape(), static_cast<int64_t>(ids.size()), given_owners));
  }
  void add_norms(const SampleRows& samples, const SampleNorms& norms) override {
    add_outer_norms(one_hot(), std::nullopt, output_gradient(), samples, norms);
  }
  void add_sums(const WeightedRows& rows, const ClippedSums& sums) override {
    add_outer_sums(one_hot(), std::nullopt, output_gradient(), rows, sums.of(table));
  }
};

}  // namespace

Var matmul(Var x, Var w) { return LinearOperation::apply(x, w, std::nullopt); }
Var linear(Var x, Var w, Var b) { return LinearOperation::apply(x, w, b); }
Var add_bias(Var x, Var b) { return AddBias::apply(x, b); }
Var sparse_matmul(Tape& tape, const SparseInput& x, Var w, double dropout) {
  return SparseMatmul::apply(tape, x, w, dropout);
}
Var gathered_matmul(Tape& tape, const GatheredInput& x, Var w) {
  return GatheredLinear::apply(tape, x, w, std::nullopt);
}
Var gathered_linear(Tape& tape, const GatheredInput& x, Var w, Var b) { return GatheredLinear::apply(tape, x, w, b); }
Var embedding(Var table, std::span<const int32_t> ids, std::span<const int32_t> owners) {
  return Embedding::apply(table, ids, owners);
}

}  // namespace graphveil::nn
