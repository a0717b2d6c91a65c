#include "graphveil/nn/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::nn {

double learning_rate(const Schedule& schedule, int64_t step) {
  require(std::isfinite(schedule.learning_rate) && schedule.learning_rate >= 0, "learning rate is {}, want 0 or more",
          schedule.learning_rate);
  require(schedule.factor >= 0 && schedule.factor <= 1, "decay factor is {}, want 0 to 1", schedule.factor);
  require(schedule.every >= 1 && schedule.total >= 1 && schedule.warmup >= 0 && step >= 0,
          "schedule with every {}, total {}, warmup {} at step {}", schedule.every, schedule.total, schedule.warmup,
          step);
  if (step < schedule.warmup) {
    return schedule.learning_rate * static_cast<double>(step + 1) / static_cast<double>(schedule.warmup);
  }
  const int64_t t = step - schedule.warmup;
  const double done = std::min(1.0, static_cast<double>(t) / static_cast<double>(schedule.total));
  double share = 1;
  switch (schedule.decay) {
    case Decay::Constant: break;
    case Decay::Step: share = std::pow(schedule.factor, static_cast<double>(t / schedule.every)); break;
    case Decay::Cosine:
      share = schedule.factor + (1 - schedule.factor) * (1 + std::cos(std::numbers::pi * done)) / 2;
      break;
    case Decay::Linear: share = 1 + (schedule.factor - 1) * done; break;
  }
  return schedule.learning_rate * share;
}

PublicData::PublicData(std::string declaration) : declaration_(std::move(declaration)) {
  require(!declaration_.empty(), "say which data is public, and on whose word");
}

EarlyStopping::EarlyStopping(PublicData data, int64_t patience) : data_(std::move(data)), patience_(patience) {
  require(patience >= 1, "patience is {}, want at least 1", patience);
}

bool EarlyStopping::observe(double public_score, const Parameters& parameters) {
  if (best_.size() == 0 || public_score > best_score_) {
    best_score_ = public_score;
    since_best_ = 0;
    if (best_.size() != parameters.size()) best_ = Matrix::uninitialized(1, parameters.size());
    std::copy(parameters.values().values().begin(), parameters.values().values().end(), best_.values().begin());
    return false;
  }
  return ++since_best_ >= patience_;
}

void EarlyStopping::restore(Parameters& parameters) const {
  if (best_.size() == 0) return;
  require(best_.size() == parameters.size(), "the best parameters are of another model");
  std::copy(best_.values().begin(), best_.values().end(), parameters.values().values().begin());
}

}  // namespace graphveil::nn
