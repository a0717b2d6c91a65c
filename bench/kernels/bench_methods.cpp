#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "bench/kernels/benches.h"
#include "bench/kernels/random_graph.h"
#include "bench/kernels/table.h"
#include "graphveil/kernels/batch_norm.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/softmax.h"
#include "graphveil/kernels/spmm.h"

namespace graphveil::bench {
namespace {

// Berkeley13: its rows are wider than the inner cache of one processor, and fit that of two.
constexpr int64_t kNodes = 18'939, kDegree = 72, kClasses = 6;

// Every byte comes from a cache: reading one line in its order takes no longer than one at random.
double cache_seconds(const Machine& machine, double bytes) { return bytes / 64 * machine.gather_inner_seconds; }

void measure(const Machine& machine, const char* what, double lines, double bytes, double flops,
             const std::function<void()>& work) {
  const double gathered = lines * machine.gather_inner_seconds, streamed = cache_seconds(machine, bytes);
  const double arithmetic = flops / machine.flops_per_second;
  const double bound = std::max({gathered + streamed, arithmetic});
  print_line({what, best_seconds(work), bound, bound == arithmetic ? "arithmetic" : "L2 lines", {}, {}});
}

}  // namespace

void bench_methods(const Machine& machine) {
  namespace k = kernels;
  print_heading(fmt::format("whole trainings, {} nodes, {} edges each", kNodes, kDegree));
  const SparseMatrix graph = random_graph(kNodes, kDegree, 1);
  const double entries = static_cast<double>(graph.entries());
  for (int64_t cols : {16, 48}) {
    const Matrix x = random_matrix(kNodes, cols, 3), w = random_matrix(cols, 16, 4), g = random_matrix(kNodes, 16, 5);
    Matrix y(kNodes, cols), z(kNodes, cols), out(kNodes, 16), dw(cols, 16);
    const double row_bytes = 4.0 * kNodes * static_cast<double>(cols), out_bytes = 4.0 * kNodes * 16;
    const double products = 2.0 * kNodes * 16 * static_cast<double>(cols);
    const auto named = [&](const char* text) { return fmt::format("{}, {} columns", text, cols); };
    const auto line = [&](const char* text, double lines, double bytes, double flops,
                          const std::function<void()>& work) {
      measure(machine, named(text).c_str(), lines, bytes, flops, work);
    };
    line("sums over neighbors", entries * static_cast<double>(cols) / 16, 4 * entries + row_bytes,
         entries * static_cast<double>(cols), [&] { k::spmm(graph, x, y); });
    line("X W, 16 wide", 0, row_bytes + out_bytes, products,
         [&] { k::gemm(k::Transpose::No, k::Transpose::No, 1, x, w, 0, out); });
    line("X' G, 16 wide", 0, row_bytes + out_bytes, products,
         [&] { k::gemm(k::Transpose::Yes, k::Transpose::No, 1, x, g, 0, dw); });
    std::vector<Real> norms(kNodes), mean(static_cast<size_t>(cols), 0), ones(static_cast<size_t>(cols), 1);
    std::vector<double> means(static_cast<size_t>(cols)), variances(static_cast<size_t>(cols));
    line("rows to norm 1", 0, 2 * row_bytes, 0, [&] { k::normalize_rows(x, y, norms); });
    line("rows to norm 1, backward", 0, 3 * row_bytes, 0, [&] { k::normalize_rows_backward(y, norms, x, z); });
    line("batch norm, moments", 0, row_bytes, 0, [&] { k::column_moments(x, means, variances); });
    const k::BatchNormColumns columns{mean, ones, ones, mean};
    line("batch norm and SELU", 0, 2 * row_bytes, 0, [&] { k::batch_normalize(x, columns, k::Activation::Selu, y); });
    std::vector<Real> sum_g(static_cast<size_t>(cols)), sum_gz(static_cast<size_t>(cols));
    line("batch norm, SELU, backward", 0, 7 * row_bytes, 0, [&] {
      k::batch_norm_sums(x, x, columns, k::Activated{k::Activation::Selu, y, z}, sum_g, sum_gz);
      k::batch_norm_backward(z, x, columns, sum_g, sum_gz, 1.0f / kNodes, z);
    });
  }
  const Matrix scores = random_matrix(kNodes, kClasses, 6);
  Matrix shares(kNodes, kClasses);
  measure(machine, "softmax, 6 classes", 0, 2 * 4.0 * kNodes * kClasses, 0, [&] { k::softmax(scores, shares); });
}

}  // namespace graphveil::bench
