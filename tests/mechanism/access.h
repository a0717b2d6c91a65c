// What tests may do and nobody else: bound a value by word alone, and see a value before its noise.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graphveil/mechanism/release.h"

namespace graphveil::bound {

// Makes a Bounded, or a Bound, that nobody vouches for.
class TestVoucher {
 public:
  template <typename T>
  static Bounded<T> bounded(T value, Sensitivity sensitivity) {
    return Voucher::bounded(std::move(value), std::move(sensitivity));
  }
  static Bound bound(double sensitivity, Norm norm = Norm::L2, Source source = source::Score{}) {
    return Voucher::stated(std::move(source), sensitivity, norm);
  }
};

}  // namespace graphveil::bound

namespace graphveil::mechanism {

// The one way to see a value before its noise.
class ObserverAccess {
 public:
  static void watch(Release& release, ReleaseObserver& observer) { release.observer_ = &observer; }
};

// What went into a release, in its own units.
struct Seen {
  std::string label;
  std::vector<double> values;
  int64_t rows = 0;
  bound::Sensitivity sensitivity;

  double operator()(int64_t row, int64_t col) const {
    return values.at(static_cast<size_t>(row * (static_cast<int64_t>(values.size()) / rows) + col));
  }
};

class Watcher final : public ReleaseObserver {
 public:
  void saw(const std::string& label, const std::vector<double>& values, int64_t rows,
           const bound::Sensitivity& sensitivity) override {
    seen.push_back({label, values, rows, sensitivity});
  }
  std::vector<Seen> seen;
};

// What is inside a Bounded on the grid of this step: it is watched on its way through a clear release.
inline Seen opened(bound::Bounded<bound::GridMatrix> bounded, double step) {
  const bound::Sensitivity& sensitivity = bounded.sensitivity();
  // Noise of a size that asks for this very grid.
  const double multiplier = 1.5 * 0x1p12 * step / sensitivity.amount;
  const Plan plan{{account::Event("value", account::Gaussian{multiplier}),
                   bound::TestVoucher::bound(sensitivity.amount, sensitivity.norm)}};
  Release release = Release::clear(sensitivity.relation, plan);
  Watcher watcher;
  ObserverAccess::watch(release, watcher);
  release.gaussian("value", std::move(bounded));
  return watcher.seen.at(0);
}

}  // namespace graphveil::mechanism
