#include "graphveil/run/statements.h"

#include <cmath>
#include <utility>

#include "graphveil/account/drawn.h"

namespace graphveil::run {
namespace {

using mechanism::PlanLine;
using mechanism::Reads;

std::optional<double> finite(double epsilon) {
  return std::isfinite(epsilon) ? std::optional<double>(epsilon) : std::nullopt;
}

// The event with noise that is `factor` times as large against its sensitivity: the same noise on a value that moves
// less.
account::Event rescaled(const account::Event& event, double factor) {
  struct Visitor {
    double factor;
    account::Mechanism operator()(account::Gaussian m) const { return account::Gaussian{m.noise_multiplier * factor}; }
    account::Mechanism operator()(account::Laplace) const { return refused("laplace"); }
    account::Mechanism operator()(account::Exponential) const { return refused("exponential"); }
    account::Mechanism operator()(account::RandomizedResponse) const { return refused("randomized-response"); }
    account::Mechanism operator()(account::DiscreteLaplace) const { return refused("discrete-laplace"); }
    account::Mechanism operator()(account::DiscreteGaussian m) const {
      return account::DiscreteGaussian{m.noise_multiplier * factor};
    }
    // Its sensitivity is an L1 or Hamming norm, which does not grow with the square root.
    static account::Mechanism refused(const char* kind) {
      fail(ErrorKind::Internal, "a sum with {} noise has no statement for other degrees", kind);
    }
  };
  return {event.label(), std::visit(Visitor{factor}, event.mechanism()), event.sampling(), event.count()};
}

// A line of sums over neighbors that was made for `ratio` times as many messages as are asked about: their L2 norm goes
// with the root of the number, their L1 norm with the number.
account::Event for_messages(const account::Event& event, double ratio) {
  const auto* counts = std::get_if<account::DiscreteLaplace>(&event.mechanism());
  if (counts == nullptr) return rescaled(event, std::sqrt(ratio));
  return {event.label(), account::DiscreteLaplace{counts->noise_multiplier * ratio}, event.sampling(), event.count()};
}

// A training line in which one record touches `before` samples, of which `after` stand changed, in place of what the
// line was made for. Without sampling the multiplier is per (before + after) clipped samples.
account::Event regrouped(const account::Event& event, int64_t planned_touched, int64_t before, int64_t after) {
  struct Visitor {
    const account::Event& event;
    int64_t planned_touched, before, after;
    account::Event operator()(const account::NoSampling&) const {
      return rescaled(event, static_cast<double>(planned_touched) / static_cast<double>(before + after));
    }
    account::Event operator()(const account::Poisson& s) const { return grouped(s.rate); }
    account::Event operator()(const account::PoissonGroup& s) const { return grouped(s.rate); }
    account::Event grouped(double rate) const {
      return {event.label(), event.mechanism(), account::PoissonGroup{rate, before, after}, event.count()};
    }
  };
  return std::visit(Visitor{event, planned_touched, before, after}, event.sampling());
}

// The plan's lines as they cost records that move each by `share` of its sensitivity.
account::Ledger ledger_of_class(const mechanism::Plan& plan, double share) {
  account::Ledger ledger;
  for (const PlanLine& line : plan.lines()) ledger.add(rescaled(line.event, 1 / share));
  return plan.as_run(ledger);
}

}  // namespace

std::optional<account::Ledger> ledger_at_degree(const mechanism::Plan& plan, int64_t degree, int64_t protect_degree) {
  account::Ledger ledger;
  for (const PlanLine& line : plan.lines()) {
    switch (line.reads) {
      case Reads::OwnRecords:
      case Reads::ClippedRows: ledger.add(line.event); break;
      case Reads::NeighborSum:
        if (degree > 0) {
          ledger.add(for_messages(line.event, static_cast<double>(protect_degree) / static_cast<double>(degree)));
        }
        break;
      case Reads::OneHop: ledger.add(regrouped(line.event, 2 * protect_degree + 1, 1 + degree, degree)); break;
      case Reads::ManyHops:
      case Reads::Edges: return std::nullopt;
    }
  }
  return plan.as_run(ledger);
}

std::optional<account::Ledger> ledger_of_friendship(const mechanism::Plan& plan, const method::Setting& setting) {
  // What the sums were made for, in messages: their sensitivity is this times the square root.
  double messages = 0;
  switch (setting.relation) {
    case bound::Relation::Edge: messages = 1; break;
    case bound::Relation::UndirectedEdge: messages = 2; break;
    case bound::Relation::Node: messages = static_cast<double>(setting.protect_degree); break;
    case bound::Relation::Record: return std::nullopt;  // a friendship stands in two records
  }
  account::Ledger ledger;
  for (const PlanLine& line : plan.lines()) {
    switch (line.reads) {
      case Reads::OwnRecords: break;
      case Reads::ClippedRows: ledger.add(line.event); break;
      case Reads::NeighborSum: ledger.add(for_messages(line.event, messages / 2)); break;
      case Reads::OneHop: ledger.add(regrouped(line.event, 2 * setting.protect_degree + 1, 2, 2)); break;
      case Reads::ManyHops: return std::nullopt;
      case Reads::Edges:
        if (setting.relation != bound::Relation::UndirectedEdge) return std::nullopt;
        ledger.add(line.event);
        break;
    }
  }
  // An edge is there when both its ends are: less often than one of them.
  return plan.as_run(ledger);
}

std::vector<Statement> statements(const method::Method& method, const mechanism::Plan& plan,
                                  const method::Setting& setting, double delta, bool predictions_covered) {
  const bool by_degree = setting.relation == bound::Relation::Node && !method.every_degree();
  const auto degree = by_degree ? std::optional<int64_t>(method.quoted_degree(setting)) : std::nullopt;
  const std::optional<double> epsilon = finite(account::drawn_epsilon(plan.ledger(), delta));
  std::vector<Statement> out{{mechanism::Audience::Public, "parameters", setting.relation, degree, epsilon, delta}};
  const method::PredictionCover cover = method.predictions(setting.relation);
  if (predictions_covered && cover.audience != mechanism::Audience::Holder) {
    out.push_back({cover.audience, "predictions", cover.relation, degree, epsilon, delta});
  }
  for (const method::RecordClass& part : method.record_classes()) {
    out.push_back({mechanism::Audience::Public, "parameters, " + part.who, setting.relation, std::nullopt,
                   finite(account::drawn_epsilon(ledger_of_class(plan, part.share), delta)), delta});
  }
  if (by_degree) {
    const int64_t k = method.quoted_degree(setting);
    for (const int64_t d : {int64_t{0}, k / 4, 4 * k, 16 * k}) {
      const std::optional<account::Ledger> ledger = ledger_at_degree(plan, d, k);
      if (!ledger || (d == 0 && k / 4 == 0 && out.back().degree == 0)) continue;
      out.push_back({mechanism::Audience::Public, "parameters", setting.relation, d,
                     finite(account::drawn_epsilon(*ledger, delta)), delta});
    }
  }
  if (setting.relation != bound::Relation::UndirectedEdge) {
    if (const std::optional<account::Ledger> ledger = ledger_of_friendship(plan, setting)) {
      out.push_back({mechanism::Audience::Public, "parameters", bound::Relation::UndirectedEdge, std::nullopt,
                     finite(account::drawn_epsilon(*ledger, delta)), delta});
    }
  }
  return out;
}

}  // namespace graphveil::run
