#include "graphveil/mechanism/release.h"

#include <cmath>
#include <utility>

namespace graphveil::mechanism {
namespace {

bool same_line(const account::Event& a, const account::Event& b) {
  return a.label() == b.label() && a.mechanism() == b.mechanism() && a.sampling() == b.sampling();
}

const char* name(bound::Norm norm) {
  switch (norm) {
    case bound::Norm::L1: return "L1";
    case bound::Norm::L2: return "L2";
    case bound::Norm::LInf: return "LInf";
    case bound::Norm::Hamming: return "Hamming";
  }
  return "unknown";
}

}  // namespace

Release::Release(bound::Relation relation, account::Ledger plan, Budget cap, Seed seed)
    : relation_(relation), plan_(std::move(plan)), cap_(cap), seed_(seed), used_(plan_.events().size(), 0) {
  require(cap.epsilon > 0 && !std::isnan(cap.epsilon), "epsilon is {}, want a positive number", cap.epsilon);
  require(cap.delta >= 0 && cap.delta < 1, "delta is {}, want at least 0 and less than 1", cap.delta);
  const double price = account::spent_epsilon(plan_, cap.delta);
  // Written so that a NaN is refused too.
  if (!(price <= cap.epsilon)) {
    fail(ErrorKind::BudgetExceeded, "the plan costs epsilon {:.6g} at delta {:.3g}, the cap is {:.6g}", price,
         cap.delta, cap.epsilon);
  }
}

void Release::spend(const account::Event& event, const bound::Sensitivity& sensitivity, bound::Norm wanted) {
  require(sensitivity.relation == relation_, "'{}' is bounded for relation {}, this release is for {}", event.label(),
          bound::name(sensitivity.relation), bound::name(relation_));
  require(sensitivity.norm == wanted, "'{}' is bounded in {}, its mechanism wants {}", event.label(),
          name(sensitivity.norm), name(wanted));
  for (size_t i = 0; i < used_.size(); ++i) {
    const account::Event& planned = plan_.events()[i];
    if (same_line(planned, event) && used_[i] + event.count() <= planned.count()) {
      used_[i] += event.count();
      return;
    }
  }
  fail(ErrorKind::BudgetExceeded, "'{}' ({}, sampling {}) is not in the plan, or more often than planned",
       event.label(), account::kind(event.mechanism()), account::kind(event.sampling()));
}

account::Ledger Release::spent() const {
  account::Ledger ledger;
  for (size_t i = 0; i < used_.size(); ++i) {
    const account::Event& line = plan_.events()[i];
    if (used_[i] > 0) ledger.add(account::Event(line.label(), line.mechanism(), line.sampling(), used_[i]));
  }
  return ledger;
}

bool Release::complete() const {
  for (size_t i = 0; i < used_.size(); ++i) {
    if (used_[i] != plan_.events()[i].count()) return false;
  }
  return true;
}

}  // namespace graphveil::mechanism
