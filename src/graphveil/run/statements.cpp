#include "graphveil/run/statements.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/drawn.h"
#include "graphveil/account/group_epsilon.h"
#include "graphveil/account/scaling.h"
#include "graphveil/base/parallel.h"

namespace graphveil::run {
namespace {

using mechanism::PlanLine;
namespace source = bound::source;

// What one line costs somebody: no event, one, or (none) nothing that is known.
using Cost = std::optional<account::Ledger>;
const Cost kFree = account::Ledger{};
const Cost kUnknown = std::nullopt;

// A line of messages, made for `planned` of them, for somebody who sends `sent`: their L2 norm goes with the root of
// the number, their L1 norm with the number.
Cost for_messages(const PlanLine& line, int64_t planned, int64_t sent) {
  if (sent == 0) return kFree;
  const double ratio = static_cast<double>(planned) / static_cast<double>(sent);
  return account::Ledger{account::rescaled(line.event, line.norm() == bound::Norm::L1 ? ratio : std::sqrt(ratio))};
}

Cost for_samples(const PlanLine& line, const source::Gradients& planned, int64_t deletions, int64_t insertions) {
  return account::Ledger{account::regrouped(line.event, planned.deletions + planned.insertions, deletions, insertions)};
}

// For a node with this many outgoing edges.
struct AtDegree {
  const PlanLine& line;
  int64_t degree;

  Cost operator()(const source::NeighborSum& s) const { return for_messages(line, s.messages, degree); }
  Cost operator()(const source::NeighborCounts&) const { return kUnknown; }
  Cost operator()(const source::ClassSums&) const { return same(); }
  Cost operator()(const source::Gradients& s) const {
    switch (s.reach) {
      case source::Reach::OwnSample:
      case source::Reach::ReleasedLists: return same();
      case source::Reach::OneHop: return for_samples(line, s, 1 + degree, degree);
      case source::Reach::ManyHops: return kUnknown;
    }
    return kUnknown;
  }
  Cost operator()(const source::Votes& s) const { return taught(s.teachers); }
  Cost operator()(const source::VoteMaxima& s) const { return taught(s.teachers); }
  Cost operator()(const source::Labels& s) const { return taught(s.teachers); }
  Cost operator()(const source::PageRankRows&) const { return same(); }
  Cost operator()(const source::PageRankPicks&) const { return same(); }
  Cost operator()(const source::PageRankValues&) const { return same(); }
  Cost operator()(const source::EdgeCount&) const { return kUnknown; }
  Cost operator()(const source::EdgeCells&) const { return kUnknown; }
  Cost operator()(const source::Score&) const { return same(); }

 private:
  Cost same() const { return account::Ledger{line.event}; }
  Cost taught(source::TeacherReads teachers) const {
    return teachers == source::TeacherReads::ManyHops ? kUnknown : same();
  }
};

// For one undirected edge, both of its directions.
struct ForFriendship {
  const PlanLine& line;
  bound::Relation relation;

  Cost operator()(const source::NeighborSum& s) const { return for_messages(line, s.messages, 2); }
  Cost operator()(const source::NeighborCounts& s) const { return for_messages(line, s.cells, 2); }
  Cost operator()(const source::ClassSums&) const { return kFree; }
  Cost operator()(const source::Gradients& s) const {
    switch (s.reach) {
      case source::Reach::OwnSample:
      case source::Reach::ReleasedLists: return kFree;
      case source::Reach::OneHop: return for_samples(line, s, 2, 2);
      case source::Reach::ManyHops: return kUnknown;
    }
    return kUnknown;
  }
  Cost operator()(const source::Votes& s) const { return taught(s.teachers); }
  Cost operator()(const source::VoteMaxima& s) const { return taught(s.teachers); }
  Cost operator()(const source::Labels& s) const { return taught(s.teachers); }
  Cost operator()(const source::PageRankRows&) const { return same(); }
  Cost operator()(const source::PageRankPicks&) const { return same(); }
  Cost operator()(const source::PageRankValues&) const { return same(); }
  Cost operator()(const source::EdgeCount&) const { return planned_for_both(); }
  Cost operator()(const source::EdgeCells&) const { return planned_for_both(); }
  Cost operator()(const source::Score&) const { return kFree; }

 private:
  Cost same() const { return account::Ledger{line.event}; }
  Cost planned_for_both() const { return relation == bound::Relation::UndirectedEdge ? same() : kUnknown; }
  Cost taught(source::TeacherReads teachers) const {
    switch (teachers) {
      case source::TeacherReads::OwnRecords: return kFree;
      case source::TeacherReads::OwnPart: return same();
      case source::TeacherReads::ManyHops: return kUnknown;
    }
    return kUnknown;
  }
};

// All lines together; none where one of them is not known.
template <typename CostOf>
Cost cost_of(const mechanism::Plan& plan, CostOf&& cost_of_line) {
  account::Ledger ledger;
  for (const PlanLine& line : plan.lines()) {
    const Cost cost = cost_of_line(line);
    if (!cost) return std::nullopt;
    ledger.add(*cost);
  }
  return plan.as_run(ledger);
}

// The plan's lines as they cost records that move each by `share` of its sensitivity.
account::Ledger ledger_of_class(const mechanism::Plan& plan, double share) {
  account::Ledger ledger;
  for (const PlanLine& line : plan.lines()) ledger.add(account::rescaled(line.event, 1 / share));
  return plan.as_run(ledger);
}

}  // namespace

std::optional<double> proved_epsilon(const account::Ledger& ledger, double delta) {
  const double epsilon = account::drawn_epsilon(ledger, delta);
  return std::isfinite(epsilon) ? std::optional<double>(epsilon) : std::nullopt;
}

std::vector<std::optional<double>> proved_epsilons(std::span<const Priced> asked) {
  std::vector<std::optional<double>> out(asked.size());
  parallel_for(static_cast<int64_t>(asked.size()), 1, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      out[i] = proved_epsilon(asked[i].ledger, asked[i].delta);
    }
  });
  return out;
}

std::optional<account::Ledger> ledger_at_degree(const mechanism::Plan& plan, int64_t degree) {
  return cost_of(plan, [&](const PlanLine& line) { return std::visit(AtDegree{line, degree}, line.source()); });
}

std::optional<account::Ledger> ledger_of_friendship(const mechanism::Plan& plan, const method::Setting& setting) {
  if (setting.relation == bound::Relation::Record) return std::nullopt;  // a friendship stands in two records
  // On a sample an edge is there when both its ends are: less often than one of them.
  return cost_of(plan, [&](const PlanLine& line) {
    return std::visit(ForFriendship{line, setting.relation}, line.source());
  });
}

std::vector<artifact::Statement> statements(const method::Method& method, const mechanism::Plan& plan,
                                            const method::Setting& setting, double delta, bool predictions_covered,
                                            int64_t entity) {
  const bool by_degree = setting.relation == bound::Relation::Node && !method.every_degree();
  const auto degree = by_degree ? std::optional<int64_t>(method.quoted_degree(setting)) : std::nullopt;
  std::vector<artifact::Statement> out;
  std::vector<Priced> asked;  // of each statement
  const auto state = [&](mechanism::Audience audience, const std::string& what, bound::Relation relation,
                         std::optional<int64_t> at_degree, const account::Ledger& ledger) {
    out.push_back({audience, what, relation, at_degree, std::nullopt, delta});
    asked.push_back({ledger, delta});
  };
  state(mechanism::Audience::Public, "parameters", setting.relation, degree, plan.ledger());
  const method::PredictionCover cover = method.predictions(setting.relation);
  if (predictions_covered && cover.audience != mechanism::Audience::Holder) {
    state(cover.audience, "predictions", cover.relation, degree, plan.ledger());
  }
  for (const method::RecordClass& part : method.record_classes()) {
    state(mechanism::Audience::Public, "parameters, " + part.who, setting.relation, std::nullopt,
          ledger_of_class(plan, part.share));
  }
  if (by_degree) {
    const int64_t k = method.quoted_degree(setting);
    for (const int64_t d : {int64_t{0}, k / 4, 4 * k, 16 * k}) {
      const std::optional<account::Ledger> ledger = ledger_at_degree(plan, d);
      if (!ledger || (d == 0 && k / 4 == 0 && out.back().degree == 0)) continue;
      state(mechanism::Audience::Public, "parameters", setting.relation, d, *ledger);
    }
  }
  if (setting.relation != bound::Relation::UndirectedEdge) {
    if (const std::optional<account::Ledger> ledger = ledger_of_friendship(plan, setting)) {
      state(mechanism::Audience::Public, "parameters", bound::Relation::UndirectedEdge, std::nullopt, *ledger);
    }
  }
  const std::vector<std::optional<double>> epsilons = proved_epsilons(asked);
  for (size_t i = 0; i < out.size(); ++i) out[i].epsilon = epsilons[i];
  if (entity > 1 && !bound::edge_level(setting.relation)) {
    const double group = account::group_epsilon(plan.ledger(), delta, entity);
    const std::vector<artifact::Statement> of_one = out;
    for (artifact::Statement s : of_one) {
      if ((s.what != "parameters" && s.what != "predictions") || s.degree != degree || bound::edge_level(s.relation)) {
        continue;
      }
      s.what += fmt::format(", people who are at most {} nodes each", entity);
      s.epsilon = std::isfinite(group) ? std::optional(group) : std::nullopt;
      out.push_back(std::move(s));
    }
  }
  return out;
}

}  // namespace graphveil::run
