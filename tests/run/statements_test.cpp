#include "graphveil/run/statements.h"

#include <cmath>

#include "graphveil/bound/class_sums.h"
#include "graphveil/bound/clipping.h"
#include "graphveil/bound/correct_count.h"
#include "graphveil/bound/edge_cells.h"
#include "graphveil/bound/label.h"
#include "graphveil/bound/neighbor_counts.h"
#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/bound/pagerank_rows.h"
#include "graphveil/bound/votes.h"
#include "tests/run/small_run.h"

namespace graphveil::run::statements_test {
namespace {

using bound::Reads;
using bound::Relation;
using mechanism::Audience;

constexpr method::PublicFacts kFacts{1000, 750, 20, 4, 100};

// The number by which one line's Gaussian releases tell a node apart: count / multiplier^2.
double squared_mu(const mechanism::PlanLine& line) {
  const auto& gaussian = std::get<account::Gaussian>(line.event.mechanism());
  EXPECT_TRUE(std::holds_alternative<account::NoSampling>(line.event.sampling()));
  return static_cast<double>(line.event.count()) / (gaussian.noise_multiplier * gaussian.noise_multiplier);
}

// What the sum lines cost relative to the plan, and what the training lines cost.
double by_hand(const mechanism::Plan& plan, double sums, double own, double one_hop, double delta) {
  double total = 0;
  for (const mechanism::PlanLine& line : plan.lines()) {
    switch (bound::reads(line.source())) {
      case Reads::NeighborSum: total += sums * squared_mu(line); break;
      case Reads::OwnRecords: total += own * squared_mu(line); break;
      case Reads::OneHop: total += one_hop * squared_mu(line); break;
      default: ADD_FAILURE() << line.event.label();
    }
  }
  return gaussian_epsilon(std::sqrt(total), delta);
}

void expect_near(const std::optional<double>& found, double wanted, const std::string& what) {
  ASSERT_TRUE(found.has_value()) << what;
  EXPECT_GE(*found, wanted * (1 - 1e-9)) << what;  // never below the truth
  EXPECT_LE(*found, wanted * 1.005 + 1e-6) << what;
}

std::optional<double> stated(const std::vector<artifact::Statement>& all, Relation relation,
                             std::optional<int64_t> degree) {
  for (const artifact::Statement& s : all) {
    if (s.what == "parameters" && s.relation == relation && s.degree == degree) return s.epsilon;
  }
  ADD_FAILURE() << "no statement for " << bound::name(relation) << " " << degree.value_or(-1);
  return std::nullopt;
}

std::vector<artifact::Statement> stated_for(const Experiment& experiment, const Prepared& prepared,
                                            bool predictions = true) {
  return statements(experiment.method(), prepared.plan, prepared.setting, prepared.delta, predictions);
}

// Full batches, so that every line is Gaussian and the closed form is exact.
TEST(Statements, ByDegreeAndForOneFriendshipByHand) {
  constexpr double k = 40;
  for (const char* name : {"lap", "gap-ndp", "sage-ndp"}) {
    const auto experiment = quick(name, {{"protect-degree", "40"}, {"batch-size", "full"}, {"epsilon", "4"}});
    const Prepared prepared = prepare(*experiment, Relation::Node, kFacts);
    const std::vector<artifact::Statement> all = stated_for(*experiment, prepared);
    for (const int64_t degree : {0, 10, 40, 160, 640}) {
      const auto d = static_cast<double>(degree);
      const double samples = (2 * d + 1) / (2 * k + 1);  // changed clipped samples, before and after
      expect_near(stated(all, Relation::Node, degree),
                  by_hand(prepared.plan, d / k, 1, samples * samples, prepared.delta),
                  fmt::format("{} {}", name, degree));
    }
    // Two messages in two rows; two samples, each before and after; training on one's own record reads no edge.
    expect_near(stated(all, Relation::UndirectedEdge, std::nullopt),
                by_hand(prepared.plan, 2 / k, 0, std::pow(4 / (2 * k + 1), 2), prepared.delta), name);
  }
}

TEST(Statements, OneFriendshipOnADirectedEdgesBudget) {
  const auto experiment = quick("gap-edp");
  const Prepared prepared = prepare(*experiment, Relation::Edge, kFacts);
  const std::vector<artifact::Statement> all = stated_for(*experiment, prepared);
  expect_near(stated(all, Relation::UndirectedEdge, std::nullopt), by_hand(prepared.plan, 2, 0, 0, prepared.delta), "");
  // Under undirected-edge that is what the run itself says, once.
  const Prepared both = prepare(*experiment, Relation::UndirectedEdge, kFacts);
  int said = 0;
  for (const artifact::Statement& s : stated_for(*experiment, both)) said += s.what == "parameters" ? 1 : 0;
  EXPECT_EQ(said, 1);
}

TEST(Statements, SampledBatchesTouchMoreSamplesAtHigherDegree) {
  const auto experiment = quick("sage-ndp", {{"protect-degree", "8"}, {"batch-size", "50"}});
  const Prepared prepared = prepare(*experiment, Relation::Node, kFacts);
  const auto ledger = ledger_at_degree(prepared.plan, 3);
  ASSERT_TRUE(ledger.has_value());
  const auto& group = std::get<account::PoissonGroup>(ledger->events()[0].sampling());
  EXPECT_EQ(group.deletions, 4);
  EXPECT_EQ(group.insertions, 3);
  const auto friendship = ledger_of_friendship(prepared.plan, prepared.setting);
  ASSERT_TRUE(friendship.has_value());
  EXPECT_EQ(std::get<account::PoissonGroup>(friendship->events()[0].sampling()).deletions, 2);
  EXPECT_EQ(std::get<account::PoissonGroup>(friendship->events()[0].sampling()).insertions, 2);
}

TEST(Statements, NothingIsSaidWhereNothingIsKnown) {
  // A friendship stands in two records.
  const auto lap = quick("lap");
  for (const artifact::Statement& s : stated_for(*lap, prepare(*lap, Relation::Record, kFacts))) {
    EXPECT_EQ(s.relation, Relation::Record);
    EXPECT_FALSE(s.degree.has_value());
  }
  // Samples that reach further than one hop say nothing about other degrees.
  const auto dpgnn = quick("dpgnn", {{"layers", "2"}, {"protect-degree", "4"}});
  const Prepared deep = prepare(*dpgnn, Relation::Node, kFacts);
  EXPECT_FALSE(ledger_at_degree(deep.plan, 1).has_value());
  EXPECT_FALSE(ledger_of_friendship(deep.plan, deep.setting).has_value());
}

// One line of every kind: what it costs a node of 4 edges, and one friendship, where it was made for something else.
TEST(Statements, EveryKindOfLineByHand) {
  using account::Event, account::Ledger;
  using bound::source::Reach, bound::source::TeacherReads;
  struct Case {
    Event event;
    bound::Bound bound;
    std::optional<Ledger> at_degree, friendship;
    Relation relation = Relation::Node;
  };
  const auto gaussian = [](double noise) { return Event("line", account::Gaussian{noise}); };
  const auto laplace = [](double noise) { return Event("line", account::DiscreteLaplace{noise}); };
  const auto group = [](int64_t deletions, int64_t insertions) {
    return Event("line", account::Gaussian{2}, account::PoissonGroup{0.5, deletions, insertions});
  };
  const auto labels = [] { return Event("line", account::RandomizedResponse{1, 3}, {}, 5); };
  const Ledger same{gaussian(2)}, free;
  const std::optional<Ledger> unknown;
  const auto votes = [](TeacherReads teachers) { return bound::vote_counts_bound(5, bound::Norm::L2, teachers); };
  const bound::Bound sums = bound::neighbor_sum_bound({.relation = Relation::Node, .protect_degree = 16});
  const std::vector<Case> cases = {
      {gaussian(2), sums, Ledger{gaussian(2 * 2)}, Ledger{gaussian(2 * std::sqrt(8.0))}},
      {laplace(2), bound::neighbor_counts_bound(Relation::Edge), unknown, Ledger{laplace(1)}, Relation::Edge},
      {gaussian(2), bound::class_sums_bound(3), same, free},
      {gaussian(2), bound::clipped_sum_bound({}, {}, Reach::OwnSample), same, free},
      {group(9, 8), bound::clipped_sum_bound({}, {0.5, 9, 8}, Reach::ReleasedLists), Ledger{group(9, 8)}, free},
      {group(9, 8), bound::clipped_sum_bound({}, {0.5, 9, 8}, Reach::OneHop), Ledger{group(5, 4)}, Ledger{group(2, 2)}},
      {group(9, 8), bound::clipped_sum_bound({}, {0.5, 9, 8}, Reach::ManyHops), unknown, unknown},
      {gaussian(2), votes(TeacherReads::OwnRecords), same, free},
      {gaussian(2), votes(TeacherReads::OwnPart), same, same},
      {gaussian(2), votes(TeacherReads::ManyHops), unknown, unknown},
      {gaussian(2), bound::vote_maxima_bound(5, 2, TeacherReads::OwnPart), same, same},
      {labels(), bound::teacher_labels_bound(TeacherReads::OwnRecords), Ledger{labels()}, free},
      {labels(), bound::teacher_labels_bound(TeacherReads::ManyHops), unknown, unknown},
      {gaussian(2), bound::pagerank_rows_bound(1, 4), same, same},
      {laplace(2), bound::edge_count_bound(), unknown, Ledger{laplace(2)}, Relation::UndirectedEdge},
      {laplace(2), bound::edge_count_bound(), unknown, unknown, Relation::Edge},
      {gaussian(2), bound::correct_count_bound(), same, free},
  };
  for (const Case& c : cases) {
    const std::string what(bound::name(c.bound.source()));
    const mechanism::Plan plan{{c.event, c.bound}};
    EXPECT_EQ(ledger_at_degree(plan, 4), c.at_degree) << what;
    EXPECT_EQ(ledger_of_friendship(plan, {.relation = c.relation, .facts = kFacts}), c.friendship) << what;
    EXPECT_EQ(ledger_of_friendship(plan, {.relation = Relation::Record, .facts = kFacts}), std::nullopt) << what;
  }
  EXPECT_EQ(ledger_at_degree({{gaussian(2), sums}}, 0), free) << "a node without edges sends nothing";
}

TEST(Statements, PredictionsAreOwnersAtNodeLevelAndPublicAtEdgeLevel) {
  const auto audience_of_predictions = [](const char* name, Relation relation,
                                          bool covered) -> std::optional<Audience> {
    const auto experiment = quick(name);
    for (const artifact::Statement& s : stated_for(*experiment, prepare(*experiment, relation, kFacts), covered)) {
      if (s.what == "predictions") return s.audience;
    }
    return std::nullopt;
  };
  EXPECT_EQ(audience_of_predictions("gap-edp", Relation::Edge, true), Audience::Public);
  EXPECT_EQ(audience_of_predictions("lap", Relation::UndirectedEdge, true), Audience::Public);
  for (const Relation relation : {Relation::Node, Relation::Record}) {
    for (const char* name : {"lap", "gap-ndp", "mlp-dp", "sage-ndp"}) {
      EXPECT_EQ(audience_of_predictions(name, relation, true), Audience::Owner) << name;
      EXPECT_EQ(audience_of_predictions(name, relation, false), std::nullopt) << name;
    }
  }
  EXPECT_EQ(audience_of_predictions("dpgnn", Relation::Record, true), std::nullopt);
}

TEST(Statements, SmallDegreesAreSaidOnce) {
  const auto experiment = quick("lap", {{"protect-degree", "1"}});
  std::vector<int64_t> degrees;
  for (const artifact::Statement& s : stated_for(*experiment, prepare(*experiment, Relation::Node, kFacts))) {
    if (s.what == "parameters" && s.degree) degrees.push_back(*s.degree);
  }
  EXPECT_EQ(degrees, (std::vector<int64_t>{1, 0, 4, 16}));
}

// A person of m nodes moves a Gaussian sum at most m times as far; the bound by chains is above that and below m times
// the epsilon at a much smaller delta.
TEST(Statements, PeopleWhoAreSeveralNodes) {
  const auto experiment = quick("lap", {{"batch-size", "full"}, {"epsilon", "1"}});
  const Prepared prepared = prepare(*experiment, Relation::Node, kFacts);
  const auto all = statements(experiment->method(), prepared.plan, prepared.setting, prepared.delta, true, 3);
  std::vector<artifact::Statement> people;
  for (const artifact::Statement& s : all) {
    if (s.what.find("at most 3 nodes") != std::string::npos) people.push_back(s);
  }
  ASSERT_EQ(people.size(), 2u);
  EXPECT_EQ(people[0].what, "parameters, people who are at most 3 nodes each");
  EXPECT_TRUE(people[1].what.starts_with("predictions"));
  for (const artifact::Statement& s : people) {
    EXPECT_EQ(s.relation, Relation::Node);
    EXPECT_EQ(s.degree, all.front().degree);
    EXPECT_GE(*s.epsilon, by_hand(prepared.plan, 9, 9, 9, prepared.delta));
    EXPECT_LT(*s.epsilon, 3 * by_hand(prepared.plan, 1, 1, 1, prepared.delta * 1e-6));
  }
  const auto one = statements(experiment->method(), prepared.plan, prepared.setting, prepared.delta, true, 1);
  EXPECT_EQ(all.size(), one.size() + 2);
  const auto edges = quick("gap-edp");
  const Prepared of_edges = prepare(*edges, Relation::UndirectedEdge, kFacts);
  EXPECT_EQ(statements(edges->method(), of_edges.plan, of_edges.setting, of_edges.delta, true, 3).size(),
            statements(edges->method(), of_edges.plan, of_edges.setting, of_edges.delta, true).size());
}

}  // namespace
}  // namespace graphveil::run::statements_test
