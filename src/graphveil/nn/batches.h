// Who takes part in a training step. A batch depends on the seed and the step's number alone, so a resumed run
// sees the same ones; and the sampler itself says how it draws, so the ledger cannot disagree with it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graphveil/base/random.h"
#include "graphveil/bound/clipping.h"

namespace graphveil::nn {

// Where the ids that a sampler is given stand in the list of all of them, which ranks share out in stretches
// (base/ranks.h). `first` is a whole number of blocks, or there are none.
struct Places {
  int64_t first = 0;
  int64_t all = 0;
};

// How many places there are from the beginning of one block to that of the next when each id is drawn at this rate, of
// so many: cuts between ranks lie where a block begins. 1 draws everybody.
int64_t places_per_block(double rate, int64_t ids);

class Batches {
 public:
  virtual ~Batches() = default;
  // The ids of step 0, 1, 2, ...; valid until the next call. May be empty.
  virtual std::span<const int32_t> batch(int64_t step) = 0;
  // How many of that batch are before the end of block 0, 1, 2, ...: block b is [ends[b - 1], ends[b]), at most
  // bound::kMaxSamplesPerBlock long, maybe empty. Where each id may be drawn or not, in which block it would be depends
  // on the id alone, so that nobody else's block changes with it (bound/clipping.h). Empty: every
  // bound::kSamplesPerBlock of them.
  virtual std::span<const int64_t> block_ends() const { return {}; }
  // How the batches are drawn, and what one record can touch: the only source of what the ledger says. Throws
  // Unsupported where we have no proof of amplification or bound.
  virtual bound::SampleDraw draw() const = 0;
  // A sum over a batch is divided by this to get a mean, without a look at the batch: the expected size.
  virtual double expected_size() const = 0;
  // Whether other ranks have the rest of each batch, so that its sum is that of all.
  virtual bool shared_out() const { return false; }
};

// Throws InvalidArgument when an id is listed twice: its node would be in more samples than a draw says.
void check_distinct(std::span<const int32_t> ids);

// Everybody, every step.
class FullBatch final : public Batches {
 public:
  // `draw` says what one record touches; its rate is 1 and the ids are distinct, or this throws InvalidArgument.
  // With places: these ids are a rank's share.
  explicit FullBatch(std::vector<int32_t> ids, bound::SampleDraw draw = {}, std::optional<Places> places = {});
  std::span<const int32_t> batch(int64_t step) override;
  bound::SampleDraw draw() const override { return draw_; }
  double expected_size() const override { return static_cast<double>(all_); }
  bool shared_out() const override { return shared_out_; }

 private:
  std::vector<int32_t> ids_;
  bound::SampleDraw draw_;
  int64_t all_;
  bool shared_out_;
};

// Each id with probability draw.rate, independently, anew in every step: the probability is that double itself, by
// comparison of whole numbers (kernels/poisson_sample.h). A block is a stretch of the list of ids, wide enough for
// about kDrawnPerBlock of them to be drawn. Beyond bound::kMaxSamplesPerBlock in one, of which the chance is below
// 2e-19, batch() throws: who is drawn does not depend on the records, so this tells nothing about them.
class PoissonBatches final : public Batches {
 public:
  // Throws InvalidArgument unless the ids are distinct. With places: these ids are a rank's share.
  PoissonBatches(std::vector<int32_t> ids, bound::SampleDraw draw, const Seed& seed, std::optional<Places> places = {});
  std::span<const int32_t> batch(int64_t step) override;
  std::span<const int64_t> block_ends() const override {
    return present_ != nullptr ? std::span<const int64_t>(present_->block_ends) : std::span<const int64_t>();
  }
  bound::SampleDraw draw() const override { return draw_; }
  double expected_size() const override { return draw_.rate * static_cast<double>(places_.all); }
  bool shared_out() const override { return shared_out_; }

  static constexpr double kDrawnPerBlock = 48;

 private:
  struct Drawn {
    std::vector<int32_t> ids;
    std::vector<int64_t> block_ends;
  };
  Drawn drawn(int64_t step) const;

  std::vector<int32_t> ids_;
  bound::SampleDraw draw_;
  Seed seed_;
  Places places_;
  bool shared_out_;
  int64_t block_width_;
  std::vector<Drawn> ahead_;  // of steps first_ahead_, first_ahead_ + 1, ...
  int64_t first_ahead_ = 0;
  const Drawn* present_ = nullptr;  // the last that was asked for
};

// `size` of the ids, a uniform choice without replacement, anew in every step. We have no proof for these with groups:
// draw() throws.
class FixedSizeBatches final : public Batches {
 public:
  FixedSizeBatches(std::vector<int32_t> ids, int64_t size, const Seed& seed);
  std::span<const int32_t> batch(int64_t step) override;
  bound::SampleDraw draw() const override;
  double expected_size() const override { return static_cast<double>(size_); }

 private:
  std::vector<int32_t> ids_, drawn_;
  int64_t size_;
  RandomStream random_;
};

// A new permutation every epoch, cut into batches of `size` (the last one shorter). For training without privacy:
// draw() throws.
class ShuffledBatches final : public Batches {
 public:
  ShuffledBatches(std::vector<int32_t> ids, int64_t size, const Seed& seed);
  std::span<const int32_t> batch(int64_t step) override;
  bound::SampleDraw draw() const override;
  double expected_size() const override { return static_cast<double>(size_); }
  int64_t steps_per_epoch() const;

 private:
  std::vector<int32_t> ids_, order_;
  int64_t size_;
  int64_t epoch_ = -1;
  RandomStream random_;
};

}  // namespace graphveil::nn
