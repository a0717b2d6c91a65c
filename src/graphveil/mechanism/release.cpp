#include "graphveil/mechanism/release.h"

#include <cmath>
#include <utility>

namespace graphveil::mechanism {
namespace {

bool same_line(const account::Event& a, const account::Event& b) {
  return a.label() == b.label() && a.mechanism() == b.mechanism() && a.sampling() == b.sampling();
}

}  // namespace

Release::Release(bound::Relation relation, account::Ledger plan, Budget cap, Seed seed)
    : relation_(relation), plan_(std::move(plan)), cap_(cap), seed_(seed) {
  point_.uses.resize(plan_.events().size());
  require(cap.epsilon > 0 && !std::isnan(cap.epsilon), "epsilon is {}, want a positive number", cap.epsilon);
  require(cap.delta >= 0 && cap.delta < 1, "delta is {}, want at least 0 and less than 1", cap.delta);
  const double price = account::spent_epsilon(plan_, cap.delta);
  // Written so that a NaN is refused too.
  if (!(price <= cap.epsilon)) {
    fail(ErrorKind::BudgetExceeded, "the plan costs epsilon {:.6g} at delta {:.3g}, the cap is {:.6g}", price,
         cap.delta, cap.epsilon);
  }
}

void Release::spend(const account::Event& event, const bound::Sensitivity& sensitivity, bound::Norm wanted,
                    double noise_scale) {
  require(sensitivity.relation == relation_, "'{}' is bounded for relation {}, this release is for {}", event.label(),
          bound::name(sensitivity.relation), bound::name(relation_));
  require(sensitivity.norm == wanted, "'{}' is bounded in {}, its mechanism wants {}", event.label(),
          bound::name(sensitivity.norm), bound::name(wanted));
  for (size_t i = 0; i < point_.uses.size(); ++i) {
    const account::Event& planned = plan_.events()[i];
    ReleasePoint::Use& use = point_.uses[i];
    if (!same_line(planned, event) || use.count + event.count() > planned.count()) continue;
    require(use.count == 0 || (use.sensitivity == sensitivity.amount && use.noise_scale == noise_scale),
            "'{}' had sensitivity {} before and {} now: a ledger line has one", event.label(), use.sensitivity,
            sensitivity.amount);
    use = {use.count + event.count(), sensitivity.amount, sensitivity.norm, noise_scale};
    return;
  }
  fail(ErrorKind::BudgetExceeded, "'{}' ({}, sampling {}) is not in the plan, or more often than planned",
       event.label(), account::kind(event.mechanism()), account::kind(event.sampling()));
}

account::Ledger Release::spent() const {
  account::Ledger ledger;
  for (const SpentLine& line : spent_lines()) ledger.add(line.event);
  return ledger;
}

std::vector<SpentLine> Release::spent_lines() const {
  std::vector<SpentLine> lines;
  for (size_t i = 0; i < point_.uses.size(); ++i) {
    const account::Event& planned = plan_.events()[i];
    const ReleasePoint::Use& use = point_.uses[i];
    if (use.count == 0) continue;
    lines.push_back({account::Event(planned.label(), planned.mechanism(), planned.sampling(), use.count),
                     use.sensitivity, use.norm, use.noise_scale});
  }
  return lines;
}

void Release::resume(const ReleasePoint& point) {
  require(spent().empty() && point_.draws == 0, "a release that has spent something cannot be taken elsewhere");
  require(point.uses.size() == point_.uses.size(), "the point has {} lines, the plan {}", point.uses.size(),
          point_.uses.size());
  for (size_t i = 0; i < point.uses.size(); ++i) {
    const int64_t planned = plan_.events()[i].count();
    require(point.uses[i].count >= 0 && point.uses[i].count <= planned, "line {} of the point was used {} times of {}",
            i, point.uses[i].count, planned);
  }
  point_ = point;
}

bool Release::complete() const {
  for (size_t i = 0; i < point_.uses.size(); ++i) {
    if (point_.uses[i].count != plan_.events()[i].count()) return false;
  }
  return true;
}

}  // namespace graphveil::mechanism
