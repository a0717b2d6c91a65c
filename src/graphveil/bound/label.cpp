#include "graphveil/bound/label.h"

#include <cmath>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::bound {

namespace {

constexpr double kOneLabel = 1;  // changed to any other

}  // namespace

Bound teacher_labels_bound(source::TeacherReads teachers) {
  return Voucher::stated(source::Labels{teachers}, kOneLabel, Norm::Hamming);
}

Bounded<int32_t> teacher_label(int32_t label, int32_t classes, Relation relation, account::Sampling sampling) {
  require(label >= 0 && label < classes, "label {} of {} classes", label, classes);
  return Voucher::bounded(
      label, {.amount = kOneLabel, .norm = Norm::Hamming, .relation = relation, .sampling = std::move(sampling)});
}

Bounded<Posterior> teacher_posterior(std::vector<double> probabilities, Relation relation, account::Sampling sampling) {
  constexpr double kRounding = 1e-6;  // of a softmax in float
  double sum = 0;
  for (const double p : probabilities) {
    require(std::isfinite(p) && p >= 0 && p <= 1 + kRounding, "a probability is {}, want a number in [0, 1]", p);
    sum += p;
  }
  require(probabilities.size() >= 2 && sum <= 1 + kRounding, "{} probabilities have sum {}, want at most 1",
          probabilities.size(), sum);
  for (double& p : probabilities) p /= 1 + kRounding;
  return Voucher::bounded(
      Posterior{std::move(probabilities)},
      {.amount = kOneLabel, .norm = Norm::Hamming, .relation = relation, .sampling = std::move(sampling)});
}

}  // namespace graphveil::bound
