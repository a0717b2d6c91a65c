#include "bench/kernels/machine.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "bench/kernels/table.h"
#include "graphveil/base/matrix.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/random.h"
#include "tests/threads.h"

namespace graphveil::bench {
namespace {

typedef float Vec __attribute__((vector_size(64), aligned(4), may_alias));

volatile float sink;

const Vec& at(const float* p) { return *reinterpret_cast<const Vec*>(p); }

void keep(Vec v) { sink = v[0]; }

double copy_rate() {
  Matrix from(1, 32 << 20), to(1, 32 << 20);
  const float* source = from.data();
  float* target = to.data();
  const double seconds = best_seconds([&] {
    parallel_for(from.size(), 1 << 18, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i += 16) *reinterpret_cast<Vec*>(target + i) = at(source + i);
    });
  });
  return 2 * static_cast<double>(from.size()) * 4 / seconds;
}

constexpr int64_t kGathers = 1 << 22, kAhead = 16;

template <int Lines>
void gather(const float* table, const std::vector<int32_t>& places) {
  parallel_for(kGathers, kGathers / 64, [&](int64_t begin, int64_t end) {
    Vec sums[Lines] = {};
    for (int64_t i = begin; i < end; ++i) {
      const float* later = table + places[i + kAhead] * 16 * Lines;
      const float* row = table + places[i] * 16 * Lines;
      for (int v = 0; v < Lines; ++v) __builtin_prefetch(later + 16 * v);
      for (int v = 0; v < Lines; ++v) sums[v] += at(row + 16 * v);
    }
    for (int v = 1; v < Lines; ++v) sums[0] += sums[v];
    keep(sums[0]);
  });
}

double flop_rate() {
  constexpr int64_t kPieces = 64, kSteps = 1 << 18;
  constexpr int kChains = 12;
  const double seconds = best_seconds([&] {
    parallel_for(kPieces, 1, [&](int64_t, int64_t) {
      Vec chains[kChains] = {};
      const Vec factor = sink - Vec{}, term = sink - Vec{};
      for (int64_t i = 0; i < kSteps; ++i) {
        for (int c = 0; c < kChains; ++c) chains[c] = chains[c] * factor + term;
      }
      for (int c = 1; c < kChains; ++c) chains[0] += chains[c];
      keep(chains[0]);
    });
  });
  return static_cast<double>(kPieces * kSteps * kChains) * 32 / seconds;
}

}  // namespace

void ReadProbe::run() {
  const float* data = data_.data();
  parallel_for(data_.size(), 1 << 18, [&](int64_t begin, int64_t end) {
    Vec sums[8] = {};
    for (int64_t i = begin; i < end; i += 128) {
      for (int v = 0; v < 8; ++v) sums[v] += at(data + i + 16 * v);
    }
    for (int v = 1; v < 8; ++v) sums[0] += sums[v];
    keep(sums[0]);
  });
}

GatherProbe::GatherProbe(int lines_per_row, int64_t table_bytes)
    : lines_per_row_(lines_per_row),
      table_(table_bytes / (64 * lines_per_row), 16 * lines_per_row),
      places_(kGathers + kAhead) {
  RandomStream random(Seed::from_number(1), "gather", 0);
  for (int32_t& place : places_) place = static_cast<int32_t>(random.below(static_cast<uint64_t>(table_.rows())));
}

void GatherProbe::run() { lines_per_row_ == 4 ? gather<4>(table_.data(), places_) : gather<1>(table_.data(), places_); }

double GatherProbe::lines() const { return static_cast<double>(kGathers) * lines_per_row_; }

Machine measure_machine() {
  Machine machine;
  {
    ReadProbe read;
    machine.read_bytes_per_second = read.bytes() / best_seconds([&] { read.run(); });
  }
  machine.copy_bytes_per_second = copy_rate();
  GatherProbe single(1), rows(4), inner(1, GatherProbe::kInner);
  machine.gather_line_seconds = best_seconds([&] { single.run(); }) / single.lines();
  machine.gather_row_line_seconds = best_seconds([&] { rows.run(); }) / rows.lines();
  machine.gather_inner_seconds = best_seconds([&] { inner.run(); }) / inner.lines();
  machine.flops_per_second = flop_rate();
  const int threads = thread_count();
  set_thread_count(1);
  machine.one_thread_copy_bytes_per_second = copy_rate();
  set_thread_count(threads);
  return machine;
}

void print_machine(const Machine& m) {
  fmt::print(
      "machine, {} threads: read {:.1f} GB/s, copy {:.1f} GB/s, gather {:.2f} ns a line ({:.2f} in rows of 4, {:.2f} "
      "from "
      "the inner cache), {:.0f} GFLOP/s\n",
      thread_count(), m.read_bytes_per_second / 1e9, m.copy_bytes_per_second / 1e9, m.gather_line_seconds * 1e9,
      m.gather_row_line_seconds * 1e9, m.gather_inner_seconds * 1e9, m.flops_per_second / 1e9);
}

Bound traffic_bound(const Machine& machine, double bytes, double flops) {
  const double memory = bytes / machine.read_bytes_per_second, arithmetic = flops / machine.flops_per_second;
  return memory >= arithmetic ? Bound{memory, "bandwidth"} : Bound{arithmetic, "arithmetic"};
}

}  // namespace graphveil::bench
