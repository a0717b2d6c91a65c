// Awkward matrices for the kernel tests, and guards that put global choices back.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/random.h"
#include "graphveil/base/sparse_matrix.h"
#include "graphveil/kernels/cpu.h"
#include "tests/threads.h"

namespace graphveil::kernels {

// A matrix inside a larger buffer: rows `padding` scalars apart, the first one `shift` scalars after an aligned
// address. Everything outside the matrix is NaN, so that reading it shows.
class Framed {
 public:
  Framed(int64_t rows, int64_t cols, int64_t padding = 0, int64_t shift = 0)
      : padding_(padding),
        shift_(shift),
        buffer_(Matrix::uninitialized(1, shift + (rows + 1) * (cols + padding) + 16)),
        view_(buffer_.data() + shift, rows, cols, cols + padding) {
    for (Real& v : buffer_.values()) v = std::numeric_limits<Real>::quiet_NaN();
    for (int64_t r = 0; r < rows; ++r) {
      for (Real& v : view_.row(r)) v = 0;
    }
  }
  MatrixView view() { return view_; }
  ConstMatrixView view() const { return view_; }
  operator MatrixView() { return view_; }
  operator ConstMatrixView() const { return view_; }
  Real& operator()(int64_t r, int64_t c) const { return view_(r, c); }

  // Whether nothing outside the matrix was written.
  bool frame_intact() const {
    const int64_t stride = view_.cols + padding_;
    for (int64_t i = 0; i < buffer_.size(); ++i) {
      const int64_t place = i - shift_;
      const bool inside = place >= 0 && stride > 0 && place / stride < view_.rows && place % stride < view_.cols;
      if (!inside && buffer_.values()[i] == buffer_.values()[i]) return false;
    }
    return true;
  }

 private:
  int64_t padding_, shift_;
  Matrix buffer_;
  MatrixView view_;
};

inline void randomize(MatrixView m, uint64_t seed, double scale = 1.0) {
  RandomStream stream(Seed::from_number(seed), "kernel tests");
  for (int64_t r = 0; r < m.rows; ++r) {
    for (Real& v : m.row(r)) v = static_cast<Real>(scale * stream.gaussian());
  }
}

// About `mean_entries` a row, some rows empty, one row heavy; indices rise.
inline SparseMatrix random_sparse(int64_t rows, int64_t cols, double mean_entries, bool weighted, uint64_t seed) {
  RandomStream stream(Seed::from_number(seed), "sparse tests");
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  std::vector<Real> values;
  for (int64_t r = 0; r < rows; ++r) {
    const double rate = r % 5 == 3      ? 0.0
                        : r == rows / 2 ? 0.9
                                        : mean_entries / static_cast<double>(cols > 0 ? cols : 1);
    for (int64_t c = 0; c < cols; ++c) {
      if (!stream.bernoulli(rate < 1 ? rate : 1)) continue;
      indices.push_back(static_cast<int32_t>(c));
      if (weighted) values.push_back(static_cast<Real>(stream.gaussian()));
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  return {.rows = rows,
          .cols = cols,
          .offsets = std::move(offsets),
          .indices = std::move(indices),
          .values = std::move(values)};
}

inline std::vector<CpuLevel> available_levels() {
  std::vector<CpuLevel> levels;
  for (CpuLevel level : {CpuLevel::Generic, CpuLevel::Avx2, CpuLevel::Avx512}) {
    if (level <= best_cpu_level()) levels.push_back(level);
  }
  return levels;
}

// Puts the CPU level and the number of threads back at the end of a test.
class Restore {
 public:
  ~Restore() {
    set_cpu_level(level_);
    set_thread_count(threads_);
  }

 private:
  CpuLevel level_ = cpu_level();
  int threads_ = thread_count();
};

}  // namespace graphveil::kernels
