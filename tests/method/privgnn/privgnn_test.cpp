#include "graphveil/method/privgnn/privgnn.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/base/error.h"
#include "graphveil/kernels/poisson_sample.h"
#include "graphveil/method/other_noise.h"
#include "tests/method/privgnn/public_task.h"

namespace graphveil::method::privgnn_test {
namespace {

const account::Sampled& sampled(const Plan& plan) {
  return std::get<account::Sampled>(plan.lines().at(0).event.body());
}

TEST(PrivGnn, IsOneLineOfLabelReleasesInsideAPoissonSample) {
  const Plan plan = PrivGnn().plan(0.5, setting_of_parts());
  ASSERT_EQ(plan.lines().size(), 1u);
  EXPECT_EQ(plan.lines()[0].event.count(), 300);
  EXPECT_DOUBLE_EQ(sampled(plan).rate, 12.5 / 500);
  EXPECT_EQ(sampled(plan).event->mechanism(),
            account::Mechanism(account::RandomizedResponse{2, parts().private_data.classes}));
}

TEST(PrivGnn, SamplesGrowWithEpsilonAndNoiseCostsLess) {
  double before = 0;
  for (const double epsilon : {0.1, 1.0, 1.5, 2.0, 4.0, 6.0, 8.0, 16.0, 100.0}) {
    const double rate = sampled(PrivGnn().plan(1, setting_of_parts(epsilon))).rate;
    EXPECT_GE(rate, before);
    before = rate;
  }
  EXPECT_DOUBLE_EQ(before, 125.0 / 500);
  double cost = std::numeric_limits<double>::infinity();
  for (const double noise : {0.01, 0.1, 0.3, 1.0, 3.0}) {
    const double now = account::spent_epsilon(PrivGnn().plan(noise, setting_of_parts()).ledger(), 1e-4);
    EXPECT_LT(now, cost);
    cost = now;
  }
}

TEST(PrivGnn, TeachesPublicNodesWithoutAPublicLabel) {
  const double little = test_accuracy(values(run(PrivGnn(), parts().private_data, 0.05).predictions));
  const double much = test_accuracy(values(run(PrivGnn(), parts().private_data, 1000).predictions));
  EXPECT_GT(little, 0.55);
  EXPECT_GT(little, much + 0.2);
}

// The heart of amplification: a record that a query did not sample has no say in its answer.
TEST(PrivGnn, ARecordThatWasNotSampledLeavesTheAnswerTheSameToTheBit) {
  const graph::Dataset present = dense(parts().private_data);
  using Values = std::vector<std::pair<std::string, std::string>>;
  const Values ridge{{"noise", "laplace"}, {"sampling-rate", "0.05"}, {"queries", "60"}};
  const Values nearest{{"noise", "laplace"}, {"sampling-rate", "0.2"}, {"queries", "40"}, {"nearest", "20"}};
  const Values sage{{"noise", "laplace"}, {"sampling-rate", "0.1"}, {"queries", "20"},
                    {"teacher", "sage"},  {"teacher-epochs", "5"},  {"teacher-hidden-dim", "8"}};
  const Values mlp{{"noise", "laplace"}, {"sampling-rate", "0.1"}, {"queries", "20"},
                   {"teacher", "mlp"},   {"teacher-epochs", "5"},  {"teacher-hidden-dim", "8"}};
  for (const Values& options : {ridge, nearest, sage, mlp}) {
    const PrivGnn method = with(PrivGnn(), options);
    const double rate = sampled(method.plan(1, setting_of_parts())).rate;
    Seen before;
    run(method, present, 1, &before);
    for (const int32_t w : {0, 17, 250}) {
      Seen after;
      run(method, without(present, w), 1, &after);
      ASSERT_EQ(before.releases.size(), after.releases.size());
      int64_t in_sample = 0, changed = 0;
      for (size_t q = 0; q < before.releases.size(); ++q) {
        // The sample of query q, drawn again.
        const std::vector<int64_t> sample =
            kernels::poisson_sample(500, rate, {Seed::from_number(3), "private sample", q});
        const bool member = std::find(sample.begin(), sample.end(), w) != sample.end();
        in_sample += member;
        changed += before.releases[q] != after.releases[q];
        if (!member) {
          EXPECT_EQ(before.releases[q], after.releases[q]) << "query " << q << ", record " << w;
        }
      }
      EXPECT_GT(in_sample, 0);
      EXPECT_LT(in_sample, static_cast<int64_t>(before.releases.size()));
      EXPECT_LE(changed, in_sample);
    }
  }
}

TEST(PrivGnn, RidgeTeachersReadNoPrivateEdge) {
  graph::Dataset lonely = parts().private_data;
  lonely.graph = graph::Graph::from_edges(lonely.nodes(), {}, {});
  EXPECT_TRUE(
      same(values(run(PrivGnn(), parts().private_data, 1).predictions), values(run(PrivGnn(), lonely, 1).predictions)));
}

TEST(PrivGnn, OneTeacherForAllQueriesHasNoAmplification) {
  const PrivGnn method = with(PrivGnn(), {{"single-teacher", "true"}, {"queries", "20"}});
  const Plan plan = method.plan(1, setting_of_parts());
  const auto& single = std::get<account::Single>(plan.lines()[0].event.body());
  EXPECT_EQ(single.sampling, account::Sampling(account::NoSampling{}));
  EXPECT_EQ(plan.lines()[0].event.count(), 20);
  Seen seen;
  run(method, parts().private_data, 1, &seen);
  EXPECT_EQ(seen.releases.size(), 20u);
}

TEST(PrivGnn, OneTeacherHasNoNearestRecords) {
  EXPECT_THROW(with(PrivGnn(), {{"single-teacher", "true"}, {"nearest", "5"}}).plan(1, setting_of_parts()), Error);
  EXPECT_NO_THROW(
      with(PrivGnn(), {{"single-teacher", "true"}, {"nearest", "5"}, {"no-knn", "true"}}).plan(1, setting_of_parts()));
}

// A log that has every answer already: then the run must not look at the private data at all.
class Answered final : public mechanism::AnswerLog {
 public:
  std::vector<int32_t> begin(const std::string&, const std::string&) override { return labels; }
  void add(int32_t label) override { labels.push_back(label); }
  std::vector<int32_t> labels;
};

TEST(PrivGnn, AnsweredQueriesAreNotAskedAgain) {
  for (const PrivGnn& method :
       {PrivGnn(), with(PrivGnn(), {{"noise", "gumbel"}}), with(PrivGnn(), {{"single-teacher", "true"}})}) {
    const graph::Dataset unlabeled = graph::without_labels(parts().public_data);
    // Other records altogether.
    graph::Dataset other = parts().private_data;
    other.labels = std::vector<int32_t>(static_cast<size_t>(other.nodes()), 0);
    other.features = graph::Features(Matrix(other.nodes(), other.features.cols()));
    Answered log;
    const auto run_on = [&](const graph::Dataset& data) {
      mechanism::Release release =
          mechanism::Release::open(bound::Relation::Node, method.plan(1, setting_of_parts()),
                                   {std::numeric_limits<double>::infinity(), 1e-5}, Seed::from_number(4));
      release.keep(log, "it");
      Output out = method.run(task_on(data, unlabeled), release);
      EXPECT_TRUE(release.complete());
      return out;
    };
    const Output first = run_on(parts().private_data);
    EXPECT_EQ(log.labels.size(), 300u);
    EXPECT_TRUE(same(values(first.predictions), values(run_on(other).predictions)));
    // From the middle on: the same answers again.
    const std::vector<int32_t> all = log.labels;
    log.labels.resize(101);
    EXPECT_TRUE(same(values(first.predictions), values(run_on(parts().private_data).predictions)));
    EXPECT_EQ(log.labels, all);
  }
}

TEST(PrivGnn, EveryNoiseIsPricedAsALabelRelease) {
  for (const char* noise : {"laplace", "gumbel", "gaussian"}) {
    const PrivGnn method = with(PrivGnn(), {{"noise", noise}, {"queries", "5"}});
    Seen seen;
    run(method, parts().private_data, 0.7, &seen);
    ASSERT_EQ(seen.releases.size(), 5u);
    for (const auto& p : seen.releases) {
      double sum = 0;
      for (const double x : p) {
        EXPECT_GE(x, 0);
        sum += x;
      }
      EXPECT_LE(sum, 1 + 1e-9);
    }
  }
}

TEST(PrivGnn, LogPosteriorsAreRefusedOutsideOfPublishedMode) {
  const PrivGnn method = with(PrivGnn(), {{"noise", "laplace"}, {"noise-on", "log-posterior"}});
  EXPECT_THROW(method.plan(1, setting_of_parts()), Error);
  EXPECT_THROW(with(PrivGnn(), {{"inverse-scale", "1"}}).plan(1, setting_of_parts()), Error);
  EXPECT_THROW(with(PrivGnn(), {{"queries", "301"}}).plan(1, setting_of_parts()), Error);
}

TEST(PrivGnn, PublishedSaysWhatThePaperSaysAndWhatHolds) {
  // Amazon Computers as in the paper's Table 5: lambda, as a Laplace release of sensitivity 2, as a label release.
  struct Row {
    double lambda, laplace, label;
  };
  Setting setting{bound::Relation::Node, 100, {2500, 2500, 767, 10, 3000}, 1};
  for (const Row& row :
       {Row{0.1, 8.0, 1.64}, {0.2, 19.1, 3.81}, {0.4, 48.9, 9.66}, {0.8, 136, 29.1}, {1.0, 195, 43.8}}) {
    PrivGnn method;
    method.use_paper_settings();
    method = with(method, {{"inverse-scale", std::to_string(row.lambda)}});
    const std::optional<Published> published = method.published(1, 1e-4, setting);
    ASSERT_TRUE(published && published->plan);
    const double exact = account::spent_epsilon(published->plan->ledger(), 1e-4);
    EXPECT_NEAR(exact, row.label, 0.01 * row.label) << row.lambda;
    const std::string& reason = published->reasons.at(0);
    const double laplace = std::stod(reason.substr(reason.rfind(' ')));
    EXPECT_NEAR(laplace, row.laplace, 0.01 * row.laplace) << row.lambda;
  }
}

TEST(PrivGnn, NoiseOnLogPosteriorsHasNoFiniteEpsilon) {
  PrivGnn method;
  method.use_paper_settings();
  const Setting setting{bound::Relation::Node, 100, {2500, 2500, 767, 10, 3000}, 1};
  for (const bool logarithm : {false, true}) {
    const auto published =
        with(method, {{"inverse-scale", "0.4"}, {"noise-on", logarithm ? "log-posterior" : "posterior"}})
            .published(1, 1e-4, setting);
    ASSERT_TRUE(published);
    EXPECT_EQ(std::isinf(account::spent_epsilon(published->plan->ledger(), 1e-4)), logarithm);
  }
}

// The paper's SingleGNN: its formula counts a fresh sample for each query, and what holds counts none.
TEST(PrivGnn, OneTeacherAsPublishedCountsSamplesThatAreNotDrawn) {
  PrivGnn method;
  method.use_paper_settings();
  const Setting setting{bound::Relation::Record, 100, {2500, 2500, 767, 10, 3000}, 1};
  const auto many = with(method, {{"inverse-scale", "0.4"}}).published(1, 1e-4, setting);
  const auto one = with(method, {{"inverse-scale", "0.4"}, {"single-teacher", "true"}, {"no-knn", "true"}})
                       .published(1, 1e-4, setting);
  ASSERT_TRUE(many && one && one->plan);
  EXPECT_DOUBLE_EQ(*one->epsilon, *many->epsilon);
  EXPECT_GT(one->reasons.size(), many->reasons.size());
  EXPECT_EQ(mechanism::mechanism_of(one->plan->lines().at(0).event).sampling, account::Sampling(account::NoSampling{}));
  EXPECT_GT(account::spent_epsilon(one->plan->ledger(), 1e-4), 2 * account::spent_epsilon(many->plan->ledger(), 1e-4));
  EXPECT_THROW(with(method, {{"single-teacher", "true"}}).published(1, 1e-4, setting), Error);
}

TEST(PrivGnn, SaysWhatItReplaces) {
  PrivGnn method;
  for (const char* part : {"ridge", "randomized response", "whole sample", "relabels"}) {
    EXPECT_NE(method.variant().find(part), std::string::npos) << part;
  }
  method.use_paper_settings();
  EXPECT_EQ(method.variant(), "");
  EXPECT_NE(with(method, {{"noise-on", "log-posterior"}}).variant(), "");
  EXPECT_NE(with(method, {{"single-teacher", "true"}}).variant(), "");
}

// Long records are far from a short query by Euclidean distance, and near to it in direction.
TEST(PrivGnn, NearestByDirectionOrByDistance) {
  graph::Dataset data = dense(parts().private_data);
  Matrix features = dense_features(data);
  for (int64_t v = 0; v < features.rows(); ++v) {
    const Real factor = v % 2 == 0 ? 100 : 1;
    for (Real& x : features.row(v)) x *= factor;
  }
  data.features = graph::Features(std::move(features));
  const auto answers = [&](const char* distance) {
    Seen seen;
    run(with(PrivGnn(), {{"distance", distance},
                         {"nearest", "10"},
                         {"sampling-rate", "1"},
                         {"queries", "40"},
                         {"noise", "laplace"}}),
        data, 0.1, &seen);
    return seen.releases;
  };
  EXPECT_NE(answers("euclidean"), answers("cosine"));
  EXPECT_EQ(answers("cosine"), answers("cosine"));
}

// Students of every noise of the paper's tables from one set of teachers: with less noise they know more.
TEST(PrivGnn, SweepsTheNoiseOfOneTraining) {
  PrivGnn method;
  method.use_paper_settings();
  method = with(method, {{"queries", "120"},
                         {"teacher", "ridge"},
                         {"nearest", "all"},
                         {"sampling-rate", "0.5"},
                         {"inverse-scale", "1"},
                         {"sweep-noise", "true"},
                         {"noise-on", "log-posterior"},
                         {"epochs", "40"},
                         {"hidden-dim", "16"}});
  EXPECT_THROW(method.plan(1, setting_of_parts()), Error);
  const std::optional<Published> published = method.published(1, 1e-4, setting_of_parts());
  const graph::Dataset unlabeled = graph::without_labels(parts().public_data);
  mechanism::Release release = mechanism::Release::open(
      bound::Relation::Record, *published->plan, {std::numeric_limits<double>::infinity(), 1e-4}, Seed::from_number(4));
  Task task = task_on(parts().private_data, unlabeled);
  task.relation = bound::Relation::Record;
  task.as_published = true;
  const Output out = method.run(task, release);
  const nn::State& others = out.sums.private_value();
  ASSERT_EQ(others.size(), 10u);
  const auto accuracy = [&](const std::string& noise) {
    Matrix probabilities(parts().public_data.nodes(), parts().public_data.classes);
    nn::read_matrix(others, kOtherNoise + noise, probabilities);
    return test_accuracy(probabilities);
  };
  EXPECT_GT(accuracy("log-posterior 1"), accuracy("posterior 0.1"));
  EXPECT_TRUE(run(PrivGnn(), parts().private_data, 1).sums.private_value().empty());
}

TEST(PrivGnn, WithoutNoiseNoEpsilonHolds) {
  for (const char* noise : {"rr", "laplace", "gumbel", "gaussian"}) {
    const Plan plan = with(PrivGnn(), {{"noise", noise}}).plan(0, setting_of_parts());
    EXPECT_TRUE(std::isinf(account::spent_epsilon(plan.ledger(), 1e-4)));
  }
}

TEST(PrivGnn, TradeOffsAreOptionsOfItsOwn) {
  const std::vector<OptionValues> rows = PrivGnn().trade_offs(setting_of_parts());
  EXPECT_GE(rows.size(), 8u);
  for (const OptionValues& row : rows) EXPECT_NO_THROW(with(PrivGnn(), row).plan(1, setting_of_parts()));
}

TEST(PrivGnn, PredictsTheSameFromItsModel) {
  const PrivGnn method;
  const Output out = run(method, parts().private_data, 1);
  const graph::Split nobody;
  mechanism::Release release = mechanism::Release::clear(bound::Relation::Node, {});
  const Task task{.data = parts().public_data, .split = nobody, .seed = Seed::from_number(8)};
  EXPECT_TRUE(same(values(out.predictions), values(method.infer(out.model.value(), task, release))));
  EXPECT_EQ(audience(out.predictions), Audience::Public);
}

}  // namespace
}  // namespace graphveil::method::privgnn_test
