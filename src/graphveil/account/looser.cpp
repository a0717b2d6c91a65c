#include "graphveil/account/looser.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

namespace graphveil::account {
namespace {

// Which of two releases of one kind has the larger cost is decided by each number on its own.
struct Dearer {
  Mechanism operator()(const Gaussian& a, const Gaussian& b) const { return Gaussian{least(a, b)}; }
  Mechanism operator()(const Laplace& a, const Laplace& b) const { return Laplace{least(a, b)}; }
  Mechanism operator()(const DiscreteLaplace& a, const DiscreteLaplace& b) const {
    return DiscreteLaplace{least(a, b)};
  }
  Mechanism operator()(const DiscreteGaussian& a, const DiscreteGaussian& b) const {
    return DiscreteGaussian{least(a, b)};
  }
  Mechanism operator()(const Exponential& a, const Exponential& b) const {
    return Exponential{std::max(a.range, b.range)};
  }
  // Less often changed, and with fewer labels to hide among: a - e^e b = a (1 - e^(e - log_odds)) grows.
  Mechanism operator()(const RandomizedResponse& a, const RandomizedResponse& b) const {
    return RandomizedResponse{std::max(a.log_odds, b.log_odds), std::min(a.classes, b.classes)};
  }
  template <typename A, typename B>
  Mechanism operator()(const A& a, const B&) const {
    return a;  // never: only equal kinds are joined
  }
  template <typename M>
  static double least(const M& a, const M& b) {
    return std::min(a.noise_multiplier, b.noise_multiplier);
  }
};

// A sample at a smaller rate is a sample of a sample; a sample that a record does not touch is one it may touch.
struct MoreSampled {
  Sampling operator()(const NoSampling& a, const NoSampling&) const { return a; }
  Sampling operator()(const Poisson& a, const Poisson& b) const { return Poisson{std::max(a.rate, b.rate)}; }
  Sampling operator()(const PoissonGroup& a, const PoissonGroup& b) const {
    return PoissonGroup{std::max(a.rate, b.rate), std::max(a.deletions, b.deletions),
                        std::max(a.insertions, b.insertions)};
  }
  template <typename A, typename B>
  Sampling operator()(const A& a, const B&) const {
    return a;
  }
};

struct SizeOf {
  double operator()(const Exponential& m) const { return m.range; }
  double operator()(const RandomizedResponse& m) const { return m.log_odds; }
  template <typename M>
  double operator()(const M& m) const {
    return m.noise_multiplier;
  }
};

struct RateOf {
  double operator()(const NoSampling&) const { return 1; }
  double operator()(const Poisson& s) const { return s.rate; }
  double operator()(const PoissonGroup& s) const { return s.rate; }
};

double group_of(const Sampling& sampling) {
  const auto* group = std::get_if<PoissonGroup>(&sampling);
  return group ? static_cast<double>(group->deletions) + static_cast<double>(group->insertions) : 1;
}

std::vector<EqualRuns> joined_releases(const std::vector<EqualRuns>& releases, size_t most) {
  // Cells of the logarithms, ever wider.
  for (double width = 0.01;; width *= 2) {
    const auto cell = [width](double x) { return std::floor(std::log(std::max(x, 1e-300)) / width); };
    std::map<std::tuple<size_t, size_t, double, double, double>, EqualRuns> cells;
    for (const EqualRuns& r : releases) {
      const auto [at, fresh] =
          cells.emplace(std::tuple(r.mechanism.index(), r.sampling.index(), cell(std::visit(SizeOf{}, r.mechanism)),
                                   cell(std::visit(RateOf{}, r.sampling)), cell(group_of(r.sampling))),
                        r);
      if (fresh) continue;
      EqualRuns& all = at->second;
      all = {std::visit(Dearer{}, all.mechanism, r.mechanism), std::visit(MoreSampled{}, all.sampling, r.sampling),
             all.count + r.count};
    }
    if (cells.size() > most && width < 1e4) continue;
    std::vector<EqualRuns> out;
    for (const auto& [key, runs] : cells) out.push_back(runs);
    return out;
  }
}

bool is_group(const Sampling& sampling, double from_rate) {
  const auto* group = std::get_if<PoissonGroup>(&sampling);
  return group && group->rate >= from_rate;
}

bool has_group(const Summary& summary, double from_rate) {
  return std::any_of(summary.releases.begin(), summary.releases.end(),
                     [&](const EqualRuns& r) { return is_group(r.sampling, from_rate); }) ||
         std::any_of(summary.nested.begin(), summary.nested.end(),
                     [&](const SampledRuns& n) { return has_group(*n.whole, from_rate); }) ||
         std::any_of(summary.tuned.begin(), summary.tuned.end(),
                     [&](const TunedRuns& t) { return has_group(*t.whole, from_rate); });
}

// The same with another summary in each nest and search.
template <typename Change>
Summary with_inner(Summary summary, Change&& change) {
  for (SampledRuns& n : summary.nested) n.whole = std::make_shared<const Summary>(change(*n.whole));
  for (TunedRuns& t : summary.tuned) t.whole = std::make_shared<const Summary>(change(*t.whole));
  return summary;
}

Summary whole_groups(const Summary& summary, double from_rate) {
  Summary out = with_inner(summary, [&](const Summary& inner) { return whole_groups(inner, from_rate); });
  out.releases.clear();
  double squares = summary.gaussian_mu * summary.gaussian_mu;
  for (const EqualRuns& r : summary.releases) {
    if (!is_group(r.sampling, from_rate)) {
      out.releases.push_back(r);
      continue;
    }
    const double mu = group_of(r.sampling) / std::visit(SizeOf{}, r.mechanism);
    squares += static_cast<double>(r.count) * mu * mu;
  }
  out.gaussian_mu = std::sqrt(squares) * (1 + 1e-15);
  if (!std::isfinite(out.gaussian_mu)) out.unbounded = true;
  return out;
}

}  // namespace

std::optional<Summary> with_whole_groups(const Summary& summary, double from_rate) {
  if (!has_group(summary, from_rate)) return std::nullopt;
  return whole_groups(summary, from_rate);
}

Summary joined(const Summary& summary, size_t most) {
  Summary out = with_inner(summary, [most](const Summary& inner) { return joined(inner, most); });
  if (out.releases.size() > most) out.releases = joined_releases(summary.releases, most);
  return out;
}

size_t nests(const Summary& summary) {
  size_t count = summary.nested.size();
  for (const SampledRuns& n : summary.nested) count += nests(*n.whole);
  return count;
}

size_t different_releases(const Summary& summary) {
  size_t count = summary.releases.size();
  for (const SampledRuns& n : summary.nested) count += different_releases(*n.whole);
  for (const TunedRuns& t : summary.tuned) count += different_releases(*t.whole);
  return count;
}

}  // namespace graphveil::account
