#include "graphveil/nn/clipped_gradient.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "graphveil/base/parallel.h"
#include "graphveil/base/ranks.h"

namespace graphveil::nn {
namespace {

// A sample's norm is never taken to be less than the sum of its rows' norms over this.
constexpr double kMostCancellation = 64;
// Of bound::kBlockError, what the float sums of a block may use up.
constexpr double kFloatShare = 0.99;
// A float sum of more rows gains no speed.
constexpr int64_t kMostRowsPerSum = 2048;
// Samples that one thread looks at, of loops that do little for each.
constexpr int64_t kAtOnce = 4096;
constexpr int64_t kBlocksAtOnce = 16;
constexpr int64_t kEntriesAtOnce = 512;  // of sums that other threads have written

}  // namespace

GridSum ClippedSums::of(Var parameter) const {
  const Tape& tape = *parameter.tape;
  if (&tape.parameter_set(parameter) != &parameters_) {
    fail(ErrorKind::Unsupported, "parameters outside the clipped set are in use");
  }
  const ParameterInfo& info = parameters_.info(tape.parameter_id(parameter));
  const int64_t group = clipping_.groups() == 1 ? 0 : info.group;
  return {values_.data() + info.offset, info.rows, info.cols, bound::sum_grid(clipping_, group)};
}

void ClippedSums::start() { values_.assign(static_cast<size_t>(parameters_.size()), 0.0); }

ClippedGradient::ClippedGradient(Parameters& parameters, bound::Clipping clipping)
    : parameters_(parameters), clipping_(std::move(clipping)), sums_(parameters_, clipping_) {
  bound::check(clipping_);
  require(clipping_.groups() == 1 || clipping_.groups() == parameters.groups(),
          "{} clip norms for {} groups of parameters", clipping_.groups(), parameters.groups());
}

void ClippedGradient::start() {
  sums_.start();
  samples_ = 0;
}

void ClippedGradient::add(Var loss, std::span<const int64_t> block_ends) {
  Tape& tape = *loss.tape;
  require(tape.per_sample(), "clipping needs a tape started with start_per_sample");
  count_samples(tape.samples());
  set_blocks(tape.samples(), block_ends);
  if (tape.samples() == 0) return;
  tape.backward(loss);
  measure(tape);
  weigh(tape);
}

void ClippedGradient::count_samples(int64_t more) {
  samples_ += more;
  if (samples_ > bound::kMaxSamples) {
    fail(ErrorKind::Unsupported, "a private step has {} samples, want at most {}", samples_, bound::kMaxSamples);
  }
}

void ClippedGradient::take(std::span<const ClippedGradient* const> others) {
  for (const ClippedGradient* other : others) count_samples(other->samples_);
  parallel_for(parameters_.size(), kEntriesAtOnce, [&](int64_t begin, int64_t end) {
    for (const ClippedGradient* other : others) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
        sums_.values_[i] += other->sums_.values_[i];
      }
    }
  });
}

bound::Bounded<bound::GradientSum> ClippedGradient::finish(const Batches& batches, bound::Relation relation) {
  if (batches.shared_out()) add_ranks();
  return bound::clipped_sum(std::exchange(sums_.values_, {}), clipping_, batches.draw(), relation);
}

// Sums of blocks are added without error as long as all samples together are few enough.
void ClippedGradient::add_ranks() {
  Ranks& ranks = *current_ranks();
  const int64_t samples = sum_over(ranks, samples_);
  if (samples > bound::kMaxSamples) {
    fail(ErrorKind::Unsupported, "a private step has {} samples, want at most {}", samples, bound::kMaxSamples);
  }
  add_over(ranks, std::span<double>(sums_.values_));
}

void ClippedGradient::undo_relative(std::span<double> released) const {
  if (!clipping_.relative) return;
  for (ParameterId id = 0; id < parameters_.count(); ++id) {
    const ParameterInfo& info = parameters_.info(id);
    const size_t group = clipping_.groups() == 1 ? 0 : static_cast<size_t>(info.group);
    for (double& g : released.subspan(static_cast<size_t>(info.offset), static_cast<size_t>(info.size()))) {
      g *= clipping_.max_norms[group];
    }
  }
}

// The squared norm of each sample's gradient in each group: the sum over its operations, and at least the floor.
void ClippedGradient::measure(Tape& tape) {
  const int64_t samples = tape.samples(), groups = clipping_.groups();
  squared_norms_.assign(static_cast<size_t>(samples * groups), 0.0);
  squared_terms_.assign(static_cast<size_t>(samples * groups), 0.0);
  rows_known_for_ = {};
  tape.for_each_parameter_operation([&](Operation& operation) {
    const int64_t group = group_of(operation);
    operation.add_norms(rows_of(tape, operation.output()),
                        {of_group(squared_norms_, group, samples), of_group(squared_terms_, group, samples)});
  });
  norms_by_sample_.resize(static_cast<size_t>(samples * groups));
  for (int64_t l = 0; l < groups; ++l) {
    const std::span<const double> squares = of_group(squared_norms_, l, samples);
    const std::span<const double> terms = of_group(squared_terms_, l, samples);
    parallel_for(samples, kAtOnce, [&](int64_t begin, int64_t end) {
      for (int64_t s = begin; s < end; ++s) {
        const auto i = static_cast<size_t>(s);
        // In this order a NaN of the norm stays.
        norms_by_sample_[static_cast<size_t>(s * groups + l)] =
            squares[i] < terms[i] / (kMostCancellation * kMostCancellation)
                ? terms[i] / (kMostCancellation * kMostCancellation)
                : squares[i];
      }
    });
  }
}

// Scales every row's share by its sample's factor and adds them up: the clipped sum.
void ClippedGradient::weigh(Tape& tape) {
  const int64_t samples = tape.samples(), groups = clipping_.groups();
  const MatrixView factors = factors_.resize(samples, groups);
  bound::clip_factors(clipping_, {norms_by_sample_.data(), samples, groups}, factors);
  erased_.resize(static_cast<size_t>(samples));
  std::atomic<bool> any_erased = false;
  parallel_for(samples, kAtOnce, [&](int64_t begin, int64_t end) {
    bool any = false;
    for (int64_t s = begin; s < end; ++s) {
      const bool erased = factors(s, 0) == 0;
      erased_[static_cast<size_t>(s)] = erased ? 1 : 0;
      any = any || erased;
    }
    if (any) any_erased = true;
  });
  if (any_erased) tape.erase_samples(erased_);
  set_rows_per_sum(samples);
  const auto blocks = static_cast<int64_t>(rows_per_sum_.size()) / groups;
  tape.for_each_parameter_operation([&](Operation& operation) {
    const std::span<const int32_t> owners = tape.owners(operation.output());
    const int64_t group = group_of(operation);
    const std::span<Real> row_factors = row_factors_.resize(static_cast<int64_t>(owners.size()));
    parallel_for(std::ssize(owners), kAtOnce, [&](int64_t begin, int64_t end) {
      for (auto r = static_cast<size_t>(begin); r < static_cast<size_t>(end); ++r) {
        row_factors[r] = factors(owners[r], group);
      }
    });
    operation.scale_rows(row_factors);
    const auto at_once =
        std::span(rows_per_sum_).subspan(static_cast<size_t>(group * blocks), static_cast<size_t>(blocks));
    operation.add_sums({rows_of(tape, operation.output()), row_factors, block_ends_, at_once}, sums_);
  });
}

void ClippedGradient::set_blocks(int64_t samples, std::span<const int64_t> ends) {
  block_ends_.assign(ends.begin(), ends.end());
  if (ends.empty()) {
    for (int64_t end = bound::kSamplesPerBlock; end < samples; end += bound::kSamplesPerBlock) {
      block_ends_.push_back(end);
    }
    block_ends_.push_back(samples);
  }
  int64_t before = 0;
  for (const int64_t end : block_ends_) {
    require(end >= before && end - before <= bound::kMaxSamplesPerBlock,
            "a block of samples is [{}, {}), want at most {}", before, end, bound::kMaxSamplesPerBlock);
    before = end;
  }
  require(before == samples, "the blocks hold {} samples, the step {}", before, samples);
}

// For each block the most rows k with g_k W at most kFloatShare kBlockError C, where W, the sum of the block's scaled
// terms, is at most 126 * 64 C: so k is at least 1.
static_assert(bound::kMaxSamplesPerBlock * kMostCancellation * 0x1p-24 * (1 + 0x1p-20) <=
              kFloatShare * bound::kBlockError);
void ClippedGradient::set_rows_per_sum(int64_t samples) {
  const auto blocks = static_cast<int64_t>(block_ends_.size());
  const double unit = static_cast<double>(std::numeric_limits<Real>::epsilon()) / 2;
  rows_per_sum_.resize(static_cast<size_t>(blocks * clipping_.groups()));
  for (int64_t l = 0; l < clipping_.groups(); ++l) {
    const double limit = clipping_.relative ? 1 : clipping_.max_norms[static_cast<size_t>(l)];
    const std::span<const double> terms = of_group(squared_terms_, l, samples);
    parallel_for(blocks, kBlocksAtOnce, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        double sum = 0;
        for (int64_t s = b == 0 ? 0 : block_ends_[static_cast<size_t>(b) - 1]; s < block_ends_[static_cast<size_t>(b)];
             ++s) {
          if (erased_[static_cast<size_t>(s)] != 0) continue;
          sum += static_cast<double>(factors_.view()(s, l)) * std::sqrt(terms[static_cast<size_t>(s)]);
        }
        const double most = kFloatShare * bound::kBlockError * limit / (unit * sum);
        rows_per_sum_[static_cast<size_t>(l * blocks + b)] = most < static_cast<double>(kMostRowsPerSum)
                                                                 ? std::max<int64_t>(1, static_cast<int64_t>(most))
                                                                 : kMostRowsPerSum;
      }
    });
  }
}

int64_t ClippedGradient::group_of(const Operation& operation) const {
  if (clipping_.groups() == 1) return 0;
  require(operation.parameter_group() < clipping_.groups(), "parameters outside the clipped set are in use");
  return operation.parameter_group();
}

// Operations in a row mostly share their owners, so the grouping is kept while it fits.
const SampleRows& ClippedGradient::rows_of(Tape& tape, Var output) {
  const std::span<const int32_t> owners = tape.owners(output);
  if (owners.data() != rows_known_for_.data() || owners.size() != rows_known_for_.size()) {
    rows_.assign(owners, tape.samples());
    rows_known_for_ = owners;
  }
  return rows_;
}

}  // namespace graphveil::nn
