#include "graphveil/mechanism/release.h"

#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "graphveil/account/accountant.h"
#include "graphveil/account/drawn.h"
#include "graphveil/account/event_json.h"
#include "graphveil/mechanism/release_parts.h"

namespace graphveil::mechanism {
namespace {

constexpr double kFinest = 0x1p-12;       // of the noise
constexpr double kPickFinest = 0x1p-28;   // of the noise of a pick, which pays for each step
constexpr double kClearFinest = 0x1p-20;  // of the sensitivity, where there is no noise

}  // namespace

Release::Release(Door door, bound::Relation relation, Plan plan, Budget cap, Seed seed)
    : door_(door), relation_(relation), plan_(std::move(plan)), cap_(cap), seed_(seed) {
  point_.uses.resize(plan_.lines().size(), 0);
}

Release::~Release() = default;

Release Release::open(bound::Relation relation, Plan plan, Budget cap, Seed seed) {
  require(cap.epsilon > 0 && !std::isnan(cap.epsilon), "epsilon is {}, want a positive number", cap.epsilon);
  require(cap.delta >= 0 && cap.delta < 1, "delta is {}, want at least 0 and less than 1", cap.delta);
  for (const PlanLine& line : plan.lines()) {
    if (!account::supports(line.event)) {
      fail(ErrorKind::Unsupported, "'{}' ({}) has no proof", line.event.label(), account::kind(line.event.body()));
    }
  }
  // Written so that a NaN is refused too. Without a cap there is nothing to compare.
  const double price = std::isinf(cap.epsilon) ? 0 : account::drawn_epsilon(plan.ledger(), cap.delta);
  if (!(price <= cap.epsilon)) {
    fail(ErrorKind::BudgetExceeded, "the plan costs epsilon {:.6g} at delta {:.3g}, the cap is {:.6g}", price,
         cap.delta, cap.epsilon);
  }
  return {Door::Private, relation, std::move(plan), cap, seed};
}

Release Release::clear(bound::Relation relation, Plan plan) {
  return {Door::Clear, relation, std::move(plan), {std::numeric_limits<double>::infinity(), 0}, Seed::from_number(0)};
}

Release Release::replay(bound::Relation relation, Plan plan, const Recording& recording) {
  Release release{
      Door::Replay, relation, std::move(plan), {std::numeric_limits<double>::infinity(), 0}, Seed::from_number(0)};
  release.replay_ = &recording;
  return release;
}

double Release::grid(const std::string& label) const {
  const PlanLine& planned = plan_.line(label);
  const double noise = noise_scale(planned);
  if (!(noise > 0)) return bound::grid_step(kClearFinest * planned.sensitivity());
  const bool pick = std::holds_alternative<account::Exponential>(mechanism_of(planned.event).mechanism);
  return bound::grid_step((pick ? kPickFinest : kFinest) * noise);
}

const PlanLine& Release::spend(const std::string& label, const bound::Sensitivity& sensitivity, int64_t times) {
  const size_t i = plan_.index(label);
  const PlanLine& planned = plan_.lines()[i];
  require(sensitivity.relation == relation_, "'{}' is bounded for relation {}, this release is for {}", label,
          bound::name(sensitivity.relation), bound::name(relation_));
  require(sensitivity.norm == planned.norm() && sensitivity.amount == planned.sensitivity(),
          "'{}' is bounded by {} in {}, the plan says {} in {}", label, sensitivity.amount,
          bound::name(sensitivity.norm), planned.sensitivity(), bound::name(planned.norm()));
  const account::Sampling sampling = mechanism_of(planned.event).sampling;
  require(sensitivity.sampling == sampling, "'{}' was sampled as {}, the plan says {}", label,
          account::kind(sensitivity.sampling), account::kind(sampling));
  if (point_.uses[i] + times > planned.event.count()) {
    fail(ErrorKind::BudgetExceeded, "'{}' is asked for {} times, the plan says {}", label, point_.uses[i] + times,
         planned.event.count());
  }
  if (door_ == Door::Private && before_noise_) std::exchange(before_noise_, nullptr)();
  if (door_ == Door::Private && !(noise_scale(planned) > 0)) {
    fail(ErrorKind::InvalidArgument, "'{}' has no noise: only a release that promises nothing may do without", label);
  }
  point_.uses[i] += times;
  return planned;
}

Plan Release::spent() const {
  Plan out;
  for (size_t i = 0; i < point_.uses.size(); ++i) {
    if (point_.uses[i] == 0) continue;
    PlanLine line = plan_.lines()[i];
    line.event = with_count(line.event, point_.uses[i]);
    out.add(std::move(line));
  }
  return plan_.trials() ? out.best_of(*plan_.trials()) : out.on_sample(plan_.record_rate());
}

void Release::resume(const ReleasePoint& point) {
  require(point.draws >= point_.draws, "a release is never taken back: {} draws were made, the point has {}",
          point_.draws, point.draws);
  require(point.uses.size() == point_.uses.size(), "the point has {} lines, the plan {}", point.uses.size(),
          point_.uses.size());
  for (size_t i = 0; i < point.uses.size(); ++i) {
    const int64_t planned = plan_.lines()[i].event.count();
    require(point.uses[i] >= point_.uses[i] && point.uses[i] <= planned,
            "line {} of the point was used {} times, want {} to {}", i, point.uses[i], point_.uses[i], planned);
  }
  point_ = point;
}

void Release::keep(AnswerLog& log, std::string training) {
  require(door_ == Door::Private, "only a private release has answers to keep");
  log_ = &log;
  training_ = std::move(training);
}

std::vector<int32_t> Release::given(const std::string& label) {
  if (log_ == nullptr) return {};
  const size_t i = plan_.index(label);
  const auto response = planned_as<account::RandomizedResponse>(plan_.lines()[i]);
  require(spent().empty() && point_.draws == 0, "answers given before come before all others");
  std::vector<int32_t> labels = log_->begin(training_, account::to_json(plan_.ledger()).dump());
  const auto count = static_cast<int64_t>(labels.size()), planned = plan_.lines()[i].event.count();
  if (count > planned) fail(ErrorKind::BadInput, "{} answers were kept, the plan says {}", count, planned);
  for (const int32_t y : labels) {
    if (y < 0 || y >= response.classes) {
      fail(ErrorKind::BadInput, "an answer that was kept is {}, want a label of {} classes", y, response.classes);
    }
  }
  // Every label draws from one stream.
  point_.uses[i] = count;
  point_.draws = static_cast<uint64_t>(count);
  return labels;
}

Noisy<int32_t> Release::finish_label(const std::string& label, int32_t output, double noise_scale) {
  if (log_ != nullptr) log_->add(output);
  return finish(label, output, noise_scale);
}

bool Release::complete() const {
  for (size_t i = 0; i < point_.uses.size(); ++i) {
    if (point_.uses[i] != plan_.lines()[i].event.count()) return false;
  }
  return true;
}

}  // namespace graphveil::mechanism
