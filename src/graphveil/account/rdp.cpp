#include "graphveil/account/rdp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "graphveil/account/careful.h"
#include "graphveil/account/gdp.h"
#include "graphveil/account/pld.h"
#include "graphveil/account/rdp_bounds.h"
#include "graphveil/account/tuned.h"
#include "graphveil/base/error.h"
#include "graphveil/base/infinity.h"

namespace graphveil::account {
namespace {

// A delta at any epsilon, soon found rather than the smallest, where nothing is nested.
class FlatDelta {
 public:
  FlatDelta(const Summary& summary, const RenyiCurve& curve) : summary_(summary), variation_(total_variation(summary)) {
    // Of many lines a few orders of the Renyi curve say enough.
    constexpr size_t kManyLines = 12;
    if (summary.parts() <= kManyLines) return;
    for (double x = 0.05; x < 1e4; x *= 1.5) orders_.push_back({1 + x, curve(1 + x)});
  }
  double operator()(double epsilon) const {
    if (summary_.parts() == 1 && summary_.gaussian_mu > 0) return gdp_delta(summary_.gaussian_mu, epsilon);
    if (!(epsilon > 0)) return variation_;
    if (orders_.empty()) return std::min(variation_, pld_delta(all_releases(summary_), epsilon));
    double delta = variation_;
    for (const auto& [order, divergence] : orders_)
      delta = std::min(delta, delta_from_renyi(order, divergence, epsilon));
    return delta;
  }

 private:
  const Summary& summary_;
  double variation_;
  std::vector<std::pair<double, double>> orders_;
};

// Remembers the values at whole orders: every order of a sample asks for all of them below it.
RenyiCurve remembered(RenyiCurve curve) {
  return [curve = std::move(curve), values = std::make_shared<std::vector<double>>()](double order) {
    if (order != std::floor(order) || order > kHighestSampledOrder) return curve(order);
    const auto at = static_cast<size_t>(order);
    if (values->size() <= at) values->resize(at + 1, -1);
    if ((*values)[at] < 0) (*values)[at] = curve(order);
    return (*values)[at];
  };
}

}  // namespace

double minimize_over_orders(const std::function<double(double)>& f) {
  // A geometric grid of order - 1, then golden section around its best point.
  constexpr double kLowest = 1e-2, kHighest = 1e8, kRatio = 1.6;
  double best = kInfinity, at = kLowest;
  for (double x = kLowest; x < kHighest; x *= kRatio) {
    const double value = f(1 + x);
    if (value < best) {
      best = value;
      at = x;
    }
  }
  double low = std::log(at / kRatio), high = std::log(at * kRatio);
  constexpr double kGolden = 0.6180339887498949;
  double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
  double fa = f(1 + std::exp(a)), fb = f(1 + std::exp(b));
  for (int i = 0; i < 14; ++i) {
    best = std::min({best, fa, fb});
    if (fa < fb) {
      high = b;
      b = a;
      fb = fa;
      a = high - kGolden * (high - low);
      fa = f(1 + std::exp(a));
    } else {
      low = a;
      a = b;
      fa = fb;
      b = low + kGolden * (high - low);
      fb = f(1 + std::exp(b));
    }
  }
  return std::min({best, fa, fb});
}

double classic_epsilon_from_renyi(double order, double divergence, double delta) {
  require(order > 1, "order is {}; wanted a number > 1", order);
  return divergence - std::log(delta) / (order - 1);
}

double epsilon_from_renyi(double order, double divergence, double delta) {
  require(order > 1, "order is {}; wanted a number > 1", order);
  // Any divergence of order >= 1 bounds the one of order 1, and total variation is at most sqrt(1 - e^-D)
  // (Bretagnolle and Huber 1979): below that delta, epsilon = 0 holds.
  if (std::isnan(divergence)) return kInfinity;
  if (delta * delta >= -std::expm1(-divergence)) return 0;
  return nonnegative(divergence + std::log1p(-1 / order) - std::log(delta * order) / (order - 1));
}

double delta_from_renyi(double order, double divergence, double epsilon) {
  require(order > 1, "order is {}; wanted a number > 1", order);
  if (!(divergence < kInfinity)) return 1;
  const double log_delta = (order - 1) * (divergence - epsilon + std::log1p(-1 / order)) - std::log(order);
  return std::min({1.0, std::exp(log_delta), std::sqrt(-std::expm1(-divergence))});
}

double best_epsilon(const RenyiCurve& curve, double delta) {
  require(delta > 0 && delta < 1, "delta is {}; wanted a number in (0, 1)", delta);
  return minimize_over_orders([&](double order) { return epsilon_from_renyi(order, curve(order), delta); });
}

double best_delta(const RenyiCurve& curve, double epsilon) {
  require(epsilon >= 0, "epsilon is {}; wanted a number >= 0", epsilon);
  return minimize_over_orders([&](double order) { return delta_from_renyi(order, curve(order), epsilon); });
}

RenyiCurve renyi_curve(const Ledger& ledger) { return renyi_curve(summarize(ledger)); }

RenyiCurve renyi_curve(const Summary& summary) {
  if (summary.unbounded) return [](double) { return kInfinity; };
  const std::vector<EqualRuns> releases = all_releases(summary);
  // Touch every pair once, so that an unsupported one is refused now and not during a search.
  for (const EqualRuns& r : releases) rdp_bound(r.mechanism, r.sampling, 2);
  struct Nested {
    double rate;
    RenyiCurve whole;
    double count;
  };
  std::vector<Nested> nested;
  for (const SampledRuns& n : summary.nested) {
    nested.push_back({n.rate, remembered(renyi_curve(*n.whole)), static_cast<double>(n.count)});
  }
  struct Search {
    RenyiCurve curve;
    double count;
  };
  std::vector<Search> searches;
  for (const TunedRuns& t : summary.tuned) {
    const RenyiCurve curve = renyi_curve(*t.whole);
    const Trial trial{.curve = curve, .pure = pure_epsilon(*t.whole), .delta = FlatDelta(*t.whole, curve)};
    searches.push_back({tuned_curve(t.trials, trial), static_cast<double>(t.count)});
  }
  return [releases, nested, searches](double order) {
    double total = 0;
    for (const EqualRuns& r : releases) {
      total += static_cast<double>(r.count) * rdp_bound(r.mechanism, r.sampling, order);
    }
    for (const Nested& n : nested) total += n.count * rdp_sampled_whole(n.rate, n.whole, order);
    for (const Search& s : searches) total += s.count * s.curve(order);
    return proven(total);
  };
}

}  // namespace graphveil::account
