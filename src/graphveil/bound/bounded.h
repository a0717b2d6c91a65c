// A private value together with what one record can do to it.
#pragma once

#include <cmath>
#include <utility>

#include "graphveil/account/event.h"
#include "graphveil/base/error.h"
#include "graphveil/bound/norm.h"
#include "graphveil/bound/relation.h"

namespace graphveil::mechanism {
class Release;
}

namespace graphveil::bound {

// How far the value can move between two neighbors. Without sampling: at most `amount` in the stated norm. With
// sampling: the value is a sum over samples drawn as `sampling` says, and each sample that the record touches
// moves it by at most `amount`.
struct Sensitivity {
  double amount = 0;
  Norm norm = Norm::L2;
  Relation relation = Relation::Node;
  account::Sampling sampling = account::NoSampling{};
};

// A value that may not be read until a mechanism has added noise to it: only mechanism::Release can open it.
//
// Guarantee: none by itself. Whoever makes one vouches for the sensitivity and cites the theorem at that line.
// Move-only, so that a bound is spent once.
template <typename T>
class Bounded {
 public:
  Bounded(T value, Sensitivity sensitivity) : value_(std::move(value)), sensitivity_(std::move(sensitivity)) {
    require(std::isfinite(sensitivity_.amount) && sensitivity_.amount > 0,
            "sensitivity is {}, want a positive finite number", sensitivity_.amount);
  }
  Bounded(Bounded&&) noexcept = default;
  Bounded& operator=(Bounded&&) noexcept = default;

  const Sensitivity& sensitivity() const { return sensitivity_; }

 private:
  friend class ::graphveil::mechanism::Release;
  T value_;
  Sensitivity sensitivity_;
};

}  // namespace graphveil::bound
