#include "graphveil/bound/clipping.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/base/parallel.h"

namespace graphveil::bound {
namespace {

// A factor stays a finite float, and its product with a gradient within 1e15 does.
constexpr double kLargestFactor = 1e15;
constexpr int64_t kSamplesAtOnce = 4096;

}  // namespace

void check(const SampleDraw& draw) {
  require(draw.rate > 0 && draw.rate <= 1, "sampling rate is {}, want above 0 to 1", draw.rate);
  require(draw.deletions >= 1 && draw.insertions >= 0, "a record touches {} samples and {} replace them",
          draw.deletions, draw.insertions);
}

void check(const Clipping& clipping) {
  require(!clipping.max_norms.empty(), "no clip norm is given");
  for (const double norm : clipping.max_norms) {
    require(norm >= 1e-12 && norm <= 1e12, "clip norm is {}, want 1e-12 to 1e12", norm);
  }
  require(std::isfinite(clipping.offset) && clipping.offset > 0, "offset is {}, want a positive finite number",
          clipping.offset);
}

double clipped_norm(const Clipping& clipping) {
  check(clipping);
  if (clipping.relative) return std::sqrt(static_cast<double>(clipping.groups()));
  double squares = 0;
  for (const double norm : clipping.max_norms) squares += norm * norm;
  return std::sqrt(squares);
}

void clip_factors(const Clipping& clipping, BasicMatrixView<const double> squared_norms, MatrixView factors) {
  check(clipping);
  require(squared_norms.cols == clipping.groups() && factors.cols == clipping.groups() &&
              factors.rows == squared_norms.rows,
          "norms of {} groups for {} clip norms", squared_norms.cols, clipping.groups());
  parallel_for(squared_norms.rows, kSamplesAtOnce, [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s) {
      const auto squares = squared_norms.row(s);
      const bool finite =
          std::all_of(squares.begin(), squares.end(), [](double q) { return std::isfinite(q) && q >= 0; });
      for (int64_t l = 0; l < clipping.groups(); ++l) {
        const double limit = clipping.max_norms[static_cast<size_t>(l)] * (1 - kClipMargin);
        const double norm = std::sqrt(squares[static_cast<size_t>(l)]);
        double factor = 0;
        if (finite) {
          factor = clipping.style == ClipStyle::Normalize ? limit / (norm + clipping.offset)
                   : norm > limit                         ? limit / norm
                                                          : 1;
        }
        const double unit = clipping.relative ? clipping.max_norms[static_cast<size_t>(l)] : 1;
        factors(s, l) = static_cast<Real>(std::min(factor / unit, kLargestFactor));
      }
    }
  });
}

account::Sampling sampling_of(const SampleDraw& draw) {
  check(draw);
  if (draw.rate == 1) return account::NoSampling{};
  if (draw.deletions == 1 && draw.insertions == 0) return account::Poisson{draw.rate};
  return account::PoissonGroup{draw.rate, draw.deletions, draw.insertions};
}

double sum_grid(const Clipping& clipping, int64_t group) {
  const double norm = clipping.relative ? 1 : clipping.max_norms[static_cast<size_t>(group)];
  return std::ldexp(kGridPerNorm, std::ilogb(norm));
}

double clipped_sum_sensitivity(const Clipping& clipping, const SampleDraw& draw) {
  check(draw);
  const double per_sample = clipped_norm(clipping) * kRoundingInflation;
  return draw.rate < 1 ? per_sample : static_cast<double>(draw.deletions + draw.insertions) * per_sample;
}

Bound clipped_sum_bound(const Clipping& clipping, const SampleDraw& draw, source::Reach reach) {
  const double sensitivity = clipped_sum_sensitivity(clipping, draw);
  return Voucher::stated(source::Gradients{reach, draw.deletions, draw.insertions}, sensitivity, Norm::L2);
}

Bounded<GradientSum> clipped_sum(std::vector<double> sum, const Clipping& clipping, const SampleDraw& draw,
                                 Relation relation) {
  if (static_cast<int64_t>(sum.size()) > kMaxEntries) {
    fail(ErrorKind::Unsupported, "a private training has {} parameters, want at most {}", sum.size(), kMaxEntries);
  }
  // The grids of the groups are powers of two: the smallest holds the others.
  double step = sum_grid(clipping, 0);
  for (int64_t group = 1; group < clipping.groups(); ++group) step = std::min(step, sum_grid(clipping, group));
  return Voucher::bounded(GradientSum{std::move(sum), step}, {.amount = clipped_sum_sensitivity(clipping, draw),
                                                              .norm = Norm::L2,
                                                              .relation = relation,
                                                              .sampling = sampling_of(draw)});
}

}  // namespace graphveil::bound
