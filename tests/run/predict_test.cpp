#include "graphveil/run/predict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "graphveil/run/totals.h"
#include "tests/run/small_run.h"

namespace graphveil::run::predict_test {
namespace {

namespace fs = std::filesystem;
using mechanism::Audience;

// Allows whatever it costs.
constexpr PredictOptions kAnyTotal{.total_epsilon = 1e6};

class Predict : public SmallRun {
 protected:
  Prediction predict_on(const graph::Dataset& data, const PredictOptions& options = kAnyTotal) {
    return predict(folder_, data, options);
  }
  std::string log() const { return read(artifact::kHolder, artifact::kReleases); }
  ErrorKind error_of(const graph::Dataset& data, const PredictOptions& options = kAnyTotal) {
    try {
      predict_on(data, options);
    } catch (const Error& error) {
      return error.kind();
    }
    ADD_FAILURE() << "no error";
    return ErrorKind::Internal;
  }
};

// data_ without its i-th undirected edge.
graph::Dataset less_one_edge(const graph::Dataset& data, int32_t i) {
  graph::Dataset out = data;
  int32_t seen = 0;
  for (int32_t u = 0; u < data.nodes(); ++u) {
    for (const int32_t v : data.graph.out(u)) {
      if (u < v && seen++ == i) {
        out.graph = without_edge(data.graph, u, v);
        return out;
      }
    }
  }
  return out;
}

std::vector<std::string> rows(const std::string& csv) {
  std::vector<std::string> lines;
  std::istringstream in(csv);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST_F(Predict, TheTrainingGraphCostsNothingMore) {
  for (const auto& [name, part, audience] : {std::tuple{"gap-edp", artifact::kRelease, Audience::Public},
                                             {"gap-ndp", artifact::kOwners, Audience::Owner},
                                             {"lap", artifact::kOwners, Audience::Owner},
                                             {"mlp-dp", artifact::kOwners, Audience::Owner}}) {
    const artifact::Certificate c = train_one(name);
    const std::string before = log();
    const Prediction p = predict_on(data_, {});
    EXPECT_EQ(p.kind, PredictionKind::Stored) << name;
    EXPECT_EQ(p.audience, audience) << name;
    EXPECT_EQ(p.epsilon, 0) << name;
    EXPECT_NEAR(*p.epsilon_total, *c.epsilon, 1e-9) << name;
    EXPECT_EQ(p.csv, read(part, artifact::kPredictions)) << name;
    EXPECT_EQ(p.rows, data_.nodes());
    EXPECT_EQ(log(), before) << name;
  }
}

// Four graphs that differ in one edge each: whoever compares the answers learns from all of them, so all of them count.
TEST_F(Predict, AnswersOnNearlyTheSameGraphAddUp) {
  const artifact::Certificate c = train_one("gap-edp", {{"epsilon", "2"}});
  const auto* gaussian = std::get_if<account::Gaussian>(&c.plan.lines().at(0).event.mechanism());
  ASSERT_NE(gaussian, nullptr);
  ASSERT_EQ(c.plan.lines().size(), 1u);
  const int64_t hops = c.plan.lines()[0].event.count();
  for (int32_t i = 0; i < 4; ++i) {
    const graph::Dataset other = less_one_edge(data_, i);
    ASSERT_LT(other.graph.edges(), data_.graph.edges());
    const std::string before = log();
    EXPECT_EQ(error_of(other, {}), ErrorKind::BudgetExceeded) << i;  // more than training alone is not allowed unasked
    EXPECT_EQ(error_of(other, {.total_epsilon = *c.epsilon + 0.1}), ErrorKind::BudgetExceeded) << i;
    for (const double most : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
      EXPECT_EQ(error_of(other, {.total_epsilon = most}), ErrorKind::InvalidArgument) << most;
    }
    EXPECT_EQ(log(), before) << "a refused prediction was written down";
    const Prediction p = predict_on(other);
    EXPECT_EQ(p.kind, PredictionKind::Released);
    EXPECT_NEAR(*p.epsilon, *c.epsilon, 1e-3);  // GAP at edge level: training is one inference
    // Training and i + 1 inferences, each `hops` Gaussian releases.
    const double mu = std::sqrt(static_cast<double>(hops * (i + 2))) / gaussian->noise_multiplier;
    const double together = gaussian_epsilon(mu, c.delta);
    EXPECT_GE(*p.epsilon_total, together * (1 - 1e-9)) << i;
    EXPECT_LE(*p.epsilon_total, together * 1.005) << i;
    EXPECT_EQ(*read_log(folder_, c)->totals.front().epsilon, *p.epsilon_total);
  }
  const std::string lines = log();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 5);
}

TEST_F(Predict, ASeedNeverGivesTwoAnswersTheSameNoise) {
  train_one("lap", {{"seed", "5"}});
  const fs::path copy = place_ / "copy";
  fs::copy(folder_, copy, fs::copy_options::recursive);
  const graph::Dataset other = tiny(2);
  const std::vector<std::string> first = rows(predict_on(other).csv);
  const std::vector<std::string> second = rows(predict_on(other).csv);
  ASSERT_EQ(first.size(), second.size());
  EXPECT_NE(first, second);  // the same graph asked twice: two draws, paid twice

  // The same question asked of a copy of the folder is the same answer, not a second look at the data.
  EXPECT_EQ(rows(predict(copy.string(), other, kAnyTotal).csv), first);
  // The same edges with one node's features changed, as the first question to another copy. Were the noise the same,
  // every other row would be: no edge and no label changed.
  fs::remove_all(copy);
  train_one("lap", {{"seed", "5"}});
  graph::Dataset changed = other;
  Matrix features = other.features.is_sparse() ? Matrix(other.nodes(), other.features.cols()) : Matrix();
  if (other.features.is_sparse()) {
    const SparseView view = other.features.sparse().view();
    for (int64_t v = 0; v < view.rows; ++v) {
      for (int64_t i = view.offsets[v]; i < view.offsets[v + 1]; ++i) {
        features(v, view.indices[i]) = view.values.empty() ? 1 : view.values[i];
      }
    }
  } else {
    features = Matrix(other.nodes(), other.features.cols());
    std::copy(other.features.dense_values().begin(), other.features.dense_values().end(), features.data());
  }
  for (Real& x : features.row(0)) x = 1;
  changed.features = std::move(features);
  const std::vector<std::string> third = rows(predict_on(changed).csv);
  ASSERT_EQ(third.size(), first.size());
  int64_t equal = 0;
  for (size_t i = 2; i < third.size(); ++i) equal += third[i] == first[i] ? 1 : 0;
  EXPECT_LT(equal, static_cast<int64_t>(third.size()) / 4);
}

TEST_F(Predict, AFailedCallIsNotWrittenDown) {
  train_one("gap-edp");
  const std::string before = log();
  graph::Dataset narrow = tiny(2);
  narrow.features = Matrix(narrow.nodes(), 3);
  EXPECT_EQ(error_of(narrow), ErrorKind::BadInput);
  graph::Dataset more = tiny(2);
  more.classes += 1;
  EXPECT_EQ(error_of(more), ErrorKind::BadInput);
  EXPECT_EQ(error_of(tiny(2), {}), ErrorKind::BudgetExceeded);
  fs::rename(path(artifact::kRelease, artifact::kModel), path(artifact::kRelease, "elsewhere"));
  EXPECT_EQ(error_of(tiny(2)), ErrorKind::Io);
  fs::rename(path(artifact::kRelease, "elsewhere"), path(artifact::kRelease, artifact::kModel));
  EXPECT_EQ(log(), before);
  EXPECT_EQ(predict_on(tiny(2)).kind, PredictionKind::Released);
  EXPECT_NE(log(), before);
}

// A directed graph for a model that protects both directions of an edge, as often as somebody tries.
TEST_F(Predict, AGraphOfTheWrongKindCostsNothing) {
  for (const char* name : {"gap-edp", "lap"}) {
    train_one(name, {{"relation", "undirected-edge"}});
    const std::string before = log();
    graph::Dataset directed = tiny(2);
    directed.graph =
        graph::Graph::from_edges(directed.nodes(), std::vector<int32_t>{0, 1, 2}, std::vector<int32_t>{1, 2, 3});
    for (int i = 0; i < 3; ++i) EXPECT_EQ(error_of(directed), ErrorKind::InvalidArgument) << name;
    EXPECT_EQ(log(), before) << name;
  }
}

// Whoever sees an own row that reads the own list can tell whether the one friend is there: under node there is no
// total.
TEST_F(Predict, WhatReadsTheOwnListHasNoTotalUnderNode) {
  const artifact::Certificate c = train_one("lap", {{"relation", "node"}, {"own-edges", "predict"}});
  const Prediction p = predict_on(tiny(2));
  EXPECT_EQ(p.relation, bound::Relation::Record);
  EXPECT_GT(*p.epsilon_total, *c.epsilon);
  const std::vector<Total> totals = read_log(folder_, c)->totals;
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_EQ(totals[0].what, "everything");
  EXPECT_EQ(totals[0].relation, bound::Relation::Record);
  EXPECT_EQ(*totals[0].epsilon, *p.epsilon_total);
  EXPECT_EQ(totals[1].what, "parameters");
  EXPECT_EQ(totals[1].relation, bound::Relation::Node);
  EXPECT_NEAR(*totals[1].epsilon, *c.epsilon, 1e-9);
}

TEST_F(Predict, TheAudienceIsWhatTheCertificateStates) {
  train_one("lap");
  write(artifact::kRelease, artifact::kPredictions, read(artifact::kOwners, artifact::kPredictions));
  EXPECT_EQ(error_of(data_), ErrorKind::BadInput);
  fs::remove(path(artifact::kRelease, artifact::kPredictions));
  EXPECT_EQ(predict_on(data_, {}).audience, Audience::Owner);
}

TEST_F(Predict, ALogThatIsGoneOrCutIsNotBegunAnew) {
  train_one("gap-edp");
  predict_on(tiny(2));
  const std::string whole = log();
  fs::remove(path(artifact::kHolder, artifact::kReleases));
  EXPECT_EQ(error_of(tiny(3)), ErrorKind::Io);
  EXPECT_FALSE(has(artifact::kHolder, artifact::kReleases));
  write(artifact::kHolder, artifact::kReleases, "");
  EXPECT_EQ(error_of(tiny(3)), ErrorKind::BadInput);
  write(artifact::kHolder, artifact::kReleases, whole.substr(whole.find('\n') + 1));  // without the training
  EXPECT_EQ(error_of(tiny(3)), ErrorKind::BadInput);
  write(artifact::kHolder, artifact::kReleases, whole.substr(0, whole.find('\n') + 1));  // without the last line
  EXPECT_EQ(error_of(tiny(3)), ErrorKind::BadInput);
  write(artifact::kHolder, artifact::kReleases, whole.substr(0, whole.size() - 5));
  EXPECT_EQ(error_of(tiny(3)), ErrorKind::BadInput);
  std::string twice = whole;
  twice.insert(twice.find("\"delta\""), "\"delta\": 0.5, ");
  write(artifact::kHolder, artifact::kReleases, twice);
  EXPECT_EQ(error_of(tiny(3)), ErrorKind::BadInput);
  write(artifact::kHolder, artifact::kReleases, whole);
  EXPECT_NO_THROW(predict_on(tiny(3)));
}

TEST_F(Predict, AGraphDeclaredDisjointComposesWithItselfAlone) {
  const artifact::Certificate c = train_one("gap-edp");
  const Prediction first = predict_on(tiny(2), {.total_epsilon = std::nullopt, .disjoint = true});
  EXPECT_NEAR(*first.epsilon_total, *c.epsilon, 1e-3);
  ASSERT_EQ(first.assumptions.size(), 1u);
  EXPECT_NE(first.assumptions[0].find("--disjoint"), std::string::npos);
  // Another such graph shares nobody with the first; the first shares everybody with itself.
  EXPECT_NEAR(*predict_on(tiny(3), {.total_epsilon = std::nullopt, .disjoint = true}).epsilon_total, *c.epsilon, 1e-3);
  EXPECT_EQ(error_of(tiny(2), {.total_epsilon = std::nullopt, .disjoint = true}), ErrorKind::BudgetExceeded);
  const Prediction again = predict_on(tiny(2), {.total_epsilon = 1e6, .disjoint = true});
  EXPECT_GT(*again.epsilon_total, *c.epsilon * 1.2);
  EXPECT_EQ(*read_log(folder_, c)->totals.front().epsilon, *again.epsilon_total);
  EXPECT_EQ(read_log(folder_, c)->disjoint, (std::vector<int64_t>{2, 3, 4}));
  EXPECT_TRUE(predict_on(data_, {}).assumptions.empty());
}

TEST_F(Predict, AMethodThatReadsNoEdgePredictsFreely) {
  train_one("mlp-dp");
  const std::string before = log();
  for (int i = 0; i < 3; ++i) {
    const Prediction p = predict_on(tiny(2), {});
    EXPECT_EQ(p.kind, PredictionKind::Free);
    EXPECT_EQ(p.audience, Audience::Owner);
    EXPECT_EQ(p.epsilon, 0);
  }
  EXPECT_EQ(log(), before);
}

TEST_F(Predict, WhatReadsNeighborsInTheClearIsTheHoldersAndHasNoEpsilon) {
  train_one("mlp-dp", {{"propagate", "2"}});
  EXPECT_FALSE(has(artifact::kRelease, artifact::kPredictions));
  EXPECT_FALSE(has(artifact::kOwners, artifact::kPredictions));
  const Prediction home = predict_on(data_, {});
  EXPECT_EQ(home.audience, Audience::Holder);
  EXPECT_FALSE(home.epsilon.has_value());
  const Prediction away = predict_on(tiny(2), {});
  EXPECT_EQ(away.kind, PredictionKind::Raw);
  EXPECT_EQ(away.audience, Audience::Holder);
  EXPECT_FALSE(away.epsilon.has_value());

  train_one("dpgnn", {{"relation", "record"}});
  EXPECT_EQ(predict_on(tiny(2), {}).audience, Audience::Holder);
}

// Under the edge relations the same predictions would be public: without a guarantee they are not.
TEST_F(Predict, ARunWithoutAGuaranteePredictsForTheHolder) {
  for (const auto& [name, options] :
       {std::pair<std::string, OptionList>{"gap-inf", {}}, {"gap-edp", {{"accounting", "published"}}}}) {
    train_one(name, options);
    for (const graph::Dataset& data : {data_, tiny(2)}) {
      const Prediction p = predict_on(data);
      EXPECT_EQ(p.audience, Audience::Holder) << name;
      EXPECT_FALSE(p.epsilon.has_value()) << name;
      EXPECT_FALSE(p.epsilon_total.has_value()) << name;
    }
  }
}

TEST_F(Predict, ACertificateThatDoesNotHoldIsRefused) {
  train_one("mlp-dp");
  std::string certificate = read(artifact::kRelease, artifact::kCertificate);
  const size_t at = certificate.find("\"noise\": ");
  ASSERT_NE(at, std::string::npos);
  certificate.insert(at + 9, "1");
  write(artifact::kRelease, artifact::kCertificate, certificate);
  EXPECT_EQ(error_of(data_), ErrorKind::BadInput);
}

}  // namespace
}  // namespace graphveil::run::predict_test
