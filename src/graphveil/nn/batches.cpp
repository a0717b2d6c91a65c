#include "graphveil/nn/batches.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/kernels/poisson_sample.h"

namespace graphveil::nn {

void check_distinct(std::span<const int32_t> ids) {
  const auto does_not_rise = [](int32_t a, int32_t b) { return a >= b; };
  if (std::adjacent_find(ids.begin(), ids.end(), does_not_rise) == ids.end()) return;
  std::vector<int32_t> sorted(ids.begin(), ids.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  require(twice == sorted.end(), "node {} is listed twice among those to train on", twice == sorted.end() ? 0 : *twice);
}

int64_t places_per_block(double rate, int64_t ids) {
  if (rate >= 1) return bound::kSamplesPerBlock;
  const double width = std::min(std::floor(PoissonBatches::kDrawnPerBlock / rate), static_cast<double>(ids));
  return std::max(bound::kSamplesPerBlock, static_cast<int64_t>(width));
}

namespace {

constexpr int64_t kDrawnAtOnce = 8192;

// A block on two ranks would be summed as two.
void check_places(const Places& places, size_t ids, int64_t per_block) {
  const int64_t end = places.first + static_cast<int64_t>(ids);
  if (places.first < 0 || end > places.all || (places.first % per_block != 0 && ids > 0) ||
      (end % per_block != 0 && end != places.all && ids > 0)) {
    fail(ErrorKind::Internal, "a rank's places are [{}, {}) of {}, want blocks of {}", places.first, end, places.all,
         per_block);
  }
}

}  // namespace

FullBatch::FullBatch(std::vector<int32_t> ids, bound::SampleDraw draw, std::optional<Places> places)
    : ids_(std::move(ids)), draw_(draw), all_(std::ssize(ids_)), shared_out_(places.has_value()) {
  bound::check(draw);
  require(draw.rate == 1, "a full batch has sampling rate {}, want 1", draw.rate);
  check_distinct(ids_);
  if (!places) return;
  check_places(*places, ids_.size(), places_per_block(1, places->all));
  all_ = places->all;
}

std::span<const int32_t> FullBatch::batch(int64_t) { return ids_; }

PoissonBatches::PoissonBatches(std::vector<int32_t> ids, bound::SampleDraw draw, const Seed& seed,
                               std::optional<Places> places)
    : ids_(std::move(ids)),
      draw_(draw),
      seed_(seed),
      places_(places.value_or(Places{0, std::ssize(ids_)})),
      shared_out_(places.has_value()) {
  bound::check(draw);
  block_width_ = places_per_block(draw.rate, places_.all);
  check_distinct(ids_);
  check_places(places_, ids_.size(), block_width_);
}

PoissonBatches::Drawn PoissonBatches::drawn(int64_t step) const {
  const int64_t first = places_.first, last = first + std::ssize(ids_);
  const std::vector<int64_t> taken =
      kernels::poisson_sample(first, last, draw_.rate, {seed_, "poisson batches", static_cast<uint64_t>(step)});
  Drawn out;
  out.ids.resize(taken.size());
  parallel_for(std::ssize(taken), kDrawnAtOnce, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      out.ids[static_cast<size_t>(i)] = ids_[static_cast<size_t>(taken[static_cast<size_t>(i)] - first)];
    }
  });
  for (int64_t end = first + block_width_; end < last + block_width_; end += block_width_) {
    const int64_t before = out.block_ends.empty() ? 0 : out.block_ends.back();
    out.block_ends.push_back(std::lower_bound(taken.begin() + before, taken.end(), end) - taken.begin());
    if (out.block_ends.back() - before > bound::kMaxSamplesPerBlock) {
      fail(ErrorKind::Internal, "{} of {} ids were drawn at rate {}, want at most {}", out.block_ends.back() - before,
           block_width_, draw_.rate, bound::kMaxSamplesPerBlock);
    }
  }
  return out;
}

// Each thread draws a step: of one step they would have little to share. Of larger batches, one after the other.
std::span<const int32_t> PoissonBatches::batch(int64_t step) {
  constexpr int64_t kStepsAtOnce = 16;
  constexpr double kFew = 1 << 17;
  if (draw_.rate == 1) return ids_;
  if (step < first_ahead_ || step >= first_ahead_ + std::ssize(ahead_)) {
    ahead_.resize(expected_size() <= kFew ? std::min<size_t>(kStepsAtOnce, static_cast<size_t>(thread_count())) : 1);
    first_ahead_ = step;
    parallel_for(std::ssize(ahead_), 1,
                 [&](int64_t i, int64_t /*end*/) { ahead_[static_cast<size_t>(i)] = drawn(step + i); });
  }
  present_ = &ahead_[static_cast<size_t>(step - first_ahead_)];
  return present_->ids;
}

FixedSizeBatches::FixedSizeBatches(std::vector<int32_t> ids, int64_t size, const Seed& seed)
    : ids_(std::move(ids)), size_(size), random_(seed, "fixed-size batches") {
  require(size >= 1 && size <= static_cast<int64_t>(ids_.size()), "batch size is {}, want 1 to {}", size, ids_.size());
}

std::span<const int32_t> FixedSizeBatches::batch(int64_t step) {
  random_.seek(static_cast<uint64_t>(step));
  drawn_.clear();
  for (const int64_t place : random_.sample_without_replacement(static_cast<int64_t>(ids_.size()), size_)) {
    drawn_.push_back(ids_[static_cast<size_t>(place)]);
  }
  return drawn_;
}

bound::SampleDraw FixedSizeBatches::draw() const {
  fail(ErrorKind::Unsupported, "batches of a fixed size have no privacy accounting here; use Poisson or full batches");
}

ShuffledBatches::ShuffledBatches(std::vector<int32_t> ids, int64_t size, const Seed& seed)
    : ids_(std::move(ids)), order_(ids_), size_(size), random_(seed, "shuffled batches") {
  require(size >= 1, "batch size is {}, want at least 1", size);
}

int64_t ShuffledBatches::steps_per_epoch() const {
  return std::max<int64_t>(1, (static_cast<int64_t>(ids_.size()) + size_ - 1) / size_);
}

std::span<const int32_t> ShuffledBatches::batch(int64_t step) {
  const int64_t epoch = step / steps_per_epoch();
  if (epoch != epoch_) {
    epoch_ = epoch;
    order_ = ids_;
    random_.seek(static_cast<uint64_t>(epoch));
    random_.shuffle(std::span<int32_t>(order_));
  }
  const int64_t begin = (step % steps_per_epoch()) * size_;
  const int64_t count = std::min(size_, static_cast<int64_t>(order_.size()) - begin);
  return std::span<const int32_t>(order_).subspan(static_cast<size_t>(begin), static_cast<size_t>(count));
}

bound::SampleDraw ShuffledBatches::draw() const {
  fail(ErrorKind::Unsupported, "shuffled batches have no privacy accounting here; use Poisson or full batches");
}

}  // namespace graphveil::nn
