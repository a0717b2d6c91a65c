// Every method, under every relation it can protect: on every neighbor of small random graphs, and both ways on chosen
// neighbors of wide ones.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graphveil/method/registry.h"
#include "tests/contract/cases.h"
#include "tests/contract/harness.h"

namespace graphveil::contract::neighbor_test {
namespace {

// What every line must reach of its bound in some case: one that stays below would not be noticed if the bound were
// too low by as much.
constexpr double kWantedShare = 0.8;

// A small graph has 9 neighbors at node level, and up to 72 at edge level.
uint64_t small_graphs(bound::Relation relation) { return bound::edge_level(relation) ? 2 : 10; }

std::string gtest_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char x) { return !std::isalnum(x); }, '_');
  return name;
}

// What was found of one method, and how far its lines moved.
struct Tally {
  int64_t pairs = 0;
  std::vector<std::string> findings;
  std::map<std::string, double> shares;  // by "method relation label"

  double& share(const Case& c, bound::Relation relation, const std::string& label) {
    return shares[fmt::format("{} {} {}", c.method, bound::name(relation), label)];
  }
  void add(const Case& c, bound::Relation relation, std::vector<std::string> found, const Shares& moved) {
    ++pairs;
    for (std::string& f : found) findings.push_back(c.title() + ", " + f);
    for (const auto& [label, moved_by] : moved) {
      double& most = share(c, relation, label);
      most = std::max(most, moved_by);
    }
  }
  // A line that is never seen has share 0.
  void expect(const Case& c, bound::Relation relation, const mechanism::Plan& plan) {
    for (const mechanism::PlanLine& line : plan.lines()) share(c, relation, line.event.label());
  }
};

void try_small_graphs(const Case& c, const method::Method& method, bound::Relation relation, Tally& tally) {
  for (uint64_t seed = 1; seed <= small_graphs(relation); ++seed) {
    const bool symmetric = relation == bound::Relation::UndirectedEdge || seed % 2 == 0;
    const SmallGraph graph = small_graph(seed, symmetric);
    const HarnessOptions options{.noise = c.noise, .protect_degree = largest_degree(graph.data.graph), .seed = seed};
    const Recorded run(method, relation, graph.data, graph.split, options);
    for (const Neighbors& neighbors : all_neighbors(graph, relation)) {
      Shares moved;
      std::vector<std::string> found = run.against(neighbors, neighbors.other, &moved);
      tally.add(c, relation, std::move(found), moved);
    }
  }
}

// Whether the plan speaks of nodes that have more edges than it protects.
bool allows_hubs(const method::Method& method, bound::Relation relation, const WideGraph& graph) {
  const method::Setting setting{relation,
                                graph.protect_degree,
                                {kWideNodes, static_cast<int64_t>(graph.graph.split.train.size()),
                                 graph.graph.data.features.cols(), graph.graph.data.classes, 5}};
  const method::Plan plan = method.plan(2, setting);
  return std::ranges::none_of(plan.lines(),
                              [](const auto& line) { return bound::reads(line.source()) == bound::Reads::ManyHops; });
}

void try_wide_graph(const Case& c, const method::Method& method, bound::Relation relation, const WideGraph& graph,
                    Tally& tally) {
  const SmallGraph& present = graph.graph;
  const int64_t degree = relation != bound::Relation::Node || allows_hubs(method, relation, graph)
                             ? graph.protect_degree
                             : largest_degree(present.data.graph);
  const HarnessOptions options{.noise = c.noise, .protect_degree = degree};
  const Recorded run(method, relation, present.data, present.split, options);
  tally.expect(c, relation, run.plan());
  std::vector<Neighbors> pairs = chosen_neighbors(graph, relation);
  // Where predictions are promised under another relation, on its neighbors too.
  const method::PredictionCover cover = method.predictions(relation);
  if (cover.audience != method::Audience::Holder && cover.relation != relation) {
    for (Neighbors& more : chosen_neighbors(graph, cover.relation)) pairs.push_back(std::move(more));
  }
  for (const Neighbors& neighbors : pairs) {
    Shares moved;
    tally.add(c, relation, run.against(neighbors, neighbors.other, &moved), moved);
    const Recorded reverse(method, relation, neighbors.other, neighbors.split, options);
    tally.add(c, relation, reverse.against(neighbors, present.data, &moved), moved);
  }
}

class EveryNeighbor : public testing::TestWithParam<std::string> {};

TEST_P(EveryNeighbor, IsHiddenAsStated) {
  Tally tally;
  std::set<bound::Relation> relations;
  for (const Case& c : contract_cases()) {
    if (c.method != GetParam()) continue;
    const Made made = make_quick(c.method, c.options);
    for (const bound::Relation relation : made.method->relations()) {
      if (!c.covers(relation)) continue;
      relations.insert(relation);
      if (c.shapes != std::vector{Shape::Crossroads}) try_small_graphs(c, *made.method, relation, tally);
      for (const Shape shape : c.shapes) {
        // Trees point downward where they may, and have sparse features. Under record what a node does is on its own
        // list alone.
        const bool symmetric = shape == Shape::Hubs || relation == bound::Relation::UndirectedEdge;
        try_wide_graph(c, *made.method, relation, wide_graph(shape, symmetric, shape == Shape::Tree), tally);
      }
      ASSERT_TRUE(tally.findings.empty())
          << tally.findings.front() << " (and " << tally.findings.size() - 1 << " more)";
    }
  }
  if (relations.empty()) GTEST_SKIP() << GetParam() << " promises nothing";
  EXPECT_GE(tally.pairs, 20);
  for (const auto& [line, share] : tally.shares) {
    fmt::print("share {:.3f} {}\n", share, line);
    EXPECT_GE(share, kWantedShare) << line << ": no case comes near its bound";
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryNeighbor, testing::ValuesIn(method::method_names()),
                         [](const auto& parameter) { return gtest_name(parameter.param); });

}  // namespace
}  // namespace graphveil::contract::neighbor_test
