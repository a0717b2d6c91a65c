#include "graphveil/account/loss_distribution.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::account {

LossPairBuilder::LossPairBuilder(double step, double low, double high)
    : step_(step), spread_(-std::expm1(-step)), first_(0) {
  constexpr double kMostIndices = 1 << 26;
  if (!(step > 0 && low <= high && high / step - low / step <= kMostIndices && std::fabs(low / step) <= 1e15)) {
    fail(ErrorKind::Internal, "a lattice of step {} from {} to {}", step, low, high);
  }
  first_ = static_cast<int64_t>(std::floor(low / step));
  const auto last = std::max(static_cast<int64_t>(std::ceil(high / step)), first_ + 1);
  present_.assign(static_cast<size_t>(last - first_ + 1), 0);
  blank_ = present_;
}

void LossPairBuilder::add_cell(int64_t k, double p, double q, double p_error, double q_error) {
  const double ratio = std::exp(static_cast<double>(k) * step_), next = ratio / (1 - spread_);
  add_split_cell(k, p, q, p - q * ratio + (p_error + q_error * ratio), q - p / next + (q_error + p_error / next));
}

void LossPairBuilder::add_split_cell(int64_t k, double p, double q, double up, double down) {
  assert(k >= first_ && k < last());
  const auto i = static_cast<size_t>(k - first_);
  // Upper mass u and lower mass p - u with (p - u) e^-k + u e^-(k+1) = q, times e^k: u (1 - e^-step) = p - q e^k.
  // Written so that a value that is no number counts in full.
  const double upper = up < p * spread_ ? std::max(up / spread_, 0.0) : p;
  present_[i + 1] += upper;
  present_[i] += p - upper;
  // The same with P and Q exchanged, where the lower point is the costly one: l (1 - e^-step) = q - p e^-(k+1).
  const double lower = down < q * spread_ ? std::max(down / spread_, 0.0) : q;
  blank_[i] += lower;
  blank_[i + 1] += q - lower;
}

void LossPairBuilder::add_present_at(double loss, double mass) {
  if (mass <= 0) return;
  const double position = loss / step_;
  if (std::isnan(position) || std::isnan(mass)) {
    present_infinity_ += std::isnan(mass) ? 1 : mass;
    return;
  }
  if (position >= static_cast<double>(last())) {
    // Beyond the top: keep the Q-mass at the last point, the rest of the P-mass goes to infinity.
    const double kept = std::min(mass, mass * std::exp(static_cast<double>(last()) * step_ - loss));
    present_.back() += kept;
    present_infinity_ += mass - kept;
    return;
  }
  if (position <= static_cast<double>(first_)) {
    present_.front() += mass;
    return;
  }
  const double below = std::floor(position);
  const auto i = static_cast<size_t>(static_cast<int64_t>(below) - first_);
  const double upper = std::clamp(-std::expm1((below - position) * step_) / spread_, 0.0, 1.0) * mass;
  present_[i + 1] += upper;
  present_[i] += mass - upper;
}

void LossPairBuilder::add_blank_at(double loss, double mass) {
  if (mass <= 0) return;
  const double position = loss / step_;
  if (std::isnan(position) || std::isnan(mass)) {
    blank_infinity_ += std::isnan(mass) ? 1 : mass;
    return;
  }
  if (position <= static_cast<double>(first_)) {
    const double kept = std::min(mass, mass * std::exp(loss - static_cast<double>(first_) * step_));
    blank_.front() += kept;
    blank_infinity_ += mass - kept;
    return;
  }
  if (position >= static_cast<double>(last())) {
    blank_.back() += mass;
    return;
  }
  const double above = std::floor(position) + 1;
  const auto i = static_cast<size_t>(static_cast<int64_t>(above) - first_);
  const double lower = std::clamp(-std::expm1((position - above) * step_) / spread_, 0.0, 1.0) * mass;
  blank_[i - 1] += lower;
  blank_[i] += mass - lower;
}

void LossPairBuilder::add_piece(double low, double high, double p, double q, double p_error, double q_error) {
  assert(low <= high);
  if (!(high > low)) {
    add_present_at(high, p);
    add_blank_at(low, q);
    return;
  }
  // As in add_cell, with the piece's own ends in the place of two lattice points.
  const double spread = -std::expm1(low - high);
  const double ratio_low = std::exp(low), ratio_high = std::exp(high);
  const double upper = std::clamp((p - q * ratio_low + p_error + q_error * ratio_low) / spread, 0.0, p);
  add_present_at(high, upper);
  add_present_at(low, p - upper);
  const double lower = std::clamp((q - p / ratio_high + q_error + p_error / ratio_high) / spread, 0.0, q);
  add_blank_at(low, lower);
  add_blank_at(high, q - lower);
}

void LossPairBuilder::add_atom(double p, double q) {
  const double loss = std::log(p / q);
  add_present_at(loss, p);
  add_blank_at(loss, q);
}

void LossPairBuilder::add_above(double p, double q) {
  // The piece [last, infinity): its ends are the last point, which keeps all of q, and infinity.
  const double kept = std::min(p, q * std::exp(static_cast<double>(last()) * step_));
  present_.back() += kept;
  present_infinity_ += p - kept;
  blank_.back() += q;
}

void LossPairBuilder::add_below(double p, double q) {
  const double kept = std::min(q, p * std::exp(-static_cast<double>(first_) * step_));
  blank_.front() += kept;
  blank_infinity_ += q - kept;
  present_.front() += p;
}

LossPair LossPairBuilder::build() && {
  LossPair pair;
  pair.blank = {step_, -last(), {}, blank_infinity_};
  std::reverse(blank_.begin(), blank_.end());
  pair.blank.mass = std::move(blank_);
  pair.present = {step_, first_, std::move(present_), present_infinity_};
  return pair;
}

}  // namespace graphveil::account
