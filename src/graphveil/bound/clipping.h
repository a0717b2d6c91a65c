// Clipping per-sample gradients: the factors, and what one record can then do to their sum.
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/bound/bounded.h"

namespace graphveil::bound {

enum class ClipStyle {
  Clip,       // g min(1, C / |g|)
  Normalize,  // g C / (|g| + offset): "automatic clipping" (Bu et al. 2023); C then only sets the scale
};

struct Clipping {
  ClipStyle style = ClipStyle::Clip;
  // One number clips the whole gradient (flat). Several clip each group of parameters to its own C_l; the whole
  // gradient then has norm up to sqrt(sum C_l^2), that is sqrt(L) C for L equal ones.
  std::vector<double> max_norms = {1.0};
  double offset = 0.01;  // of Normalize
  // Divides each group by its C_l after clipping: noise of one size is then noise in proportion to C_l, and the norm is
  // at most sqrt(L).
  bool relative = false;

  int64_t groups() const { return static_cast<int64_t>(max_norms.size()); }
};

// Throws InvalidArgument unless every clip norm is within 1e-12 to 1e12, where no rounding to the smallest floats
// counts, and the offset is positive and finite.
void check(const Clipping& clipping);

// The L2 norm that no clipped per-sample gradient exceeds: sqrt(sum C_l^2), or sqrt(L) where each is divided by its
// C_l.
double clipped_norm(const Clipping& clipping);

// Gradients are scaled to this much below their bound. It covers what is relative in their rounding, whatever the width
// and however many rows a sample has: a norm is known to 2e-5 (nn/ghost_norm.h), its factor is rounded to float, and so
// is each product with it.
inline constexpr double kClipMargin = 1e-4;

// Computes from squared norms (samples x groups) the factors by which to scale (same shape), at most 1e15. A sample any
// of whose norms is not finite gets factor 0 in all groups.
void clip_factors(const Clipping& clipping, BasicMatrixView<const double> squared_norms, MatrixView factors);

// How a step's samples were drawn, told by the sampler that drew them: the ledger line is made from this and
// nothing else.
struct SampleDraw {
  double rate = 1;         // each sample takes part with this probability, independently; 1: all do
  int64_t deletions = 1;   // samples that one record touches when present
  int64_t insertions = 0;  // changed samples that stand in their place when it is blank
};

// Throws InvalidArgument unless the rate is in (0, 1], deletions at least 1 and insertions 0 or more.
void check(const SampleDraw& draw);

// The draw as the accountant prices it. With rate 1 there is no sampling: the amount below covers the group.
account::Sampling sampling_of(const SampleDraw& draw);

// Rounding of the sum itself, in the numbers that nn/block_sums.h keeps to. The samples of a step are cut into blocks
// by their public places: kSamplesPerBlock places where everybody takes part, with Poisson sampling a stretch of places
// of which at most kMaxSamplesPerBlock are drawn. The float sum of a block errs by at most kBlockError times the clip
// norm. It is then rounded to a multiple of sum_grid, and the sum of up to kMaxSamples samples' blocks is exact in
// double.
inline constexpr int64_t kSamplesPerBlock = 64;
inline constexpr int64_t kMaxSamplesPerBlock = 126;
inline constexpr double kBlockError = 0x1p-11;
inline constexpr int64_t kMaxSamples = int64_t{1} << 25;
inline constexpr double kGridPerNorm = 0x1p-26;
// The largest power of two that is at most kGridPerNorm times the norm to which this group is clipped.
double sum_grid(const Clipping& clipping, int64_t group);

// The sums have at most so many entries.
inline constexpr int64_t kMaxEntries = int64_t{1} << 24;
// The factor by which rounding lengthens what one sample can do to a sum: 1 + 2 kBlockError + sqrt(kMaxEntries)
// kGridPerNorm, a factor a little above 1.
inline constexpr double kRoundingInflation = 1 + 2 * kBlockError + 0x1p12 * kGridPerNorm;

// What one record can do, in the units of Sensitivity.amount: the clipped norm per sample, times kRoundingInflation,
// when the accountant prices the group; else (deletions + insertions) times that.
double clipped_sum_sensitivity(const Clipping& clipping, const SampleDraw& draw);
// The same for a plan's line; `reach` says which samples those of the draw are.
Bound clipped_sum_bound(const Clipping& clipping, const SampleDraw& draw, source::Reach reach);

// A clipped sum, entry by entry: whole multiples of `step`, a power of two.
struct GradientSum {
  std::vector<double> values;
  double step = 0;
};

// A sum of per-sample gradients, each scaled by clip_factors and summed as nn/block_sums.h does, as a value that a
// mechanism may release.
//
// Guarantee: L2 sensitivity under `relation`, worst-case rounding included. Fix who is drawn among the samples that the
// record does not touch, and let S0 be the sum, in double, of these alone. Let S have some touched samples besides. In
// which block a sample is depends on its place alone: a touched sample that is drawn or not moves nobody else to
// another block. So blocks without a drawn touched sample hold the same samples in the same order, have the same bits
// in S and S0, and are added without error. Each touched sample's share has norm at most B = clipped_norm. In a block
// with one or more, both float sums err by at most kBlockError B, and the rounding to the grid by half a step in every
// entry: |S - S0| is at most B (1 + 2 kBlockError + sqrt(kMaxEntries) kGridPerNorm) for each drawn touched sample. Of a
// record that is blank its own sample is left out before blocks are summed, so that it is the same to the bit drawn or
// not; the samples that stand changed count as above. So S and its neighbor are the same S0 plus one shift of at most
// that length for each drawn of the `deletions`, or `insertions`, samples: without sampling the sum moves by at most
// (deletions + insertions) times it; with Poisson sampling the pair sum_i Binom(i; del, p) N(iB), sum_j Binom(j; ins,
// p) N(-jB), B so lengthened, dominates (Schuchardt et al. 2024, Theorem 3.8). Throws Unsupported for more than
// kMaxEntries entries.
Bounded<GradientSum> clipped_sum(std::vector<double> sum, const Clipping& clipping, const SampleDraw& draw,
                                 Relation relation);

}  // namespace graphveil::bound
