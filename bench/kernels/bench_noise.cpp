#include <fmt/format.h>

#include "bench/kernels/benches.h"
#include "bench/kernels/table.h"
#include "graphveil/base/parallel.h"
#include "graphveil/kernels/noise_fill.h"

namespace graphveil::bench {

void bench_noise(const Machine& machine) {
  namespace k = kernels;
  const Seed seed = Seed::from_number(10);
  const int all_threads = thread_count();
  Matrix out(4096, 1024);
  uint64_t index = 0;
  for (int threads : {1, all_threads}) {
    set_thread_count(threads);
    print_heading(fmt::format("noise, 4 million floats, {} thread{}", threads, threads == 1 ? "" : "s"));
    const double bytes = 2 * 4 * static_cast<double>(out.size());  // a written line is first read
    const double bound =
        bytes / (threads == 1 ? machine.one_thread_copy_bytes_per_second : machine.copy_bytes_per_second);
    const auto measure = [&](const char* what, auto fill) {
      const double seconds = best_seconds([&] { fill(k::StreamName{seed, what, ++index}); });
      print_line({what, seconds, bound, "bandwidth", {}, seconds * 1e9 / static_cast<double>(out.size())});
    };
    measure("gaussian", [&](const k::StreamName& s) { k::fill_gaussian(out, 1.0, s); });
    measure("gaussian, added", [&](const k::StreamName& s) { k::fill_gaussian(out, 1.0, s, k::Into::Add); });
    measure("laplace", [&](const k::StreamName& s) { k::fill_laplace(out, 1.0, s); });
    measure("gumbel", [&](const k::StreamName& s) { k::fill_gumbel(out, 1.0, s); });
    measure("uniform", [&](const k::StreamName& s) { k::fill_uniform(out, 0, 1, s); });
    measure("dropout mask", [&](const k::StreamName& s) { k::fill_dropout_mask(out, 0.5, s); });
  }
  set_thread_count(all_threads);
}

}  // namespace graphveil::bench
