#include "graphveil/attack/game.h"

#include <cctype>
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/account/calibrate.h"
#include "graphveil/attack/mechanism_audit.h"
#include "graphveil/base/error.h"
#include "graphveil/bound/class_sums.h"
#include "graphveil/bound/clipping.h"
#include "graphveil/bound/correct_count.h"
#include "graphveil/bound/edge_cells.h"
#include "graphveil/bound/label.h"
#include "graphveil/bound/neighbor_counts.h"
#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/bound/out_degree.h"
#include "graphveil/bound/pagerank_rows.h"
#include "graphveil/bound/votes.h"
#include "graphveil/method/registry.h"
#include "tests/attack/likelihood.h"

namespace graphveil::attack::game_test {
namespace {

using bound::Norm, bound::Relation;
using bound::source::Reach, bound::source::TeacherReads;
using mechanism::PlanLine;

// Every line of every method of the registry, under every relation, has a game.
TEST(Game, OfEveryLineOfEveryMethod) {
  for (const std::string& name : method::method_names()) {
    const auto method = method::make_method(name);
    for (const Relation relation : method->relations()) {
      const method::Setting setting = small_setting(relation);
      const mechanism::Plan plan = method->plan(2, setting);
      for (const PlanLine& line : plan.lines()) {
        const PlanLine once{mechanism::with_count(line.event, 1), line.bound};
        const std::string what = name + ", " + std::string(bound::name(relation)) + ": " + line.event.label();
        std::vector<double> scores(16, 0);
        const std::vector<uint8_t> there(16, 1);
        ASSERT_NO_THROW(make_game(once, setting)->play(there, Seed::from_number(1), scores)) << what;
        EXPECT_GT(make_game(once, setting)->cost(), 0);
      }
    }
  }
}

// A line as its method plans it, but for the noise.
struct Kind {
  const char* what;
  std::function<account::Mechanism(double noise)> mechanism;
  bound::Bound bound;
  Relation relation = Relation::Node;
  account::Sampling sampling = account::NoSampling{};
  int64_t count = 1;
  // Share of the claim that the game reaches, at least; 1/2 unless the comment beside it says why it is less.
  double share = 0.5;
  double draws = 3e6;

  friend std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.what; }
};

account::Mechanism gaussian(double noise) { return account::Gaussian{noise}; }
account::Mechanism discrete_laplace(double noise) { return account::DiscreteLaplace{noise}; }
account::Mechanism discrete_gaussian(double noise) { return account::DiscreteGaussian{noise}; }
account::Mechanism laplace(double noise) { return account::Laplace{noise}; }
account::Mechanism picks(double noise) { return account::Exponential{1 / noise}; }
account::Mechanism labels(double noise) { return account::RandomizedResponse{1 / noise, 3}; }
account::Mechanism cells(double noise) { return account::RandomizedResponse{1 / noise, 2}; }

std::vector<Kind> kinds() {
  const auto sum = [](Relation relation) {
    return bound::neighbor_sum_bound({.relation = relation, .protect_degree = 3});
  };
  const bound::SampleDraw group = bound::rooted_draw(0.5, 2, 1);
  constexpr auto kPart = TeacherReads::OwnPart;
  return {
      {"neighbor sum, node", gaussian, sum(Relation::Node)},
      {"neighbor sum, record", gaussian, sum(Relation::Record), Relation::Record},
      {"neighbor sum, edge", gaussian, sum(Relation::Edge), Relation::Edge},
      {"neighbor sums, undirected edge", gaussian, sum(Relation::UndirectedEdge), Relation::UndirectedEdge, {}, 2},
      {"neighbor counts", discrete_laplace, bound::neighbor_counts_bound(Relation::UndirectedEdge),
       Relation::UndirectedEdge},
      {"neighbor counts, discrete Gaussian", discrete_gaussian,
       bound::neighbor_counts_bound(Relation::UndirectedEdge, Norm::L2), Relation::UndirectedEdge},
      {"class sums", gaussian, bound::class_sums_bound(3)},
      {"gradients of full batches",
       gaussian,
       bound::clipped_sum_bound({}, {}, Reach::OwnSample),
       Relation::Node,
       {},
       2},
      {"gradients of full batches, one hop", gaussian, bound::clipped_sum_bound({}, {1, 3, 2}, Reach::OneHop)},
      {"gradients of Poisson batches", gaussian, bound::clipped_sum_bound({}, {0.5}, Reach::OwnSample), Relation::Node,
       account::Poisson{0.5}, 3},
      {"gradients of Poisson batches, released lists", gaussian,
       bound::clipped_sum_bound({}, group, Reach::ReleasedLists), Relation::Node, bound::sampling_of(group), 2},
      {"gradients of Poisson batches, many hops", gaussian, bound::clipped_sum_bound({}, group, Reach::ManyHops),
       Relation::Node, bound::sampling_of(group), 1},
      {"votes", gaussian, bound::vote_counts_bound(3, Norm::L2, kPart)},
      {"votes, discrete Laplace", discrete_laplace, bound::vote_counts_bound(3, Norm::L1, kPart)},
      {"weighted votes", gaussian, bound::weighted_vote_counts_bound(3, 2.5, kPart), Relation::Record},
      {"largest votes", gaussian, bound::vote_maxima_bound(3, 2.5, kPart), Relation::Record},
      {"labels", labels, bound::teacher_labels_bound(kPart), Relation::Node, {}, 3},
      {"labels of a sample", labels, bound::teacher_labels_bound(TeacherReads::ManyHops), Relation::Node,
       account::Poisson{0.5}, 3},
      {"PageRank rows", gaussian, bound::pagerank_rows_bound(0.2, 4), Relation::Node, {}, 1, 0.5, 1.2e7},
      // The claim is for any mechanism of that range. The worst of them picks between two scores alone, which change
      // places; here one entry rises by the whole limit, the other falls by half of it, and a leaf is there to be
      // picked as well.
      {"PageRank picks", picks, bound::pagerank_picks_bound(0.05), Relation::Node, {}, 4, 0.35, 4.8e7},
      {"PageRank values", laplace, bound::pagerank_values_bound(0.05), Relation::Node, {}, 2},
      {"edge count", discrete_laplace, bound::edge_count_bound(), Relation::UndirectedEdge},
      {"edge cells", cells, bound::edge_cells_bound(), Relation::UndirectedEdge},
      {"score", gaussian, bound::correct_count_bound()},
  };
}

// A new source does not compile until it has a game, and fails here until it has a case above.
TEST(Game, EveryKindOfSourceHasACase) {
  std::set<size_t> played;
  for (const Kind& kind : kinds()) played.insert(kind.bound.source().index());
  EXPECT_EQ(played.size(), std::variant_size_v<bound::Source>);
}

using EveryKind = testing::TestWithParam<Kind>;

TEST_P(EveryKind, ReachesItsShareOfTheClaimAndNeverPassesIt) {
  constexpr double kEpsilon = 2, kDelta = 1e-3;
  const Kind& kind = GetParam();
  const auto line = [&](double noise) {
    return PlanLine{account::Event("line", kind.mechanism(noise), kind.sampling, kind.count), kind.bound};
  };
  const auto ledger = [&](double noise) { return account::Ledger{line(noise).event}; };
  const account::Calibration found = account::calibrate(ledger, kEpsilon, kDelta);
  EXPECT_GT(found.epsilon, 0.99 * kEpsilon);
  const auto game = make_game(line(found.noise), small_setting(kind.relation));
  const AuditRow row = audit({kind.what, {game.get()}, 1, found.epsilon, kDelta},
                             {.draws = kind.draws, .most_trials = 400'000, .seed = Seed::from_number(7)});
  RecordProperty("share", std::to_string(row.bound.low / row.claimed));
  EXPECT_GE(row.bound.low, kind.share * row.claimed);
  EXPECT_LE(row.bound.low, row.claimed);
}

// "neighbor sum, node" as NeighborSumNode.
std::string title(const testing::TestParamInfo<Kind>& info) {
  std::string out;
  bool begins = true;
  for (const char* c = info.param.what; *c != 0; ++c) {
    const auto letter = static_cast<unsigned char>(*c);
    if (std::isalnum(letter) != 0) out += static_cast<char>(begins ? std::toupper(letter) : letter);
    begins = std::isalnum(letter) == 0;
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Game, EveryKind, testing::ValuesIn(kinds()), title);

// What no method releases has no game, and says so.
TEST(Game, RefusesAMechanismThatNoMethodReleasesSuchASourceBy) {
  const auto refused = [](account::Mechanism mechanism, const bound::Bound& bound, account::Sampling sampling = {}) {
    try {
      make_game({account::Event("line", mechanism, sampling), bound}, small_setting(Relation::Node));
    } catch (const Error& error) {
      return error.kind() == ErrorKind::Unsupported;
    }
    return false;
  };
  EXPECT_TRUE(refused(account::Laplace{1}, bound::class_sums_bound(3)));
  EXPECT_TRUE(refused(account::Gaussian{1}, bound::class_sums_bound(3), account::Poisson{0.5}));
  EXPECT_TRUE(refused(account::Gaussian{1}, bound::pagerank_picks_bound(1)));
  EXPECT_TRUE(refused(account::RandomizedResponse{1, 3}, bound::vote_counts_bound(1, Norm::L2, TeacherReads::OwnPart)));
}

}  // namespace
}  // namespace graphveil::attack::game_test
