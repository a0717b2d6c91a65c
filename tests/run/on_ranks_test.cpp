// Trainings whose rows several ranks share out (threads in the place of processes) end in the bits of one that nobody
// shares.
#include "graphveil/run/on_ranks.h"

#include <optional>
#include <tuple>

#include <nlohmann/json.hpp>

#include "graphveil/method/registry.h"
#include "graphveil/nn/batches.h"
#include "tests/ranks.h"
#include "tests/run/small_run.h"

namespace graphveil::run::on_ranks_test {
namespace {

bool same(const nn::State& a, const nn::State& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [name, tensor] : a) {
    const auto found = b.find(name);
    if (found == b.end() || found->second.shape != tensor.shape || found->second.bytes != tensor.bytes) return false;
  }
  return true;
}

// The same training by so many ranks, as rank 0 has it in the end.
TrainOutcome shared_out(int size, const std::string& method, const OptionList& options, const graph::Dataset& data,
                        int threads = 1) {
  std::optional<TrainOutcome> outcome;
  tests::on_ranks(size, [&](Ranks& ranks) {
    const ContextScope scope({.threads = threads, .ranks = current_context().ranks});
    const InputData input{data, std::nullopt};
    const std::unique_ptr<Experiment> experiment = quick(method, options);
    check_on_ranks(*experiment);
    if (ranks.first()) {
      outcome.emplace(train(*experiment, input));
    } else {
      train_beside(*experiment, input);
    }
  });
  return std::move(*outcome);
}

// The same people, each edge in one direction alone.
graph::Dataset directed(const graph::Dataset& data) {
  std::vector<int32_t> from, to;
  for (int32_t u = 0; u < data.nodes(); ++u) {
    for (const int32_t v : data.graph.out(u)) {
      if ((u + v) % 3 == 0 || u < v) {
        from.push_back(u);
        to.push_back(v);
      }
    }
  }
  graph::Dataset out = data;
  out.graph = graph::Graph::from_edges(data.nodes(), from, to);
  return out;
}

// The same people, of whom the first hundred train, every seventh of them without a label: ranks behind have none.
graph::Dataset front_trains(const graph::Dataset& data) {
  graph::Dataset out = data;
  std::vector<int32_t> labels(data.labels.begin(), data.labels.end());
  for (size_t v = 0; v < 100; v += 7) labels[v] = graph::kUnlabeled;
  out.labels = SharedArray<int32_t>(std::move(labels));
  out.split.emplace();
  for (int32_t v = 0; v < data.nodes(); ++v) {
    (v < 100 ? out.split->train : v < 120 ? out.split->val : out.split->test).push_back(v);
  }
  return out;
}

struct Case {
  std::string method;
  OptionList options;
  bool both_directions = true;
};

void expect_same(const TrainOutcome& alone, const TrainOutcome& together, const std::string& what) {
  EXPECT_EQ(to_json(alone.certificate), to_json(together.certificate)) << what;
  EXPECT_TRUE(same(alone.trained.output.model.value(), together.trained.output.model.value())) << what;
  const Matrix& expected = method::values(alone.trained.output.predictions);
  const Matrix& found = method::values(together.trained.output.predictions);
  EXPECT_TRUE(std::ranges::equal(expected.values(), found.values())) << what;
  EXPECT_TRUE(same(alone.trained.output.sums.private_value(), together.trained.output.sums.private_value())) << what;
  EXPECT_EQ(alone.evaluations[0].test_accuracy, together.evaluations[0].test_accuracy) << what;
}

TEST(OnRanks, BitsAreThoseOfOneProcess) {
  const graph::Dataset undirected = tiny(), one_way = directed(undirected);
  ASSERT_FALSE(one_way.graph.symmetric());
  const std::vector<Case> cases{
      {"mlp-dp", {}},
      {"mlp-dp", {{"layers", "2"}, {"dropout", "0.5"}, {"average-tail", "true"}}},
      {"lap", {{"relation", "node"}}},
      {"lap", {{"relation", "node"}, {"own-edges", "predict"}}},
      {"lap", {{"relation", "record"}}},
      {"lap", {{"relation", "record"}, {"weights", "soft-cap"}, {"max-degree", "3"}, {"batch-size", "150"}}},
      {"lap", {{"relation", "node"}, {"layers", "2"}, {"class-weights", "#1=3"}}},
      {"gap-ndp", {{"relation", "node"}}},
      {"gap-ndp", {{"relation", "record"}, {"hops", "3"}, {"encoder-rows", "embedding"}, {"encoder-layers", "2"}}},
      {"gap-ndp", {{"relation", "node"}, {"encoder-layers", "0"}}},
      {"oneshot", {{"relation", "node"}}},
      // A library's product would round a row by how many others there are.
      {"mlp-dp", {{"layers", "3"}, {"hidden-dim", "300"}}},
      {"lap", {{"relation", "node"}, {"own-edges", "predict"}}, false},
      {"lap", {{"relation", "record"}}, false},
      {"gap-ndp", {{"relation", "record"}}, false}};
  for (const Case& c : cases) {
    const graph::Dataset& data = c.both_directions ? undirected : one_way;
    OptionList options = c.options;
    options.emplace_back("seed", "7");
    const TrainOutcome alone = train(*quick(c.method, options), {data, std::nullopt});
    for (const int size : {1, 2, 3}) {
      expect_same(alone, shared_out(size, c.method, options, data),
                  fmt::format("{} {} by {}", c.method, c.options.empty() ? "" : c.options.back().second, size));
    }
  }
}

// Sums of floats over rows, which are one sum on all ranks: in pieces where there are many rows, of sparse rows too.
TEST(OnRanks, TrainingsWithoutNoiseAddUpAsInOneProcess) {
  const graph::Dataset few = tiny(), one_way = directed(few), front = front_trains(few);
  const auto generated = [](const char* preset, int64_t nodes) {
    return graph::generate(graph::preset(preset, nodes), Seed::from_number(3));
  };
  const graph::Dataset many = generated("citation", 11500), sparse = generated("social", 3000);
  const std::vector<std::tuple<std::string, const graph::Dataset*, OptionList>> cases{
      {"gap-edp", &few, {}},
      {"gap-edp", &one_way, {{"relation", "edge"}, {"hops", "3"}, {"class-weights", "#1=3"}}},
      {"gap-edp", &few, {{"encoder-rows", "embedding"}, {"combine", "attention"}, {"dropout", "0.3"}}},
      {"gap-edp", &few, {{"encoder-layers", "0"}, {"combine", "max"}, {"batch-norm", "false"}, {"hidden-dim", "300"}}},
      {"gap-inf", &few, {{"head-layers", "2"}}},
      {"gap-edp", &front, {{"split", "file"}, {"dropout", "0.3"}, {"head-layers", "2"}}},
      {"gap-edp", &sparse, {}},
      {"gap-edp", &many, {{"hidden-dim", "13"}, {"dropout", "0.3"}}}};
  for (const auto& [method, data, extra] : cases) {
    OptionList options = extra;
    options.emplace_back("seed", "7");
    const TrainOutcome alone = train(*quick(method, options), {*data, std::nullopt});
    for (const int size : {1, 2, 3, 4}) {
      for (const int threads : {1, 2}) {
        expect_same(alone, shared_out(size, method, options, *data, threads),
                    fmt::format("{} on {} {} by {}", method, data->name, options.front().second, size));
      }
    }
  }
}

// LAP at edge level: counts with whole noise, classifiers fitted on folds in a drawn order, and weights for them.
TEST(OnRanks, EdgeLevelLapIsThatOfOneProcess) {
  const graph::Dataset few = tiny(), one_way = directed(few), front = front_trains(few);
  // Few classes: each pair of them has a prior of its own, whose fit takes time.
  const auto generated = [](const char* preset, int64_t nodes) {
    auto sizes = graph::preset(preset, nodes);
    sizes.classes = 3;
    return graph::generate(sizes, Seed::from_number(3));
  };
  const graph::Dataset many = generated("citation", 11500), sparse = generated("social", 3000);
  const OptionList counts{{"relation", "undirected-edge"}}, directed_counts{{"relation", "edge"}};
  const auto with = [](OptionList options, const OptionList& more) {
    options.insert(options.end(), more.begin(), more.end());
    return options;
  };
  const std::vector<std::tuple<const graph::Dataset*, OptionList>> cases{
      {&few, counts},
      {&few, with(counts, {{"rounds", "2"}, {"neighbors", "differ"}, {"buckets", "7"}})},
      {&few, with(counts, {{"rounds", "3"}, {"epsilon", "20"}, {"layers", "2"}})},
      {&one_way, with(directed_counts, {{"rounds", "2"}, {"neighbors", "alike"}, {"feature-rows", "as-is"}})},
      {&front, with(counts, {{"split", "file"}})},
      {&front, with(counts, {{"split", "file"}, {"edge-noise", "gaussian"}, {"bias-input", "0"}})},
      {&one_way, with(directed_counts, {{"edge-noise", "gaussian"}, {"class-weights", "#1=3"}, {"last-epochs", "5"}})},
      {&sparse, with(counts, {{"epsilon", "8"}})},
      {&sparse, with(counts, {{"edge-noise", "gaussian"}, {"layers", "2"}, {"hidden-dim", "40"}})},
      {&many, with(counts, {{"epsilon", "30"}, {"rounds", "1"}})},
      {&many, with(counts, {{"edge-noise", "gaussian"}, {"epsilon", "30"}})}};
  for (const auto& [data, extra] : cases) {
    OptionList options = extra;
    options.emplace_back("seed", "7");
    const TrainOutcome alone = train(*quick("lap", options), {*data, std::nullopt});
    for (const int size : {1, 2, 3, 4}) {
      const int threads = 1 + size % 2;
      expect_same(alone, shared_out(size, "lap", options, *data, threads),
                  fmt::format("lap on {} {} by {}", data->name, options[1].second, size));
    }
  }
}

// Without a number for it, rank 0 draws the seed: were it another on each rank, their weights would part.
TEST(OnRanks, AFreshSeedIsOneForAll) {
  const TrainOutcome outcome = shared_out(3, "lap", {}, tiny());
  EXPECT_TRUE(outcome.certificate.releasable());
  EXPECT_EQ(outcome.certificate.plan, outcome.trained.spent);
}

TEST(OnRanks, WhatCannotBeSharedOutSaysSo) {
  const auto why = [](const std::string& method, const OptionList& options) -> std::string {
    try {
      check_on_ranks(*quick(method, options));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(why("lap", {}), "");
  EXPECT_EQ(why("gap-ndp", {}), "");
  EXPECT_EQ(why("mlp-dp", {}), "");
  EXPECT_EQ(why("gap-edp", {}), "");
  EXPECT_NE(why("gap-edp", {{"batch-size", "50"}}).find("--batch-size"), std::string::npos);
  for (const char* noise : {"geometric", "gaussian"}) {
    EXPECT_EQ(why("lap", {{"relation", "edge"}, {"edge-noise", noise}}), "");
  }
  EXPECT_NE(why("lap", {{"relation", "record"}, {"weights", "drop"}}).find("--weights drop"), std::string::npos);
  EXPECT_NE(why("gap-ndp", {{"setting", "inductive"}}).find("--setting inductive"), std::string::npos);
  EXPECT_NE(why("mlp-dp", {{"repeats", "2"}}).find("--repeats"), std::string::npos);
  EXPECT_NE(why("mlp-dp", {{"tune", "3"}}).find("--tune"), std::string::npos);
  EXPECT_NE(why("mlp-dp", {{"propagate", "3"}}).find("--propagate"), std::string::npos);
  EXPECT_NE(why("mlp-dp", {{"class-weights", "balanced"}}).find("--class-weights"), std::string::npos);
  for (const std::string& name : method::method_names()) {
    if (name == "lap" || name.starts_with("gap-") || name == "mlp-dp" || name == "oneshot") continue;
    EXPECT_NE(why(name, {}).find("one machine"), std::string::npos) << name;
  }
}

TEST(OnRanks, CutsLieWhereBlocksOfAllTrainingsBegin) {
  const std::unique_ptr<Experiment> lap = quick("lap", {{"batch-size", "100"}});
  const method::PublicFacts facts{10000, 7500, 10, 3, 0};
  EXPECT_EQ(places_per_cut(prepare(*lap, bound::Relation::Node, facts), 7500),
            nn::places_per_block(100.0 / 7500, 7500));
  const std::unique_ptr<Experiment> usual = quick("lap");
  EXPECT_EQ(places_per_cut(prepare(*usual, bound::Relation::Node, facts), 7500), 64);
  // Nothing there is done in blocks but the sums of floats of many nodes.
  const Prepared edges = prepare(*usual, bound::Relation::UndirectedEdge, facts);
  EXPECT_EQ(places_per_cut(edges, 7500), 1);
  EXPECT_EQ(places_per_cut(edges, 100'000), learn::fit_places_per_cut(100'000));
}

TEST(OnRanks, RowsThatDifferAreFoundOut) {
  const graph::Dataset data = tiny();
  for (const bool edges : {true, false}) {
    graph::Dataset other = data;
    if (edges) {
      other.graph = tiny(2).graph;
    } else {
      std::vector<int32_t> order(static_cast<size_t>(data.nodes()));
      for (size_t v = 0; v < order.size(); ++v) order[v] = static_cast<int32_t>(v);
      std::swap(order[order.size() - 1], order[order.size() - 2]);
      other.features = data.features.rows_at(order);
    }
    try {
      tests::on_ranks(
          2, [&](Ranks& ranks) { own_part(ranks, quick("mlp-dp")->method(), ranks.first() ? data : other, {}, 1); });
      FAIL() << "the ranks took different data for the same";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      EXPECT_NE(std::string(error.what()).find("rank 1 has other data"), std::string::npos) << error.what();
    }
  }
}

TEST(OnRanks, MoreRanksThanBlocksAreRefused) {
  EXPECT_THROW(shared_out(5, "mlp-dp", {{"batch-size", "20"}}, tiny()), Error);
}

}  // namespace
}  // namespace graphveil::run::on_ranks_test
