#include "graphveil/run/finite.h"

#include <cmath>
#include <limits>

#include "graphveil/method/registry.h"
#include "graphveil/run/declared.h"
#include "tests/files/refusal.h"
#include "tests/run/small_run.h"

namespace graphveil::run::finite_test {
namespace {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

// Three rows of two classes; the second is no number.
Matrix one_bad_row() {
  Matrix rows(3, 2);
  rows(0, 0) = rows(2, 1) = 1;
  rows(1, 0) = kNan;
  return rows;
}

method::Output output(method::Predictions predictions, Real parameter = 1) {
  const auto token = Declared::public_graph();
  Matrix weight(1, 2);
  weight(0, 1) = parameter;
  return {mechanism::Public<nn::State>({{"weight", nn::to_tensor(weight)}}, token), std::move(predictions)};
}

// A run of this method, prepared for the small graph.
struct Ready {
  std::unique_ptr<Experiment> experiment;
  graph::Dataset data = tiny();
  Prepared prepared;

  explicit Ready(const std::string& method, const OptionList& options = {}) : experiment(quick(method, options)) {
    const bound::Relation relation = chosen_relation(*experiment, true);
    prepared = prepare(*experiment, relation, planned_facts(*experiment, {data, std::nullopt}));
  }
  // What it gives out, with another model and other predictions in place.
  method::Output with(method::Predictions predictions) {
    TrainOutcome outcome = train(*experiment, {data, std::nullopt});
    method::Output output = std::move(outcome.trained.output);
    output.predictions = std::move(predictions);
    return output;
  }
};

TEST(Finite, ParametersAre) {
  files::expect_error(ErrorKind::NotConverged, {"'weight'", "learning rate"},
                      [] { check_parameters(output(mechanism::Owner<Matrix>(Matrix(1, 2)), kNan).model.value()); });
  files::expect_error(ErrorKind::NotConverged, {"'weight'"}, [] {
    const Ready node("mlp-dp");
    method::Output bad = output(mechanism::Owner<Matrix>(Matrix(1, 2)), std::numeric_limits<Real>::infinity());
    check_output(node.prepared, bad);
  });
  EXPECT_NO_THROW(check_parameters({{"number", nn::to_tensor(int64_t{-1})}}));
}

TEST(Finite, WhereEverybodyMayKnowItIsRefused) {
  Ready edge("gap-edp"), unpromised("gap-inf");
  method::Output published = edge.with(mechanism::Public<Matrix>(one_bad_row(), Declared::public_graph()));
  files::expect_error(ErrorKind::NotConverged, {"predictions"}, [&] { check_output(edge.prepared, published); });
  method::Output free = unpromised.with(mechanism::Holder<Matrix>(one_bad_row()));
  files::expect_error(ErrorKind::NotConverged, {"predictions"}, [&] { check_output(unpromised.prepared, free); });
}

// A refusal would tell everybody about one record.
TEST(Finite, AnOwnersRowIsSettledByItself) {
  for (const bool owner : {true, false}) {
    Ready node(owner ? "mlp-dp" : "dpar-gm");
    method::Output made = owner ? node.with(mechanism::Owner<Matrix>(one_bad_row()))
                                : node.with(mechanism::Holder<Matrix>(one_bad_row()));
    check_output(node.prepared, made);
    const Matrix& rows = method::values(made.predictions);
    EXPECT_EQ(rows(0, 0), 1);
    EXPECT_EQ(rows(1, 0), 0.5f);
    EXPECT_EQ(rows(1, 1), 0.5f);
    EXPECT_EQ(rows(2, 1), 1);
    EXPECT_EQ(made.diagnostics.private_value().at("predictions that were no numbers"), 1);
  }
}

// Every model that is kept from everybody is asked about made-up records, and a good one answers.
TEST(Finite, MadeUpRecordsAreAnsweredByEveryMethod) {
  for (const std::string& name : method::method_names()) {
    const auto method = method::make_method(name);
    if (method->wants_public_graph()) continue;
    for (const bound::Relation relation : method->relations()) {
      if (bound::edge_level(relation)) continue;
      OptionList options{{"relation", std::string(bound::name(relation))}, {"protect-degree", "4"}};
      if (name == "dpgnn") options.emplace_back("max-degree", "100");  // of no node here more
      EXPECT_NO_THROW(train(*quick(name, options), {tiny(), std::nullopt})) << name << " " << bound::name(relation);
    }
  }
}

TEST(Finite, WhatWasPaidForIsGivenOut) {
  method::Predictions rows = mechanism::Public<Matrix>(one_bad_row(), Declared::public_graph());
  EXPECT_EQ(settle_rows(rows), 1);
  EXPECT_EQ(method::audience(rows), mechanism::Audience::Public);
  EXPECT_EQ(method::values(rows)(1, 1), 0.5f);
  EXPECT_EQ(settle_rows(rows), 0);
}

class Diverging : public SmallRun {};

// At edge level all is post-processing of noisy edges; at node level parameters, and what they make of nobody's
// records, tell.
TEST_F(Diverging, TrainingsAreRefused) {
  // Whether numbers overflow depends on the noise: over some seeds one does, and none is given out.
  const auto refused = [&](const std::string& method, OptionList options) {
    int64_t count = 0;
    for (const char* seed : {"1", "2", "3", "4"}) {
      options.emplace_back("seed", seed);
      try {
        train_one(method, options);
        for (const char* part : {artifact::kDraft, artifact::kOwners}) {
          EXPECT_EQ(read(part, artifact::kPredictions).find("nan"), std::string::npos);
        }
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::NotConverged) << error.what();
        EXPECT_FALSE(std::filesystem::exists(folder_));
        ++count;
      }
    }
    return count;
  };
  EXPECT_GE(refused("sage-edp", {{"learning-rate", "1e6"}, {"epochs", "60"}, {"layers", "8"}}), 1);
  EXPECT_GE(
      refused("sage-ndp", {{"pre-layers", "64"}, {"learning-rate", "10"}, {"protect-degree", "10"}, {"steps", "20"}}),
      1);
}

}  // namespace
}  // namespace graphveil::run::finite_test
