// The k largest entries of rows, each with its noise, zeros included: by Gumbel noise (the exponential mechanism, k
// picks at once; Durfee and Rogers 2019, Lemma 4.2: adding one Gumbel variable to each score and reading off the k
// largest is k exponential mechanisms, one after the other) or by Gaussian noise, where the entries come out with their
// values.
#include <algorithm>
#include <utility>

#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"
#include "graphveil/kernels/grid_noise.h"
#include "graphveil/mechanism/release_parts.h"

namespace graphveil::mechanism {
namespace {

constexpr int64_t kBlock = 1 << 14;   // columns that get their noise at once
constexpr int64_t kRowsAtOnce = 512;  // between two signs of progress

struct Entry {
  int64_t value;
  int32_t column;
  bool before(const Entry& other) const { return value != other.value ? value > other.value : column < other.column; }
};

// The first k of what it is shown, in order.
class Largest {
 public:
  explicit Largest(int64_t k) : k_(static_cast<size_t>(k)) {}
  void show(const Entry& entry) {
    if (entries_.size() == k_ && !entry.before(entries_.back())) return;
    if (entries_.size() == k_) entries_.pop_back();
    entries_.insert(
        std::ranges::upper_bound(entries_, entry, [](const Entry& a, const Entry& b) { return a.before(b); }), entry);
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  size_t k_;
  std::vector<Entry> entries_;
};

int64_t blocks(const bound::SparseGrid& grid) { return (grid.cols + kBlock - 1) / kBlock; }

// add_noise(values, stream) adds the noise of one block.
template <typename AddNoise>
Largest largest_of_row(const bound::SparseGrid& grid, int64_t row, int64_t k, AddNoise&& add_noise) {
  Largest largest(k);
  std::vector<int64_t> block(static_cast<size_t>(std::min(kBlock, grid.cols)));
  auto at = grid.offsets[static_cast<size_t>(row)];
  const auto end = grid.offsets[static_cast<size_t>(row) + 1];
  const int32_t left_out = grid.left_out.empty() ? -1 : grid.left_out[static_cast<size_t>(row)];
  for (int64_t b = 0; b < blocks(grid); ++b) {
    const int64_t first = b * kBlock, last = std::min(first + kBlock, grid.cols);
    const std::span<int64_t> values(block.data(), static_cast<size_t>(last - first));
    std::ranges::fill(values, 0);
    for (; at < end && grid.indices[static_cast<size_t>(at)] < last; ++at) {
      values[static_cast<size_t>(grid.indices[static_cast<size_t>(at)] - first)] = grid.values[static_cast<size_t>(at)];
    }
    add_noise(values, static_cast<uint64_t>(row * blocks(grid) + b));
    for (int64_t c = first; c < last; ++c) {
      if (c != left_out) largest.show({values[static_cast<size_t>(c - first)], static_cast<int32_t>(c)});
    }
  }
  return largest;
}

// Visits the k largest of every row, on all threads.
template <typename AddNoise, typename Visit>
void for_each_row(const std::string& label, const bound::SparseGrid& grid, int64_t k, AddNoise&& add_noise,
                  Visit&& visit) {
  Progress progress(label, grid.rows());
  for (int64_t first = 0; first < grid.rows(); first += kRowsAtOnce) {
    const int64_t some = std::min(kRowsAtOnce, grid.rows() - first);
    parallel_for(some, 1, [&](int64_t begin, int64_t end) {
      for (int64_t r = first + begin; r < first + end; ++r) {
        visit(r, largest_of_row(grid, r, k, add_noise).entries());
      }
    });
    progress.advance(some);
  }
}

void check(const std::string& label, const bound::SparseGrid& grid, int64_t k) {
  const int64_t columns = grid.cols - (grid.left_out.empty() ? 0 : 1);
  require(grid.rows() >= 1 && k >= 1 && k <= columns, "'{}' picks {} of {} columns in {} rows", label, k, columns,
          grid.rows());
}

std::vector<double> all_values(const bound::SparseGrid& grid) {
  std::vector<double> out(static_cast<size_t>(grid.rows() * grid.cols));
  for (int64_t r = 0; r < grid.rows(); ++r) {
    for (int64_t i = grid.offsets[static_cast<size_t>(r)]; i < grid.offsets[static_cast<size_t>(r) + 1]; ++i) {
      out[static_cast<size_t>(r * grid.cols + grid.indices[static_cast<size_t>(i)])] =
          static_cast<double>(grid.values[static_cast<size_t>(i)]) * grid.step;
    }
  }
  return out;
}

}  // namespace

Noisy<std::vector<int32_t>> Release::top_k(const std::string& label, bound::Bounded<bound::SparseGrid> scores,
                                           int64_t k) {
  const bound::SparseGrid& grid = scores.value_;
  check(label, grid, k);
  const PlanLine& planned = spend(label, scores.sensitivity(), grid.rows() * k);
  planned_as<account::Exponential>(planned);
  require(grid.step == this->grid(label), "'{}' lies on a grid of step {}, want {}", label, grid.step,
          this->grid(label));
  if (observer_ != nullptr) observer_->saw(label, all_values(grid), grid.rows(), scores.sensitivity());
  // Raising one score by the amount and lowering another moves the log-odds of two picks by 2 amount / b. With scores
  // and noise in whole steps, ties going to the lower column, a list of k is picked with a probability within a factor
  // exp(k^2 step / b) of that of continuous noise: with its j-th entry raised by k - j + 1 steps continuous noise picks
  // it wherever noise in steps did, and each of the k picks then changes by at most exp(k step / b). The noise itself
  // is right to a factor of exp(2^-75) a number (kernels/grid_noise.h), so any event of a row to exp(2^-75 columns),
  // less than exp(step / b) for fewer than 2^46 columns. A pick given those before it is thus within exp(2 (k^2 + 1)
  // step / b), its loss moves by at most twice that, its range by four times that.
  const double in_steps = 4 * (static_cast<double>(k) * static_cast<double>(k) + 1) * grid.step;
  const double scale = noise_scale(planned) * (1 + in_steps / planned.sensitivity());
  const uint64_t first = point_.draws;
  const std::string name = purpose(label);
  const auto add_noise = [&](std::span<int64_t> values, uint64_t stream) {
    if (door_ != Door::Private) return;
    std::vector<int64_t> noise(values.size());
    kernels::fill_gumbel_grid(noise, scale / grid.step, {seed_, name, first + stream});
    for (size_t i = 0; i < values.size(); ++i) values[i] += noise[i];
  };
  point_.draws += static_cast<uint64_t>(grid.rows() * blocks(grid));
  std::vector<int32_t> picks(static_cast<size_t>(grid.rows() * k));
  for_each_row(label, grid, k, add_noise, [&](int64_t row, const std::vector<Entry>& entries) {
    for (size_t j = 0; j < entries.size(); ++j) picks[static_cast<size_t>(row * k) + j] = entries[j].column;
  });
  return finish(label, std::move(picks), scale);
}

Noisy<LargestEntries> Release::gaussian_top_k(const std::string& label, bound::Bounded<bound::SparseGrid> input,
                                              int64_t k) {
  const bound::SparseGrid& grid = input.value_;
  check(label, grid, k);
  const PlanLine& planned = spend(label, input.sensitivity());
  planned_as<account::Gaussian>(planned);
  require(grid.step == this->grid(label), "'{}' lies on a grid of step {}, want {}", label, grid.step,
          this->grid(label));
  if (observer_ != nullptr) observer_->saw(label, all_values(grid), grid.rows(), input.sensitivity());
  const double stddev = noise_scale(planned), drawn = drawn_scale(planned);
  const uint64_t first = point_.draws;
  const std::string name = purpose(label);
  const auto add_noise = [&](std::span<int64_t> values, uint64_t stream) {
    if (door_ == Door::Private) kernels::add_gaussian(values, drawn / grid.step, {seed_, name, first + stream});
  };
  point_.draws += static_cast<uint64_t>(grid.rows() * blocks(grid));
  LargestEntries out;
  out.columns.resize(static_cast<size_t>(grid.rows() * k));
  out.values.resize(out.columns.size());
  for_each_row(label, grid, k, add_noise, [&](int64_t row, const std::vector<Entry>& entries) {
    for (size_t j = 0; j < entries.size(); ++j) {
      out.columns[static_cast<size_t>(row * k) + j] = entries[j].column;
      out.values[static_cast<size_t>(row * k) + j] = static_cast<double>(entries[j].value) * grid.step;
    }
  });
  return finish(label, std::move(out), stddev);
}

}  // namespace graphveil::mechanism
