#include <functional>
#include <vector>

#include <fmt/format.h>

#include "bench/kernels/benches.h"
#include "bench/kernels/eigen_versions.h"
#include "bench/kernels/random_graph.h"
#include "bench/kernels/table.h"
#include "graphveil/kernels/activation.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/reduce.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/segment.h"
#include "graphveil/kernels/softmax.h"

namespace graphveil::bench {

void bench_rows(const Machine& machine) {
  namespace k = kernels;
  constexpr int64_t kRows = 400'000;
  volatile double sink = 0;
  for (int64_t cols : {16, 64}) {
    const Matrix x = random_matrix(kRows, cols, 9);
    Matrix y(kRows, cols), z(kRows, cols), line(1, cols);
    std::vector<Real> norms(kRows), losses(kRows), sums(static_cast<size_t>(cols)), weights(kRows, 1.0f);
    std::vector<int32_t> labels(kRows, 1), order(kRows);
    std::vector<int64_t> offsets;
    for (int64_t r = 0; r <= kRows; r += 8) offsets.push_back(r);
    for (int64_t r = 0; r < kRows; ++r) order[r] = static_cast<int32_t>(r * 7919 % kRows);
    Matrix segments(kRows / 8, cols);
    print_heading(fmt::format("rows and entries, {} x {}", kRows, cols));
    // `passes`: how often a matrix of this size crosses the memory bus at least.
    const auto measure = [&](const char* what, double passes, const std::function<void()>& ours,
                             const std::function<void()>& eigen) {
      const double seconds = best_seconds(ours);
      const double bytes = passes * static_cast<double>(x.size()) * 4;
      const double bound = bytes / (passes > 1 ? machine.copy_bytes_per_second : machine.read_bytes_per_second);
      print_line({what, seconds, bound, "bandwidth", eigen ? std::optional(best_seconds(eigen)) : std::nullopt,
                  seconds * 1e9 / static_cast<double>(x.size())});
    };
    measure("copy", 2, [&] { k::copy(x, y); }, {});
    measure("axpy", 3, [&] { k::axpy(0.5f, x, y); }, {});
    measure(
        "normalize rows", 2, [&] { k::normalize_rows(x, y, norms); }, [&] { eigen_normalize_rows(x, z); });
    measure("normalize rows, backward", 3, [&] { k::normalize_rows_backward(y, norms, x, z); }, {});
    measure(
        "softmax", 2, [&] { k::softmax(x, y); }, [&] { eigen_softmax(x, z); });
    measure("log-softmax", 2, [&] { k::log_softmax(x, y); }, {});
    measure("cross-entropy", 2, [&] { k::cross_entropy(x, labels, losses, y); }, {});
    measure("cross-entropy, backward", 2, [&] { k::cross_entropy_backward(y, labels, weights, z); }, {});
    measure("segment softmax", 2, [&] { k::segment_softmax(offsets, x, y); }, {});
    measure("segment sum", 1, [&] { k::segment_sum(offsets, x, segments); }, {});
    measure("relu", 2, [&] { k::activate(k::Activation::Relu, x, y); }, {});
    measure(
        "selu", 2, [&] { k::activate(k::Activation::Selu, x, y); }, [&] { eigen_selu(x, z); });
    measure(
        "tanh", 2, [&] { k::activate(k::Activation::Tanh, x, y); }, [&] { eigen_tanh(x, z); });
    measure("sigmoid", 2, [&] { k::activate(k::Activation::Sigmoid, x, y); }, {});
    measure("selu, backward", 3, [&] { k::activate_backward(k::Activation::Selu, y, x, z); }, {});
    measure("gather rows", 2, [&] { k::gather_rows(x, order, y); }, {});
    measure("scatter-add rows", 3, [&] { k::scatter_add_rows(x, order, y); }, {});
    measure(
        "sum of squares", 1, [&] { sink = k::sum_of_squares(x); }, [&] { sink = eigen_sum_of_squares(x); });
    measure(
        "column sums", 1, [&] { k::column_sums(x, sums); }, [&] { eigen_column_sums(x, line); });
  }
}

}  // namespace graphveil::bench
