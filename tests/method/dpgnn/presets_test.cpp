#include "graphveil/method/dpgnn/presets.h"

#include <set>

#include <gtest/gtest.h>

#include "graphveil/account/published_dpgnn.h"
#include "graphveil/method/dpgnn/dpgnn.h"
#include "graphveil/method/dpgnn/gnn_inf.h"

namespace graphveil::method::presets_test {
namespace {

const PublicFacts kArxiv{169343, 90941, 128, 40};

// How many rows each table has, and that a name says what its row is.
TEST(DpGnnPresets, EveryRowOfTheTablesHasItsName) {
  EXPECT_EQ(dpgnn_rows().size(), 8u + 6u + 2u + 6u);
  EXPECT_EQ(gnn_inf_rows().size(), 4u + 6u + 2u + 6u);
  for (const auto* rows : {&dpgnn_rows(), &gnn_inf_rows()}) {
    EXPECT_EQ(rows->front().name, "paper");
    std::set<std::string> names;
    for (const DpGnnRow& row : *rows) {
      const auto says = [&](const char* word) { return row.name.find(word) != std::string::npos; };
      EXPECT_TRUE(names.insert(row.name).second) << row.name;
      EXPECT_EQ(says("-gin"), row.kind == GnnArchitectureKind::Gin) << row.name;
      EXPECT_EQ(says("-gat"), row.kind == GnnArchitectureKind::Gat) << row.name;
      EXPECT_EQ(says("-sgd"), row.optimizer == OptimizerKind::Sgd) << row.name;
      EXPECT_EQ(says("-2-layers"), row.layers == 2) << row.name;
      EXPECT_EQ(says("-disjoint") || says("-clustered"), row.setting == GraphSetting::Inductive) << row.name;
      EXPECT_EQ(row.lambda > 0, rows == &dpgnn_rows()) << row.name;
    }
  }
  EXPECT_THROW(row_named(dpgnn_rows(), "paper-none"), Error);
}

// Some cells, typed anew from the tables.
TEST(DpGnnPresets, CellsAreThePapers) {
  const DpGnnRow& sgd = row_named(dpgnn_rows(), "paper-products-sgd");
  EXPECT_EQ(sgd.learning_rate, 2.0);
  EXPECT_EQ(sgd.batch_size, 40000);
  EXPECT_EQ(sgd.max_degree, 5);
  const DpGnnRow& two = row_named(dpgnn_rows(), "paper-arxiv-clustered-2-layers");
  EXPECT_EQ(two.encoder_layers, 2);
  EXPECT_EQ(two.decoder_layers, 1);
  EXPECT_EQ(two.lambda, 4);
  EXPECT_EQ(two.max_degree, 3);
  const DpGnnRow& gat = row_named(dpgnn_rows(), "paper-gat");
  EXPECT_EQ(gat.learning_rate, 0.004);
  EXPECT_EQ(gat.batch_size, 20000);
  EXPECT_EQ(row_named(dpgnn_rows(), "paper-mag-sgd").activation, Activation::Relu);
  EXPECT_EQ(row_named(gnn_inf_rows(), "paper-arxiv-disjoint-gin-2-layers").max_degree, 3);
  EXPECT_EQ(row_named(gnn_inf_rows(), "paper-gat").activation, Activation::Tanh);
}

// Run as published, a row has the paper's noise, 2 lambda N(K, r) clip norms, and stops where its budget is spent;
// under tight accounting it has as many steps.
TEST(DpGnnPresets, NoiseAndStepsFollowFromLambda) {
  const double delta = 1 / (10.0 * 90941);
  const Setting setting{bound::Relation::Record, 100, kArxiv, 12, delta};
  for (const DpGnnRow& row : dpgnn_rows()) {
    DpGnn method;
    method.use_preset(row.name);
    const std::optional<Published> published = method.published(12, delta, setting);
    ASSERT_TRUE(published && published->plan && published->epsilon) << row.name;
    const auto touched = static_cast<double>(account::dpgnn_occurrences(row.max_degree, row.layers));
    EXPECT_DOUBLE_EQ(published->noise, 2 * row.lambda * touched) << row.name;
    EXPECT_LE(*published->epsilon, 12) << row.name;
    EXPECT_GT(*published->epsilon, 10) << row.name;
    const int64_t steps = published->plan->lines()[0].event.count();
    EXPECT_EQ(method.plan(1, setting).lines()[0].event.count(), steps) << row.name;
    EXPECT_EQ(method.variant(), "") << row.name;
  }
  DpGnn paper;
  paper.use_paper_settings();
  EXPECT_EQ(paper.plan(1, setting).lines()[0].event.count(), 668);
  Options options;
  paper.declare(options);
  options.set("steps", "12");
  EXPECT_EQ(paper.plan(1, setting).lines()[0].event.count(), 12) << "steps that are given count";
  options.set("steps", "auto");
  options.set("lambda", "0.01");
  EXPECT_THROW(paper.plan(1, setting), Error) << "not one step";
}

TEST(DpGnnPresets, AreListed) {
  const std::vector<Preset> of_dpgnn = DpGnn().presets(), of_gnn_inf = GnnInf().presets();
  EXPECT_EQ(of_dpgnn.size(), dpgnn_rows().size() + 1);
  EXPECT_EQ(of_dpgnn.back().name, "linear");
  EXPECT_EQ(of_gnn_inf.size(), gnn_inf_rows().size());
  EXPECT_EQ(of_gnn_inf[0].what, "Table 9, GCN, ogbn-arxiv");
  for (const Preset& preset : of_gnn_inf) EXPECT_NO_THROW(GnnInf().use_preset(preset.name));
}

}  // namespace
}  // namespace graphveil::method::presets_test
