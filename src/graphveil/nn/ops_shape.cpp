#include "graphveil/nn/ops_shape.h"

#include <vector>

#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/rows.h"

namespace graphveil::nn {
namespace {

void require_rows_in_range(std::span<const int32_t> rows, int64_t count) {
  for (const int32_t row : rows) require(row >= 0 && row < count, "row {} of {}", row, count);
}

struct ConcatColumns final : Operation {
  std::vector<Var> parts;
  std::string_view name() const override { return "concat_columns"; }
  bool shares_rows() const override { return true; }
  static Var apply(std::span<const Var> parts) {
    require(!parts.empty(), "nothing to put side by side");
    const int64_t rows = parts.front().rows();
    int64_t cols = 0;
    for (const Var& part : parts) {
      require(part.rows() == rows, "parts of {} and {} rows side by side", rows, part.rows());
      cols += part.cols();
    }
    auto& op = parts.front().tape->record<ConcatColumns>();
    op.parts.assign(parts.begin(), parts.end());
    const MatrixView y = op.allocate(rows, cols);
    int64_t begin = 0;
    for (const Var& part : parts) {
      kernels::copy(part.value(), y.columns(begin, part.cols()));
      begin += part.cols();
    }
    return op.finish(op.parts);
  }
  void backward() override {
    int64_t begin = 0;
    for (const Var& part : parts) {
      tape().give_gradient(part, spent_gradient().columns(begin, part.cols()));
      begin += part.cols();
    }
  }
  void trace_samples() override {
    for (const Var& part : parts) tape().trace_rowwise(output(), {parts.front(), part});
  }
};

struct SliceColumns final : Operation {
  Var x;
  int64_t begin = 0;
  std::string_view name() const override { return "slice_columns"; }
  bool shares_rows() const override { return true; }
  static Var apply(Var x, int64_t begin, int64_t count) {
    require(begin >= 0 && count >= 1 && begin + count <= x.cols(), "columns [{}, {}) of {}", begin, begin + count,
            x.cols());
    auto& op = x.tape->record<SliceColumns>();
    op.x = x;
    op.begin = begin;
    kernels::copy(x.value().columns(begin, count), op.allocate(x.rows(), count));
    return op.finish({x});
  }
  void backward() override {
    tape().accumulate(x, [&](MatrixView dx) {
      kernels::fill(dx, 0);
      kernels::copy(output_gradient(), dx.columns(begin, output().cols()));
    });
  }
  void trace_samples() override { tape().trace_rowwise(output(), {x}); }
};

// y_i = x_rows[i]:  dx_j = sum of g_i with rows[i] = j.
struct GatherRows final : Operation {
  Var x;
  std::span<const int32_t> rows;
  std::vector<int32_t> owner_memory;
  std::string_view name() const override { return "gather_rows"; }
  static Var apply(Var x, std::span<const int32_t> rows) {
    require_rows_in_range(rows, x.rows());
    auto& op = x.tape->record<GatherRows>();
    op.x = x;
    op.rows = rows;
    kernels::gather_rows(x.value(), rows, op.allocate(static_cast<int64_t>(rows.size()), x.cols()));
    return op.finish({x});
  }
  void backward() override {
    tape().accumulate(x, [&](MatrixView dx) {
      kernels::fill(dx, 0);
      kernels::scatter_add_rows(output_gradient(), rows, dx);
    });
  }
  void trace_samples() override {
    const std::span<const int32_t> owners = tape().owners(x);
    owner_memory.resize(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) owner_memory[i] = owners[static_cast<size_t>(rows[i])];
    tape().set_owners(output(), owner_memory);
  }
};

// y_j = sum of x_i with rows[i] = j:  dx_i = g_rows[i].
struct ScatterRows final : Operation {
  Var x;
  std::span<const int32_t> rows;
  std::vector<int32_t> owner_memory;
  std::string_view name() const override { return "scatter_rows"; }
  static Var apply(Var x, std::span<const int32_t> rows, int64_t count) {
    require(static_cast<int64_t>(rows.size()) == x.rows(), "{} places for {} rows", rows.size(), x.rows());
    require_rows_in_range(rows, count);
    auto& op = x.tape->record<ScatterRows>();
    op.x = x;
    op.rows = rows;
    const MatrixView y = op.allocate(count, x.cols());
    kernels::fill(y, 0);
    kernels::scatter_add_rows(x.value(), rows, y);
    return op.finish({x});
  }
  void backward() override {
    tape().accumulate(x, [&](MatrixView dx) { kernels::gather_rows(output_gradient(), rows, dx); });
  }
  void trace_samples() override {
    const std::span<const int32_t> owners = tape().owners(x);
    owner_memory.assign(static_cast<size_t>(output().rows()), -1);
    for (size_t i = 0; i < rows.size(); ++i) {
      int32_t& owner = owner_memory[static_cast<size_t>(rows[i])];
      if (owner >= 0 && owner != owners[i]) {
        fail(ErrorKind::Unsupported, "scatter_rows adds rows of different samples, which DP-SGD cannot clip");
      }
      owner = owners[i];
    }
    for (int32_t& owner : owner_memory) {
      if (owner < 0) fail(ErrorKind::Unsupported, "scatter_rows leaves a row that belongs to no sample");
    }
    tape().set_owners(output(), owner_memory);
  }
};

// y = (x_1 + ... + x_B) / B over blocks of columns:  dx_b = g / B.
struct MeanOfBlocks final : Operation {
  Var x;
  int64_t blocks = 1;
  std::string_view name() const override { return "mean_of_blocks"; }
  static Var apply(Var x, int64_t blocks) {
    require(blocks >= 1 && x.cols() % blocks == 0, "{} columns do not split into {} blocks", x.cols(), blocks);
    auto& op = x.tape->record<MeanOfBlocks>();
    op.x = x;
    op.blocks = blocks;
    const int64_t width = x.cols() / blocks;
    const MatrixView y = op.allocate(x.rows(), width);
    kernels::scale(1 / static_cast<Real>(blocks), x.value().columns(0, width), y);
    for (int64_t b = 1; b < blocks; ++b) {
      kernels::axpy(1 / static_cast<Real>(blocks), x.value().columns(b * width, width), y);
    }
    return op.finish({x});
  }
  void backward() override {
    tape().accumulate(x, [&](MatrixView dx) {
      const int64_t width = output().cols();
      for (int64_t b = 0; b < blocks; ++b) {
        kernels::scale(1 / static_cast<Real>(blocks), output_gradient(), dx.columns(b * width, width));
      }
    });
  }
  void trace_samples() override { tape().trace_rowwise(output(), {x}); }
};

}  // namespace

Var concat_columns(std::span<const Var> parts) { return ConcatColumns::apply(parts); }
Var slice_columns(Var x, int64_t begin, int64_t count) { return SliceColumns::apply(x, begin, count); }
Var gather_rows(Var x, std::span<const int32_t> rows) { return GatherRows::apply(x, rows); }
Var scatter_rows(Var x, std::span<const int32_t> rows, int64_t count) { return ScatterRows::apply(x, rows, count); }
Var mean_of_blocks(Var x, int64_t blocks) { return MeanOfBlocks::apply(x, blocks); }

}  // namespace graphveil::nn
