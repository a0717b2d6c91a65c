// The clipped sum of the losses of a batch: how a step of private training shares out its samples among threads.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "graphveil/base/random.h"
#include "graphveil/bound/clipping.h"
#include "graphveil/learn/network.h"
#include "graphveil/nn/clipped_gradient.h"
#include "graphveil/nn/tape.h"

namespace graphveil::learn {

// The mean loss of the samples that have a label: for the holder's curves. In whole steps, so that it is the same
// however samples are put together; a loss of more than kMost, or that is no number, counts as that.
struct MeanLoss {
  static constexpr double kStep = 0x1p-20, kMost = 0x1p15;
  std::array<int64_t, 2> sum_and_samples{};

  void add(std::span<const Real> losses);
  void add(const MeanLoss& other);
  double mean() const;
};

// What is summed over the samples of a step.
struct StepLosses {
  Network& network;
  std::span<const int32_t> labels;      // of all nodes; one without a label adds nothing
  std::span<const Real> class_weights;  // multiply the losses, before gradients are clipped; empty: they do not
  int64_t step = 0;                     // dropout is drawn anew for each
  int32_t first_node = 0;               // the number of node 0 in the whole graph
};

// Samples that are measured, clipped and summed together: a per-sample step of one tape.
class Lane {
 public:
  Lane(nn::Tape& tape, nn::ClippedGradient& clipped) : tape_(tape), clipped_(clipped) {}

  // Adds the losses of those of these samples that have a label, and returns how many that are. Block b of them ends
  // before samples[block_ends[b] - before].
  int64_t add(const StepLosses& of, std::span<const int32_t> samples, std::span<const int64_t> block_ends,
              int64_t before);

  MeanLoss losses;  // of what was added

 private:
  void read_labels(const StepLosses& of, std::span<const int32_t> samples, std::span<const int64_t> block_ends,
                   int64_t before);

  nn::Tape& tape_;
  nn::ClippedGradient& clipped_;
  // Of those that have a label; blank ones are in no block.
  std::vector<int32_t> nodes_, names_, labels_;
  std::vector<int64_t> ends_;
  std::vector<Real> terms_;
};

// The lanes of a training.
//
// Networks whose steps keep apart have a lane for each thread. It takes small pieces of the batch all the way from
// their rows to their clipped sum: what it reads and writes stays in its thread's own cache, and a step has one loop.
// Other networks, and those too large for every thread to have sums of its own, have one lane, whose own loops share
// out the rows of larger pieces. Blocks are whole in a piece, and their sums are added without error: neither lanes nor
// pieces change a bit.
class Lanes {
 public:
  // Tape and sum are those of the first lane; the tapes of the others have the same seed.
  Lanes(const Network& network, const bound::Clipping& clipping, const Seed& seed, nn::Tape& tape,
        nn::ClippedGradient& sum);

  // Adds the losses of the batch of this step to the sum. Blocks are as nn::Batches::block_ends() has them.
  MeanLoss add(const StepLosses& of, std::span<const int32_t> batch, std::span<const int64_t> block_ends);

 private:
  // One with a tape and a sum of its own.
  struct Own {
    Own(nn::Parameters& parameters, const bound::Clipping& clipping, const Seed& seed)
        : tape(seed), clipped(parameters, clipping), lane(tape, clipped) {}
    Lane& in_step(int64_t now);

    nn::Tape tape;
    nn::ClippedGradient clipped;
    Lane lane;
    int64_t step = -1;  // the last that it took part in
  };

  bound::Clipping clipping_;
  Seed seed_;
  nn::ClippedGradient& sum_;
  Lane first_;
  bool several_;
  std::vector<std::unique_ptr<Own>> others_;
};

// Adds the losses of these nodes to what `clipped` sums, a piece of the batch at a time and blocks (as
// nn::Batches::block_ends() has them) whole. Nodes without a label are left out, so that a blank one is the same drawn
// or not. `after_piece` is told the number of samples of each piece. Dropout is drawn anew for each `step`. Losses are
// multiplied by `class_weights` before their gradients are clipped; empty: they are not.
void add_clipped_losses(Network& network, std::span<const int32_t> batch, std::span<const int64_t> block_ends,
                        std::span<const int32_t> labels, nn::Tape& tape, nn::ClippedGradient& clipped,
                        const std::function<void(int64_t samples)>& after_piece = {}, int64_t step = 0,
                        std::span<const Real> class_weights = {});

}  // namespace graphveil::learn
