#include "graphveil/bound/pagerank_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "graphveil/graph/generate.h"
#include "tests/mechanism/access.h"

namespace graphveil::bound::pagerank_rows_test {
namespace {

constexpr double kLimit = 0.05;

// Every row with its zeros, seen on its way through a clear release.
mechanism::Seen seen(const graph::Graph& graph, RowClip clip, bool with_source = false) {
  std::vector<int32_t> sources(static_cast<size_t>(graph.nodes()));
  std::iota(sources.begin(), sources.end(), 0);
  const PageRankRows rows(graph, sources, {{}, clip, kLimit, Relation::Node, with_source});
  const bool entries = clip == RowClip::Entries;
  const mechanism::Plan plan{{entries ? account::Event("rows", account::Exponential{0}, {}, graph.nodes())
                                      : account::Event("rows", account::Gaussian{0}),
                              entries ? pagerank_picks_bound(kLimit) : pagerank_rows_bound(kLimit, graph.nodes())}};
  mechanism::Release release = mechanism::Release::clear(Relation::Node, plan);
  mechanism::Watcher watcher;
  mechanism::ObserverAccess::watch(release, watcher);
  if (entries) {
    release.top_k("rows", rows.rows(release.grid("rows")), 1);
  } else {
    release.gaussian_top_k("rows", rows.rows(release.grid("rows")), 1);
  }
  return watcher.seen.at(0);
}

graph::Graph without(const graph::Graph& graph, int32_t w) {
  std::vector<int32_t> from, to;
  for (int32_t u = 0; u < graph.nodes(); ++u) {
    for (const int32_t v : graph.out(u)) {
      if (u == w || v == w) continue;
      from.push_back(u);
      to.push_back(v);
    }
  }
  return graph::Graph::from_edges(graph.nodes(), from, to);
}

class MovedRows : public testing::TestWithParam<bool> {};  // whether a row has an entry for its source

TEST_P(MovedRows, NeverMoveFurtherThanStatedWhenANodeLeaves) {
  const bool own = GetParam();
  const graph::Graph graph = graph::generate(graph::preset("tiny", 60), Seed::from_number(4)).graph;
  const mechanism::Seen norms = seen(graph, RowClip::Norm, own), entries = seen(graph, RowClip::Entries, own);
  for (int64_t r = 0; r < graph.nodes(); ++r) EXPECT_EQ(norms(r, r) > 0, own);
  double furthest = 0;
  for (int32_t w = 0; w < graph.nodes(); w += 7) {
    const graph::Graph other = without(graph, w);
    const mechanism::Seen other_norms = seen(other, RowClip::Norm, own);
    const mechanism::Seen other_entries = seen(other, RowClip::Entries, own);
    for (int64_t r = 0; r < graph.nodes(); ++r) {
      double squares = 0;
      for (int64_t c = 0; c < graph.nodes(); ++c) {
        squares += std::pow(norms(r, c) - other_norms(r, c), 2);
        EXPECT_LE(std::abs(entries(r, c) - other_entries(r, c)), kLimit);
        EXPECT_GE(entries(r, c), 0);
      }
      EXPECT_LE(std::sqrt(squares), std::sqrt(2.0) * kLimit);
      furthest = std::max(furthest, std::sqrt(squares));
    }
  }
  EXPECT_GT(furthest, (own ? 0.5 : 0.9) * kLimit);  // not idle; an own entry is most of its row, and stays
}

INSTANTIATE_TEST_SUITE_P(Sources, MovedRows, testing::Bool());

TEST(PageRankRows, LeaveOutTheSource) {
  const graph::Graph graph = graph::generate(graph::preset("tiny", 60), Seed::from_number(4)).graph;
  const mechanism::Seen norms = seen(graph, RowClip::Norm);
  for (int64_t r = 0; r < graph.nodes(); ++r) EXPECT_EQ(norms(r, r), 0);
}

}  // namespace
}  // namespace graphveil::bound::pagerank_rows_test
