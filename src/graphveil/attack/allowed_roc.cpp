#include "graphveil/attack/allowed_roc.h"

#include <algorithm>
#include <cmath>

#include "graphveil/base/error.h"

namespace graphveil::attack {
namespace {

void check_allowed(double epsilon, double delta) {
  require(epsilon >= 0, "epsilon is {}, want at least 0", epsilon);
  require(delta >= 0 && delta <= 1, "delta is {}, want 0 to 1", delta);
}

}  // namespace

double allowed_tpr(double fpr, double epsilon, double delta) {
  check_allowed(epsilon, delta);
  require(fpr >= 0 && fpr <= 1, "a false-positive rate is {}, want 0 to 1", fpr);
  const double steep = (fpr > 0 ? std::exp(epsilon) * fpr : 0) + delta;  // infinity times 0 is no number
  const double flat = 1 - std::exp(-epsilon) * (1 - delta - fpr);
  return std::min({1.0, steep, flat});
}

double allowed_auc(double epsilon, double delta) {
  check_allowed(epsilon, delta);
  // e^-epsilon keeps every term finite for any epsilon.
  const double shrink = std::exp(-epsilon);
  const double corner = (1 - delta) * shrink / (1 + shrink);  // where the two lines meet
  const double rest = 1 - delta - corner;
  const double below_steep = delta * corner + corner * (1 - delta) / (1 + shrink) / 2;
  const double below_flat = rest - shrink * rest * rest / 2;
  return std::min(1.0, below_steep + below_flat + delta);
}

}  // namespace graphveil::attack
