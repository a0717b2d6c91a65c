#include <cstdint>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "bench/kernels/benches.h"
#include "bench/kernels/table.h"
#include "graphveil/base/parallel.h"
#include "graphveil/kernels/discrete_noise.h"
#include "graphveil/kernels/grid_noise.h"
#include "graphveil/kernels/poisson_sample.h"
#include "graphveil/kernels/stream_name.h"
#include "tests/threads.h"

namespace graphveil::bench {
namespace {

// Whole numbers: what is released. The bound is reading and writing the values once.
void bench_whole_numbers(double copy_bytes_per_second) {
  namespace k = kernels;
  const Seed seed = Seed::from_number(11);
  constexpr size_t kCount = size_t{1} << 22;
  std::vector<int64_t> wide(kCount);
  std::vector<int32_t> narrow(kCount);
  uint64_t index = 0;
  const auto measure = [&](const char* what, double bytes_each, auto fill) {
    const double seconds = best_seconds([&] { fill(k::StreamName{seed, what, ++index}); });
    print_line({what, seconds, bytes_each * kCount / copy_bytes_per_second, "bandwidth", {}, seconds * 1e9 / kCount});
  };
  constexpr double kScale = 65536;
  measure("rounded gaussian, 64 bits", 16, [&](const auto& s) { k::add_gaussian(std::span(wide), kScale, s); });
  measure("rounded gaussian, 32 bits", 8, [&](const auto& s) { k::add_gaussian(std::span(narrow), kScale, s); });
  measure("rounded gaussian, scale 2^36", 16, [&](const auto& s) { k::add_gaussian(std::span(wide), 0x1p36, s); });
  measure("rounded laplace, 64 bits", 16, [&](const auto& s) { k::add_laplace(std::span(wide), kScale, s); });
  measure("rounded gumbel, 64 bits", 16, [&](const auto& s) { k::fill_gumbel_grid(wide, kScale, s); });
  measure("discrete laplace, scale 2", 16, [&](const auto& s) { k::add_discrete_laplace(wide, {2, 1}, s); });
  measure("discrete laplace, scale 200", 16, [&](const auto& s) { k::add_discrete_laplace(wide, {200, 1}, s); });
  measure("discrete gaussian, deviation 20", 16, [&](const auto& s) { k::add_discrete_gaussian(wide, {400, 1}, s); });
  measure("poisson sample, rate 0.05", 8 * 0.05, [&](const auto& s) { k::poisson_sample(kCount, 0.05, s); });
}

}  // namespace

void bench_noise(const Machine& machine) {
  const int all_threads = thread_count();
  for (int threads : {1, all_threads}) {
    set_thread_count(threads);
    print_heading(fmt::format("noise, 4 million numbers, {} thread{}", threads, threads == 1 ? "" : "s"));
    bench_whole_numbers(threads == 1 ? machine.one_thread_copy_bytes_per_second : machine.copy_bytes_per_second);
  }
  set_thread_count(all_threads);
}

}  // namespace graphveil::bench
