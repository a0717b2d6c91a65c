#include "graphveil/mechanism/plan.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace graphveil::mechanism {

Plan::Plan(std::initializer_list<PlanLine> lines) {
  for (const PlanLine& line : lines) add(line);
}

void Plan::add(PlanLine line) {
  require(std::isfinite(line.sensitivity()) && line.sensitivity() > 0,
          "line '{}': sensitivity is {}, want a positive finite number", line.event.label(), line.sensitivity());
  const auto same = [&](const PlanLine& other) { return other.event.label() == line.event.label(); };
  require(std::none_of(lines_.begin(), lines_.end(), same), "the plan has two lines called '{}'", line.event.label());
  lines_.push_back(std::move(line));
}

void Plan::add(const Plan& other) {
  for (const PlanLine& line : other.lines_) add(line);
}

size_t Plan::index(const std::string& label) const {
  for (size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].event.label() == label) return i;
  }
  fail(ErrorKind::Internal, "the plan has no line '{}'", label);
}

account::Ledger Plan::ledger() const {
  account::Ledger ledger;
  for (const PlanLine& line : lines_) ledger.add(line.event);
  return as_run(ledger);
}

account::Ledger Plan::as_run(const account::Ledger& ledger) const {
  if ((record_rate_ == 1 && !trials_) || ledger.empty()) return ledger;
  const auto all = std::make_shared<const account::Event>("all lines", account::Composed{ledger.events()});
  if (trials_) return {account::Event("the best of several trials", account::Tuned{*trials_, all})};
  return {account::Event("on a sample of the records", account::Sampled{record_rate_, all})};
}

Plan Plan::on_sample(double rate) const {
  require(rate > 0 && rate <= 1, "the rate of records is {}, want above 0 and at most 1", rate);
  Plan out = *this;
  require(rate == 1 || !trials_, "a search on a sample of the records has no proof");
  out.record_rate_ = rate;
  return out;
}

Plan Plan::best_of(account::Trials trials) const {
  require(record_rate_ == 1, "a search on a sample of the records has no proof");
  Plan out = *this;
  out.trials_ = trials;
  return out;
}

account::Single mechanism_of(const account::Event& event) {
  struct Visitor {
    account::Single operator()(const account::Single& single) const { return single; }
    account::Single operator()(const account::Sampled& sampled) const {
      account::Single inner = mechanism_of(*sampled.event);
      if (inner.sampling != account::Sampling(account::NoSampling{}) || sampled.event->count() != 1) {
        fail(ErrorKind::Internal, "a line samples once, and its mechanism runs once on the sample");
      }
      return {inner.mechanism, account::Poisson{sampled.rate}};
    }
    account::Single operator()(const account::Composed&) const {
      fail(ErrorKind::Internal, "a line is released by one mechanism, not by several");
    }
    account::Single operator()(const account::Tuned&) const {
      fail(ErrorKind::Internal, "a line is released by one mechanism, not by a search");
    }
  };
  return std::visit(Visitor{}, event.body());
}

account::Event with_count(const account::Event& event, int64_t count) {
  return with_count(event, count, event.label());
}

account::Event with_count(const account::Event& event, int64_t count, const std::string& label) {
  struct Visitor {
    const std::string& name;
    int64_t times;
    account::Event operator()(const account::Single& s) const { return {name, s.mechanism, s.sampling, times}; }
    account::Event operator()(const account::Sampled& s) const { return {name, s, times}; }
    account::Event operator()(const account::Composed& s) const { return {name, s, times}; }
    account::Event operator()(const account::Tuned& s) const { return {name, s, times}; }
  };
  return std::visit(Visitor{label, count}, event.body());
}

double noise_scale(const PlanLine& line) {
  struct Visitor {
    double sensitivity;
    double operator()(const account::Gaussian& m) const { return m.noise_multiplier * sensitivity; }
    double operator()(const account::Laplace& m) const { return m.noise_multiplier * sensitivity; }
    double operator()(const account::Exponential& m) const { return m.range > 0 ? 2 * sensitivity / m.range : 0; }
    double operator()(const account::RandomizedResponse& m) const { return m.log_odds; }
    double operator()(const account::DiscreteLaplace& m) const { return m.noise_multiplier * sensitivity; }
    double operator()(const account::DiscreteGaussian& m) const { return m.noise_multiplier * sensitivity; }
  };
  return std::visit(Visitor{line.sensitivity()}, mechanism_of(line.event).mechanism);
}

}  // namespace graphveil::mechanism
