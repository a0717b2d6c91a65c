#include "graphveil/learn/clipped_losses.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "graphveil/base/parallel.h"
#include "graphveil/nn/ops_loss.h"

namespace graphveil::learn {
namespace {

constexpr int64_t kLossesAtOnce = 8192;
// Their rows and what is made of them fit a thread's own cache beside the sums of so many parameters.
constexpr int64_t kSamplesPerPiece = 512;
constexpr int64_t kMostParameters = int64_t{1} << 16;

// Ends of blocks where everybody takes part: every bound::kSamplesPerBlock of what fits at once.
std::vector<int64_t> cuts_by_place(int64_t samples, int64_t at_once) {
  std::vector<int64_t> cuts;
  for (int64_t first = 0; first < samples; first += at_once) {
    const int64_t last = std::min(samples, first + at_once);
    for (int64_t cut = first; cut < last;) cuts.push_back(cut = std::min<int64_t>(last, cut + bound::kSamplesPerBlock));
  }
  return cuts;
}

// A batch in its blocks, and pieces of whole blocks: how blocks are put together to pieces changes no bit.
class Pieces {
 public:
  Pieces(std::span<const int32_t> batch, std::span<const int64_t> block_ends, int64_t at_once, int64_t most)
      : batch_(batch), ends_(block_ends.begin(), block_ends.end()) {
    if (ends_.empty()) ends_ = cuts_by_place(std::ssize(batch), at_once);
    int64_t begin = 0;  // of the piece so far
    for (size_t b = 0; b < ends_.size(); ++b) {
      if (b > first_blocks_.back() && ends_[b] - begin > most) {
        first_blocks_.push_back(b);
        begin = ends_[b - 1];
      }
    }
    first_blocks_.push_back(ends_.size());
  }
  int64_t count() const { return std::ssize(first_blocks_) - 1; }
  // Adds piece p of the batch.
  int64_t add(const StepLosses& of, int64_t p, Lane& lane) const {
    const size_t first = first_blocks_[static_cast<size_t>(p)], last = first_blocks_[static_cast<size_t>(p) + 1];
    if (first == last) return 0;
    const int64_t begin = first == 0 ? 0 : ends_[first - 1];
    return lane.add(of, batch_.subspan(static_cast<size_t>(begin), static_cast<size_t>(ends_[last - 1] - begin)),
                    std::span(ends_).subspan(first, last - first), begin);
  }

 private:
  std::span<const int32_t> batch_;
  std::vector<int64_t> ends_;
  std::vector<size_t> first_blocks_{0};
};

}  // namespace

void MeanLoss::add(std::span<const Real> losses) {
  std::atomic<int64_t> sum{0};
  parallel_for(std::ssize(losses), kLossesAtOnce, [&](int64_t begin, int64_t end) {
    int64_t part = 0;
    for (const Real loss : losses.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin))) {
      part += std::llrint((loss < kMost ? static_cast<double>(loss) : kMost) / kStep);
    }
    sum += part;
  });
  sum_and_samples[0] += sum;
  sum_and_samples[1] += std::ssize(losses);
}

void MeanLoss::add(const MeanLoss& other) {
  for (size_t i = 0; i < sum_and_samples.size(); ++i) sum_and_samples[i] += other.sum_and_samples[i];
}

double MeanLoss::mean() const {
  const auto [sum, samples] = sum_and_samples;
  return samples > 0 ? static_cast<double>(sum) * kStep / static_cast<double>(samples) : 0;
}

int64_t Lane::add(const StepLosses& of, std::span<const int32_t> samples, std::span<const int64_t> block_ends,
                  int64_t before) {
  read_labels(of, samples, block_ends, before);
  if (nodes_.empty()) return 0;
  tape_.start_per_sample(std::ssize(nodes_), names_, of.step);
  terms_.resize(nodes_.size());
  const nn::Var loss =
      nn::cross_entropy(of.network.sample_scores(tape_, nodes_), labels_, nn::Reduction::Sum, of.class_weights, terms_);
  losses.add(terms_);
  clipped_.add(loss, ends_);
  return std::ssize(nodes_);
}

void Lane::read_labels(const StepLosses& of, std::span<const int32_t> samples, std::span<const int64_t> block_ends,
                       int64_t before) {
  nodes_.clear();
  names_.clear();
  labels_.clear();
  ends_.clear();
  int64_t at = before;
  for (const int64_t end : block_ends) {
    for (; at < end; ++at) {
      const int32_t node = samples[static_cast<size_t>(at - before)];
      const int32_t label = of.labels[static_cast<size_t>(node)];
      if (label == nn::kNoLabel) continue;
      nodes_.push_back(node);
      names_.push_back(node + of.first_node);
      labels_.push_back(label);
    }
    ends_.push_back(std::ssize(nodes_));
  }
}

Lane& Lanes::Own::in_step(int64_t now) {
  if (step != now) {
    clipped.start();
    lane.losses = {};
    step = now;
  }
  return lane;
}

Lanes::Lanes(const Network& network, const bound::Clipping& clipping, const Seed& seed, nn::Tape& tape,
             nn::ClippedGradient& sum)
    : clipping_(clipping),
      seed_(seed),
      sum_(sum),
      first_(tape, sum),
      several_(network.steps_keep_apart() && network.parameters().size() <= kMostParameters) {}

MeanLoss Lanes::add(const StepLosses& of, std::span<const int32_t> batch, std::span<const int64_t> block_ends) {
  const int64_t at_once = of.network.samples_at_once(), threads = thread_count();
  // Some pieces for each thread, so that all are done at about the same time.
  const int64_t share = threads == 1 ? kSamplesPerPiece : std::ssize(batch) / (4 * threads);
  const int64_t small = std::clamp(share, bound::kSamplesPerBlock, kSamplesPerPiece);
  const Pieces pieces(batch, block_ends, at_once, several_ ? std::min(at_once, small) : at_once);
  first_.losses = {};
  if (!several_ || threads == 1) {
    for (int64_t p = 0; p < pieces.count(); ++p) pieces.add(of, p, first_);
    return first_.losses;
  }
  while (std::ssize(others_) < threads - 1) {
    others_.push_back(std::make_unique<Own>(of.network.parameters(), clipping_, seed_));
  }
  parallel_for_threads(pieces.count(), 1, [&](int64_t piece, int64_t /*end*/, int thread) {
    pieces.add(of, piece, thread == 0 ? first_ : others_[static_cast<size_t>(thread) - 1]->in_step(of.step));
  });
  MeanLoss losses = first_.losses;
  std::vector<const nn::ClippedGradient*> sums;
  for (const std::unique_ptr<Own>& other : others_) {
    if (other->step != of.step) continue;
    losses.add(other->lane.losses);
    sums.push_back(&other->clipped);
  }
  sum_.take(sums);
  return losses;
}

void add_clipped_losses(Network& network, std::span<const int32_t> batch, std::span<const int64_t> block_ends,
                        std::span<const int32_t> labels, nn::Tape& tape, nn::ClippedGradient& clipped,
                        const std::function<void(int64_t samples)>& after_piece, int64_t step,
                        std::span<const Real> class_weights) {
  const StepLosses of{network, labels, class_weights, step};
  const int64_t at_once = network.samples_at_once();
  const Pieces pieces(batch, block_ends, at_once, at_once);
  Lane lane(tape, clipped);
  for (int64_t p = 0; p < pieces.count(); ++p) {
    const int64_t samples = pieces.add(of, p, lane);
    if (after_piece && samples > 0) after_piece(samples);
  }
}

}  // namespace graphveil::learn
