#include <vector>

#include <fmt/format.h>

#include "bench/kernels/benches.h"
#include "bench/kernels/table.h"
#include "graphveil/base/random.h"
#include "graphveil/kernels/fft.h"

namespace graphveil::bench {

void bench_convolution(const Machine& machine) {
  print_heading("convolution of two sequences in double, 1 thread");
  RandomStream random(Seed::from_number(11), "convolution");
  for (size_t length : {size_t{1} << 13, size_t{1} << 16, size_t{1} << 19}) {
    std::vector<double> a(length), b(length);
    for (double& x : a) x = random.uniform();
    for (double& x : b) x = random.uniform();
    // Compulsory traffic: two inputs read, one output of twice the length written.
    const double bound = 8 * 6 * static_cast<double>(length) / machine.one_thread_copy_bytes_per_second;
    const double seconds = best_seconds([&] { a[0] = kernels::convolve(a, b)[0]; });
    print_line({fmt::format("{} terms each", length),
                seconds,
                bound,
                "bandwidth",
                {},
                seconds * 1e9 / static_cast<double>(length)});
  }
}

}  // namespace graphveil::bench
