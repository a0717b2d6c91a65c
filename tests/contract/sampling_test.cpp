// Who really takes part. The samples of a batch are counted from outside, by taking one label away at a time: how many
// there are, how many of them one record touches, and whether that is what the ledger line says.
#include <cmath>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/contract/cases.h"
#include "tests/contract/harness.h"

namespace graphveil::contract::sampling_test {
namespace {

using mechanism::Seen;

constexpr double kChance = 1e-9;  // of a sampler that is accused without fault

// The same records but for one label: that node's sample then adds exactly nothing.
graph::Dataset without_label(const graph::Dataset& data, int32_t node) {
  std::vector<int32_t> labels(data.labels.begin(), data.labels.end());
  labels[static_cast<size_t>(node)] = graph::kUnlabeled;
  graph::Dataset out = data;
  out.labels = SharedArray<int32_t>(std::move(labels));
  return out;
}

std::vector<Seen> of_label(const std::vector<Seen>& all, const std::string& label) {
  std::vector<Seen> out;
  for (const Seen& seen : all) {
    if (seen.label == label) out.push_back(seen);
  }
  return out;
}

// |(a - b) - (c - d)|, entry by entry.
double length(const Seen& a, const Seen& b, const Seen* c = nullptr, const Seen* d = nullptr) {
  double squares = 0;
  for (size_t i = 0; i < a.values.size(); ++i) {
    const double x = a.values[i] - b.values[i] - (c != nullptr ? c->values[i] - d->values[i] : 0);
    squares += x * x;
  }
  return std::sqrt(squares);
}

struct Sampler {
  std::string method;
  method::OptionValues options;
  bound::Relation relation;
  size_t touched;  // samples of the tree that its first node is in
  double noise = 2;
  uint64_t seed = 1;  // a sample that is classified beyond doubt in every step does not show
};

class CountedSamples : public testing::TestWithParam<Sampler> {};

TEST_P(CountedSamples, AreThoseOfTheLedger) {
  const Sampler& sampler = GetParam();
  method::OptionValues options{{"batch-size", "18"}, {"steps", "24"}};
  if (sampler.method != "sage-ndp") options.push_back({"feature-rows", "as-is"});
  options.insert(options.end(), sampler.options.begin(), sampler.options.end());
  const Made made = make_quick(sampler.method, options);
  const WideGraph graph = wide_graph(Shape::Tree, false, true);
  const Neighbors pair = chosen_neighbors(graph, sampler.relation).front();
  const std::string label = "training";
  const Recorded run(
      *made.method, sampler.relation, pair.present, pair.split,
      {.noise = sampler.noise, .protect_degree = graph.protect_degree, .seed = sampler.seed, .inference = false});
  const std::vector<Seen> here = of_label(run.values(), label);
  const std::vector<Seen> there = of_label(run.replayed_values(pair.other), label);
  ASSERT_EQ(here.size(), 24u);
  ASSERT_EQ(there.size(), here.size());

  const account::Sampling& sampling = here[0].sensitivity.sampling;
  const auto* group = std::get_if<account::PoissonGroup>(&sampling);
  const auto* single = std::get_if<account::Poisson>(&sampling);
  ASSERT_TRUE(group != nullptr || single != nullptr);
  const double rate = group != nullptr ? group->rate : single->rate;
  const int64_t deletions = group != nullptr ? group->deletions : 1;
  const double clip = here[0].sensitivity.amount, threshold = 1e-3 * clip;
  EXPECT_EQ(rate, 0.25);

  int64_t samples = 0, draws = 0, touched_draws = 0;
  std::set<int32_t> touched;
  std::vector<double> allowed(here.size());  // in each step, for the samples that it touches there
  for (const int32_t i : pair.split.train) {
    if (pair.present.labels[i] == graph::kUnlabeled) continue;
    ++samples;
    const std::vector<Seen> here_without = of_label(run.replayed_values(without_label(pair.present, i)), label);
    const std::vector<Seen> there_without =
        i == *pair.node ? there : of_label(run.replayed_values(without_label(pair.other, i)), label);
    for (size_t step = 0; step < here.size(); ++step) {
      const bool taking_part =
          length(here[step], here_without[step]) > threshold || length(there[step], there_without[step]) > threshold;
      draws += taking_part;
      if (!(length(here[step], here_without[step], &there[step], &there_without[step]) > threshold)) continue;
      touched.insert(i);
      ++touched_draws;
      allowed[step] += i == *pair.node ? clip : 2 * clip;
    }
  }
  const auto steps = static_cast<int64_t>(here.size());
  EXPECT_GT(samples, 64);
  EXPECT_GT(binomial_upper_tail(draws, samples * steps, rate), kChance)
      << draws << " samples in " << steps << " batches of " << samples << " at rate " << rate;
  EXPECT_GT(draws, samples * steps / 8) << "samples that add nothing show nothing";
  EXPECT_LE(static_cast<int64_t>(touched.size()), deletions) << "samples that one record touches";
  EXPECT_EQ(touched.size(), sampler.touched) << fmt::format("{}", fmt::join(touched, " "));
  EXPECT_GT(binomial_upper_tail(touched_draws, deletions * steps, rate), kChance);
  for (size_t step = 0; step < here.size(); ++step) {
    EXPECT_LE(length(here[step], there[step]), allowed[step] * (1 + 1e-9) + threshold) << "step " << step;
  }
}

using bound::Relation;
INSTANTIATE_TEST_SUITE_P(
    Methods, CountedSamples,
    testing::Values(
        Sampler{"mlp-dp", {}, Relation::Node, 1}, Sampler{"mlp-dp", {}, Relation::Record, 1},
        Sampler{"lap", {}, Relation::Node, 1}, Sampler{"lap", {}, Relation::Record, 1},
        Sampler{"sage-ndp", {}, Relation::Node, 3}, Sampler{"sage-ndp", {{"max-degree", "2"}}, Relation::Record, 3},
        Sampler{"dpgnn", {{"linear", "true"}, {"decoder-layers", "0"}, {"layers", "1"}}, Relation::Node, 3},
        Sampler{"dpgnn", {{"linear", "true"}, {"decoder-layers", "0"}, {"layers", "2"}}, Relation::Node, 7},
        Sampler{"dpgnn",
                {{"linear", "true"}, {"decoder-layers", "0"}, {"layers", "2"}, {"max-degree", "2"}},
                Relation::Record,
                7},
        Sampler{"dpgnn", {{"linear", "true"}, {"decoder-layers", "0"}, {"layers", "3"}}, Relation::Node, 15, 2, 3},
        Sampler{"dpar-em0", {{"column-cap", "2"}, {"picks", "8"}}, Relation::Node, 3, 0.01}),
    [](const auto& parameter) {
      std::string name = parameter.param.method + "_" + std::string(bound::name(parameter.param.relation));
      for (const auto& [option, value] : parameter.param.options) name += "_" + option + "_" + value;
      std::replace_if(
          name.begin(), name.end(), [](char x) { return !std::isalnum(x); }, '_');
      return name;
    });

// How many of the nodes leave a trace of any kind when they go.
int64_t nodes_that_matter(const std::string& name, const char* rate) {
  const Made made = make_quick(name, {{"column-cap", "2"}, {"node-rate", rate}});
  const WideGraph wide = wide_graph(Shape::Hubs, true, false);
  WideGraph everybody = wide;
  everybody.nodes.clear();
  for (int32_t v = 0; v < kWideNodes; ++v) everybody.nodes.push_back(v);
  const Recorded run(*made.method, Relation::Node, wide.graph.data, wide.graph.split,
                     {.protect_degree = wide.protect_degree});
  int64_t matter = 0;
  for (const Neighbors& pair : chosen_neighbors(everybody, Relation::Node)) matter += !run.same_on(pair.other);
  return matter;
}

// A record that was not drawn leaves everything the same to the bit.
TEST(NodeRate, MostRecordsLeaveNoTrace) {
  for (const char* name : {"dpar-gm", "dpar-em0", "dpar-em1"}) {
    EXPECT_GT(nodes_that_matter(name, "1"), kWideNodes * 2 / 3) << name << ": with everybody taking part it would show";
    const int64_t drawn = nodes_that_matter(name, "0.2");
    EXPECT_GT(drawn, 0) << name;
    EXPECT_GT(binomial_upper_tail(drawn, kWideNodes, 0.2), kChance)
        << name << ": " << drawn << " of " << kWideNodes << " records leave a trace at rate 0.2";
  }
}

// A teacher's label is moved by a record in its sample alone.
TEST(TeacherSamples, HoldARecordAsOftenAsTheRateSays) {
  const Made made = make_quick("privgnn", {{"sampling-rate", "0.3"}, {"noise", "gumbel"}, {"teacher", "mlp"}});
  const WideGraph graph = wide_graph(Shape::Hubs, true, false);
  const Neighbors pair = chosen_neighbors(graph, Relation::Node).front();
  int64_t moved = 0, uses = 0;
  for (uint64_t seed = 1; seed <= 16; ++seed) {
    const Recorded run(*made.method, Relation::Node, pair.present, pair.split,
                       {.protect_degree = graph.protect_degree, .seed = seed, .inference = false});
    const std::vector<Seen> here = of_label(run.values(), "labels");
    const std::vector<Seen> there = of_label(run.replayed_values(pair.other), "labels");
    ASSERT_EQ(here.size(), there.size());
    for (size_t i = 0; i < here.size(); ++i) moved += here[i].values != there[i].values;
    uses += static_cast<int64_t>(here.size());
  }
  EXPECT_GT(moved, uses / 10) << "of " << uses;
  EXPECT_GT(binomial_upper_tail(moved, uses, 0.3), kChance) << moved << " of " << uses;
}

}  // namespace
}  // namespace graphveil::contract::sampling_test
