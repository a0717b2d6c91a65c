#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "bench/kernels/benches.h"
#include "bench/kernels/eigen_versions.h"
#include "bench/kernels/random_graph.h"
#include "bench/kernels/table.h"
#include "graphveil/base/parallel.h"
#include "graphveil/kernels/discrete_noise.h"
#include "graphveil/kernels/spmm.h"
#include "graphveil/kernels/stream_name.h"
#include "tests/threads.h"

namespace graphveil::bench {
namespace {

bool judge(const char* what, double value, const char* relation, double limit, bool holds) {
  fmt::print("  {:<44}{:>8.2f}  promised {} {:<6}{}\n", what, value, relation, limit, holds ? "holds" : "FAILS");
  return holds;
}

bool promise_spmm(const SparseMatrix& graph, const EigenSparse& eigen, int64_t cols, double share_limit, int rounds) {
  const Matrix x = random_matrix(graph.cols, cols, 7);
  Matrix out(graph.rows, cols);
  ReadProbe read;
  GatherProbe gather(cols >= 64 ? 4 : 1);
  const std::vector<double> seconds =
      best_by_turns(20 * rounds, {[&] { read.run(); }, [&] { gather.run(); }, [&] { kernels::spmm(graph, x, out); },
                                  [&] { eigen.multiply(x, out); }});
  // The slower of: every byte of the matrix, of x and of the output once through memory; every gathered line once
  // through the outer cache.
  const double edges = static_cast<double>(graph.entries());
  const double bytes = 4 * edges + 8.0 * static_cast<double>(graph.rows) + 8.0 * static_cast<double>(graph.rows * cols);
  const double traffic = bytes * seconds[0] / read.bytes();
  const double lines = edges * static_cast<double>(cols / 16) * seconds[1] / gather.lines();
  fmt::print(
      "A x, {} nodes, {} edges, {} columns: {:.1f} ms; memory {:.1f} ms at {:.1f} GB/s, gather {:.1f} ms at {:.2f} ns "
      "a line, Eigen {:.1f} ms\n",
      graph.rows, graph.entries(), cols, seconds[2] * 1e3, traffic * 1e3, read.bytes() / seconds[0] / 1e9, lines * 1e3,
      seconds[1] / gather.lines() * 1e9, seconds[3] * 1e3);
  const double share = 100 * std::max(traffic, lines) / seconds[2], ratio = seconds[3] / seconds[2];
  const bool near_bound = judge("% of the bound", share, ">=", share_limit, share >= share_limit);
  const bool beats_eigen = judge("times Eigen", ratio, ">=", 3, ratio >= 3);
  return near_bound && beats_eigen;
}

// Exact noise on counts.
bool promise_whole_numbers(int rounds) {
  const Seed seed = Seed::from_number(12);
  const int threads = thread_count();
  set_thread_count(1);
  std::vector<int64_t> values(size_t{1} << 20);
  uint64_t index = 0;
  const std::vector<double> seconds =
      best_by_turns(rounds, {[&] {
                               kernels::add_discrete_laplace(values, {1, 1}, {seed, "laplace", ++index});
                             },
                             [&] {
                               kernels::add_discrete_gaussian(values, {25, 1}, {seed, "gaussian", ++index});
                             }});
  set_thread_count(threads);
  fmt::print("Exact whole-number noise, {} numbers, one thread\n", values.size());
  const double millions = static_cast<double>(values.size()) / 1e6;
  const double laplace = millions / seconds[0], gaussian = millions / seconds[1];
  const bool first = judge("million discrete Laplace a second", laplace, ">=", 20, laplace >= 20);
  const bool second = judge("million discrete Gaussian a second", gaussian, ">=", 20, gaussian >= 20);
  return first && second;
}

}  // namespace

bool bench_promises(int rounds) {
  const bool whole_numbers = promise_whole_numbers(rounds);
  const SparseMatrix graph = random_graph(117'000, 396.5, 1);
  const EigenSparse eigen(graph);
  const bool narrow = promise_spmm(graph, eigen, 16, 50, rounds);
  const bool wide = promise_spmm(graph, eigen, 64, 45, rounds);
  return whole_numbers && narrow && wide;
}

}  // namespace graphveil::bench
