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

// Throws InvalidArgument unless every number is positive and finite.
void check(const Clipping& clipping);

// The L2 norm that no clipped per-sample gradient exceeds: sqrt(sum C_l^2), or sqrt(L) where each is divided by its
// C_l.
double clipped_norm(const Clipping& clipping);

// Gradients are scaled to this much below their bound: norms and products in float err by a few parts in a
// million, and must not carry them over it.
inline constexpr double kClipMargin = 1e-4;

// From squared norms (samples x groups) the factors by which to scale (same shape). A sample any of whose norms
// is not finite gets factor 0 in all groups.
void clip_factors(const Clipping& clipping, ConstMatrixView squared_norms, MatrixView factors);

// How a step's samples were drawn, told by the sampler that drew them: the ledger line is made from this and
// nothing else.
struct SampleDraw {
  double rate = 1;         // each sample takes part with this probability, independently; 1: all do
  int64_t deletions = 1;   // samples that one record touches when present
  int64_t insertions = 0;  // changed samples that stand in their place when it is blank
};

// The draw as the accountant prices it. With rate 1 there is no sampling: the amount below covers the group.
account::Sampling sampling_of(const SampleDraw& draw);
// What one record can do, in the units of Sensitivity.amount: the clipped norm per sample when the accountant
// prices the group, else (deletions + insertions) times it.
double clipped_sum_sensitivity(const Clipping& clipping, const SampleDraw& draw);

// A sum of per-sample gradients, each scaled by clip_factors, as a value that a mechanism may release.
//
// Guarantee: L2 sensitivity under `relation`. Each sample's share has norm at most B = clipped_norm. A record
// touches `deletions` samples, and `insertions` others replace them when it is blank, so without sampling the
// sum moves by at most (deletions + insertions) B; with Poisson sampling the pair
// sum_i Binom(i; del, p) N(iB), sum_j Binom(j; ins, p) N(-jB) dominates (Schuchardt et al. 2024, Theorem 3.8).
// A clipped sum, entry by entry.
struct GradientSum {
  std::vector<double> values;
};
Bounded<GradientSum> clipped_sum(std::vector<double> sum, const Clipping& clipping, const SampleDraw& draw,
                                 Relation relation);

// The grid to which a clipped sum of this sensitivity is rounded before it is released.
double gradient_grid(double sensitivity);

}  // namespace graphveil::bound
