#include "graphveil/run/join.h"

#include "graphveil/graph/subgraph.h"
#include "graphveil/run/ask.h"
#include "graphveil/run/predict.h"
#include "graphveil/run/totals.h"
#include "graphveil/run/verify.h"
#include "tests/run/small_run.h"

namespace graphveil::run::join_test {
namespace {

constexpr int32_t kNewcomers = 40;

std::vector<int32_t> first(int64_t count) {
  std::vector<int32_t> out;
  for (int32_t v = 0; v < count; ++v) out.push_back(v);
  return out;
}

// Trains on all nodes of a graph but the last ones, who join later.
class Join : public SmallRun {
 protected:
  Join() : grown_(tiny(3)) { data_ = graph::induced_subgraph(grown_, first(grown_.nodes() - kNewcomers)); }

  Prediction joined(const graph::Dataset& data) {
    return predict(folder_, data, {.total_epsilon = std::nullopt, .joined = true});
  }
  ErrorKind refused(const graph::Dataset& data) {
    try {
      joined(data);
    } catch (const Error& error) {
      return error.kind();
    }
    ADD_FAILURE() << "nothing was refused";
    return ErrorKind::Internal;
  }

  graph::Dataset grown_;
};

// Each edge of the grown graph is read once at most: the heart of the proof.
TEST_F(Join, NoNodeSendsMoreMessagesThanItHasEdges) {
  const graph::Dataset half = graph::induced_subgraph(grown_, first(grown_.nodes() - kNewcomers / 2));
  const auto places = [](int64_t from, int64_t to) {
    std::vector<int32_t> out;
    for (auto v = static_cast<int32_t>(from); v < to; ++v) out.push_back(v);
    return out;
  };
  const graph::Graph second = edges_into(half.graph, places(data_.nodes(), half.nodes()));
  const graph::Graph third = edges_into(grown_.graph, places(half.nodes(), grown_.nodes()));
  int64_t read = 0;
  for (int64_t w = 0; w < grown_.nodes(); ++w) {
    int64_t sent = third.out_degree(w);
    if (w < half.nodes()) sent += second.out_degree(w);
    if (w < data_.nodes()) sent += data_.graph.out_degree(w);
    EXPECT_LE(sent, grown_.graph.out_degree(w)) << w;
    read += sent;
  }
  EXPECT_GT(read, data_.graph.edges());
  for (int64_t u = 0; u < grown_.nodes(); ++u) {
    for (const int32_t v : third.out(u)) EXPECT_GE(v, half.nodes()) << "a row that was released before";
  }
}

TEST_F(Join, NewcomersCostNothingMoreAndAreAnsweredAlone) {
  for (const char* name : {"gap-ndp", "lap"}) {
    train_one(name, {{"epsilon", "2"}});
    const artifact::Certificate c = verify_files(folder_).certificate;
    const Prediction p = joined(grown_);
    EXPECT_EQ(p.kind, PredictionKind::Released) << name;
    EXPECT_EQ(p.rows, kNewcomers);
    EXPECT_EQ(p.newcomers, kNewcomers);
    EXPECT_EQ(p.epsilon, 0);
    EXPECT_NEAR(*p.epsilon_total, *c.epsilon, 1e-12);
    EXPECT_EQ(p.csv.find("\n" + std::to_string(data_.nodes()) + ","), p.csv.find('\n')) << "from the first newcomer on";
    EXPECT_TRUE(verify_path(folder_).holds());
    EXPECT_EQ(refused(grown_), ErrorKind::InvalidArgument) << "their rows were released";
  }
}

TEST_F(Join, OneAfterTheOther) {
  train_one("gap-ndp");
  const graph::Dataset half = graph::induced_subgraph(grown_, first(grown_.nodes() - kNewcomers / 2));
  EXPECT_EQ(joined(half).rows, kNewcomers / 2);
  EXPECT_EQ(joined(grown_).rows, kNewcomers / 2);
  EXPECT_EQ(refused(grown_), ErrorKind::InvalidArgument);
}

// Who left may have sent messages before: edges count in all graphs together, and the total says so.
TEST_F(Join, AGraphThatLacksSomebodyIsRefused) {
  train_one("gap-ndp");
  std::vector<int32_t> others = first(grown_.nodes());
  others.erase(others.begin());
  graph::Dataset left = graph::induced_subgraph(grown_, others);
  std::vector<std::string> ids;
  for (const int32_t v : others) ids.push_back(std::to_string(v));
  left.ids = graph::Names(ids);
  EXPECT_EQ(refused(left), ErrorKind::InvalidArgument);
  EXPECT_EQ(joined(grown_).rows, kNewcomers) << "nothing was released before";
}

TEST_F(Join, TotalsSayWhereEdgesAreCounted) {
  train_one("gap-ndp");
  const artifact::Certificate c = verify_files(folder_).certificate;
  const std::unique_ptr<Experiment> experiment = Experiment::from(c);
  const auto said = [&] {
    const auto entries = budget::read_spend_log(path(artifact::kHolder, artifact::kReleases));
    return covers(total_of(covered_log(folder_, c, experiment->method(), entries), c.delta));
  };
  EXPECT_EQ(said().find("graphs that were shown"), std::string::npos) << said();
  joined(grown_);
  EXPECT_NE(said().find("outgoing edges in all graphs that were shown, together"), std::string::npos) << said();
}

TEST_F(Join, WhereThereIsNoProofItIsRefused) {
  train_one("gap-edp");
  EXPECT_EQ(refused(grown_), ErrorKind::Unsupported);
  train_one("gap-ndp", {{"relation", "record"}});
  EXPECT_EQ(refused(grown_), ErrorKind::Unsupported);
  train_one("lap", {{"own-edges", "predict"}});
  EXPECT_EQ(refused(grown_), ErrorKind::Unsupported) << "predictions are covered under record";
  train_one("mlp-dp");
  EXPECT_EQ(refused(grown_), ErrorKind::InvalidArgument) << "it costs nothing anyway";
  train_one("gap-ndp");
  EXPECT_THROW(predict(folder_, grown_, {.total_epsilon = std::nullopt, .disjoint = true, .book = {}, .joined = true}),
               Error);
}

// Two copies of a run folder may release the same row: the second time it counts as a whole prediction.
TEST_F(Join, ARowIsPaidForOnceAmongCopies) {
  Reserves reserves;
  const Covered anna{.ledger = {}, .reserve_of = "rows of a run", .joined = {"anna"}};
  const Covered both{.ledger = {}, .reserve_of = "rows of a run", .joined = {"anna", "ben"}};
  EXPECT_TRUE(reserves.paid(anna));
  EXPECT_FALSE(reserves.paid(both));
  EXPECT_FALSE(reserves.paid(anna));
  EXPECT_TRUE(reserves.paid({.ledger = {}, .reserve_of = "rows of another run", .joined = {"anna"}}));
  EXPECT_TRUE(reserves.paid({.ledger = {}, .reserve_of = "rows of a run", .joined = {"carl"}}));
}

TEST_F(Join, ALogThatReleasesARowTwiceIsRefused) {
  train_one("gap-ndp");
  joined(grown_);
  const artifact::Certificate c = verify_files(folder_).certificate;
  std::vector<budget::Spending> entries = budget::read_spend_log(path(artifact::kHolder, artifact::kReleases));
  const std::unique_ptr<Experiment> experiment = Experiment::from(c);
  EXPECT_EQ(covered_log(folder_, c, experiment->method(), entries).size(), 2u);
  entries.push_back(entries.back());
  EXPECT_THROW(covered_log(folder_, c, experiment->method(), entries), Error);
  entries.back().joined.clear();
  EXPECT_THROW(covered_log(folder_, c, experiment->method(), entries), Error) << "nobody joined";
}

}  // namespace
}  // namespace graphveil::run::join_test
