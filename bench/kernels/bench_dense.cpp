#include <fmt/format.h>

#include "bench/kernels/benches.h"
#include "bench/kernels/eigen_versions.h"
#include "bench/kernels/random_graph.h"
#include "bench/kernels/table.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/nearest.h"

namespace graphveil::bench {
namespace {

Matrix random_matrix(int64_t rows, int64_t cols) { return bench::random_matrix(rows, cols, 8); }

void bench_gemm(const Machine& machine) {
  using kernels::Transpose;
  struct Shape {
    const char* what;
    int64_t m, n, k;
    Transpose ta, tb;
  };
  constexpr Shape shapes[] = {
      {"hidden layer", 117'000, 64, 100, Transpose::No, Transpose::No},
      {"few columns", 117'000, 16, 64, Transpose::No, Transpose::No},
      {"few columns", 117'000, 6, 64, Transpose::No, Transpose::No},
      {"few columns", 117'000, 40, 64, Transpose::No, Transpose::No},
      {"few columns, b transposed", 117'000, 16, 64, Transpose::No, Transpose::Yes},
      {"weight gradient", 100, 64, 117'000, Transpose::Yes, Transpose::No},
      {"weight gradient", 64, 16, 117'000, Transpose::Yes, Transpose::No},
      {"weight gradient", 64, 6, 117'000, Transpose::Yes, Transpose::No},
      {"input gradient", 117'000, 64, 16, Transpose::No, Transpose::Yes},
      {"small batch", 256, 64, 500, Transpose::No, Transpose::No},
      {"square", 1024, 1024, 1024, Transpose::No, Transpose::No},
  };
  print_heading("dense products");
  for (const Shape& s : shapes) {
    const bool ta = s.ta == Transpose::Yes, tb = s.tb == Transpose::Yes;
    const Matrix a = ta ? random_matrix(s.k, s.m) : random_matrix(s.m, s.k);
    const Matrix b = tb ? random_matrix(s.n, s.k) : random_matrix(s.k, s.n);
    Matrix c(s.m, s.n);
    const double seconds = best_seconds([&] { kernels::gemm(s.ta, s.tb, 1, a, b, 0, c); });
    const double eigen_seconds = best_seconds([&] { eigen_gemm(ta, tb, a, b, c); });
    const double flops = 2.0 * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
    const Bound bound = traffic_bound(machine, 4.0 * static_cast<double>(s.m * s.k + s.k * s.n + s.m * s.n), flops);
    print_line({fmt::format("{} {}x{}, depth {}", s.what, s.m, s.n, s.k),
                seconds,
                bound.seconds,
                bound.by,
                eigen_seconds,
                {}});
  }
}

void bench_nearest(const Machine& machine) {
  print_heading("10 nearest neighbors of 1,000 queries");
  for (int64_t points : {100'000, 1'000'000}) {
    const Matrix queries = random_matrix(1000, 100), base = random_matrix(points, 100);
    const double flops = 2.0 * 1000 * 100 * static_cast<double>(points);
    const Bound bound = traffic_bound(machine, 400.0 * static_cast<double>(points), flops);
    const double seconds = best_seconds([&] { kernels::nearest(queries, base, 10, kernels::Distance::Euclidean); });
    print_line({fmt::format("{} x 100", points), seconds, bound.seconds, bound.by, {}, {}});
  }
}

}  // namespace

void bench_dense(const Machine& machine) {
  bench_gemm(machine);
  bench_nearest(machine);
}

}  // namespace graphveil::bench
