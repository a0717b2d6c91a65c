#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "bench/kernels/benches.h"
#include "bench/kernels/eigen_versions.h"
#include "bench/kernels/random_graph.h"
#include "bench/kernels/table.h"
#include "graphveil/kernels/grid_rows.h"
#include "graphveil/kernels/integer_spmm.h"
#include "graphveil/kernels/spmm.h"

namespace graphveil::bench {
namespace {

Matrix random_matrix(int64_t rows, int64_t cols) { return bench::random_matrix(rows, cols, 7); }

// The slower of: reading the matrix and x and writing the output once; one gather from the outer cache per entry
// and line of x.
Bound spmm_bound(const Machine& machine, const SparseView& a, int64_t cols) {
  const double entry_bytes = a.values.empty() ? 4 : 8;
  const double bytes = entry_bytes * static_cast<double>(a.entries()) + 8.0 * static_cast<double>(a.rows) +
                       4.0 * static_cast<double>((a.rows + a.cols) * cols);
  const int64_t lines = (cols + 15) / 16;
  const double line_seconds = lines >= 4 ? machine.gather_row_line_seconds : machine.gather_line_seconds;
  const double gather = static_cast<double>(a.entries() * lines) * line_seconds;
  const Bound traffic = traffic_bound(machine, bytes);
  return gather > traffic.seconds ? Bound{gather, "L3 gather"} : traffic;
}

void bench_graph(const Machine& machine) {
  const SparseMatrix graph = random_graph(117'000, 393, 1);
  print_heading(fmt::format("A x, {} nodes, {} edges", graph.rows, graph.entries()));
  const EigenSparse eigen(graph);
  std::vector<Real> ones(static_cast<size_t>(graph.entries()), 0.5f);
  SparseMatrix weighted = graph;
  weighted.values = SharedArray<Real>(std::move(ones));
  for (int64_t cols : {1, 4, 7, 16, 32, 40, 64, 100, 128, 256}) {
    const Matrix x = random_matrix(graph.cols, cols);
    Matrix out(graph.rows, cols);
    const double eigen_seconds = best_seconds([&] { eigen.multiply(x, out); });
    for (const SparseMatrix& a : {graph, weighted}) {  // copies share the arrays
      const double seconds = best_seconds([&] { kernels::spmm(a, x, out); });
      const Bound bound = spmm_bound(machine, a, cols);
      print_line({fmt::format("{} columns{}", cols, a.values.empty() ? "" : ", weighted"), seconds, bound.seconds,
                  bound.by, eigen_seconds, seconds * 1e9 / static_cast<double>(graph.entries())});
    }
  }
  for (int64_t cols : {16, 64}) {
    const Matrix x = random_matrix(graph.cols, cols);
    Matrix out(graph.cols, cols);
    const double eigen_seconds = best_seconds([&] { eigen.multiply_transposed(x, out); });
    const double seconds = best_seconds([&] { kernels::spmm_transposed(graph, x, out); });
    const Bound bound = spmm_bound(machine, graph, cols);
    print_line({fmt::format("{} columns, transposed by scattering", cols), seconds, bound.seconds, bound.by,
                eigen_seconds, seconds * 1e9 / static_cast<double>(graph.entries())});
  }
  const double seconds = best_seconds([&] { kernels::transpose(graph); });
  const Bound bound = traffic_bound(machine, 8.0 * static_cast<double>(graph.entries()));
  print_line({"transpose", seconds, bound.seconds, bound.by, {}, seconds * 1e9 / static_cast<double>(graph.entries())});
}

// The same product on a grid: floats and whole numbers by turns, so that their ratio is fair.
void bench_grid(const Machine& machine) {
  const SparseMatrix graph = random_graph(117'000, 100, 1);
  print_heading(fmt::format("A x on a grid, {} nodes, {} edges", graph.rows, graph.entries()));
  for (int64_t cols : {7, 16, 40, 64, 128}) {
    const Matrix x = random_matrix(graph.cols, cols);
    Matrix out(graph.rows, cols);
    IntegerMatrix<int32_t> grid(graph.cols, cols), narrow(graph.rows, cols);
    IntegerMatrix<int64_t> wide(graph.rows, cols);
    kernels::to_grid(x, 1.0, 0x1p-20, grid);
    const std::vector<double> seconds =
        best_by_turns(5, {[&] { kernels::spmm(graph, x, out); }, [&] { kernels::spmm(graph, grid, narrow); },
                          [&] { kernels::spmm(graph, grid, wide); }, [&] { kernels::to_grid(x, 1.0, 0x1p-20, grid); },
                          [&] { kernels::from_grid(narrow, 0x1p-20, out); }});
    const char* names[] = {"floats", "32 bits", "64 bits", "rows onto the grid", "sums back from the grid"};
    const Bound product = spmm_bound(machine, graph, cols);
    const Bound copy = traffic_bound(machine, 8.0 * static_cast<double>(x.size()));
    for (size_t i = 0; i < seconds.size(); ++i) {
      const Bound& bound = i < 3 ? product : copy;
      print_line({fmt::format("{} columns, {}", cols, names[i]),
                  seconds[i],
                  bound.seconds,
                  bound.by,
                  {},
                  seconds[i] * 1e9 / static_cast<double>(i < 3 ? graph.entries() : x.size())});
    }
  }
}

void bench_features(const Machine& machine) {
  const SparseMatrix features = random_features(26'406, 501, 6, 2);
  print_heading(fmt::format("sparse features, {} x {}, {} entries", features.rows, features.cols, features.entries()));
  const EigenSparse eigen(features);
  std::vector<int32_t> batch(4096);
  std::iota(batch.begin(), batch.end(), 0);
  std::for_each(batch.begin(), batch.end(), [](int32_t& r) { r = r * 7919 % 26'406; });
  for (int64_t cols : {16, 64}) {
    const Matrix w = random_matrix(features.cols, cols), g = random_matrix(features.rows, cols);
    Matrix out(features.rows, cols), gradient(features.cols, cols), batch_out(4096, cols);
    const double entries = static_cast<double>(features.entries());
    const double dense_bytes = 4.0 * static_cast<double>((features.rows + features.cols) * cols);
    const Bound bound = traffic_bound(machine, 4 * entries + 8.0 * static_cast<double>(features.rows) + dense_bytes);
    const Bound batch_bound{bound.seconds * 4096 / static_cast<double>(features.rows), bound.by};
    const auto line = [&](const char* what, double seconds, const Bound& b, std::optional<double> eigen_seconds) {
      print_line({fmt::format("{}, {} columns", what, cols), seconds, b.seconds, b.by, eigen_seconds, {}});
    };
    line("X W", best_seconds([&] { kernels::spmm(features, w, out); }), bound,
         best_seconds([&] { eigen.multiply(w, out); }));
    line("X' G", best_seconds([&] { kernels::spmm_transposed(features, g, gradient); }), bound,
         best_seconds([&] { eigen.multiply_transposed(g, gradient); }));
    line("X[4096 rows] W", best_seconds([&] { kernels::spmm_rows(features, batch, w, batch_out); }), batch_bound, {});
    line("X[4096 rows]' G", best_seconds([&] { kernels::spmm_rows_transposed(features, batch, batch_out, gradient); }),
         batch_bound, {});
  }
}

}  // namespace

void bench_sparse(const Machine& machine) {
  bench_graph(machine);
  bench_grid(machine);
  bench_features(machine);
}

}  // namespace graphveil::bench
