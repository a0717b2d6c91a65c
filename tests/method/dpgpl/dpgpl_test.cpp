#include "graphveil/method/dpgpl/dpgpl.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/base/error.h"
#include "graphveil/run/statements.h"
#include "tests/method/dpgpl/small_prompts.h"

namespace graphveil::method::dpgpl_test {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

DpGpl small(const Values& values = {}, DpGpl::Weights weights = DpGpl::Weights::Equal) {
  Values all{{"svd", "24"},   {"hidden-dim", "16"}, {"backbone-layers", "2"}, {"backbone-epochs", "30"},
             {"tokens", "4"}, {"epochs", "20"},     {"teachers", "20"},       {"queries", "50"}};
  all.insert(all.end(), values.begin(), values.end());
  return with(DpGpl(weights), all);
}

DpGpl small_weighted(Values values = {}) {
  values.insert(values.begin(), {"degree-cuts", "2,5"});
  return small(values, DpGpl::Weights::ByDegree);
}

// The run under record, what it saw before the noise.
std::vector<std::vector<double>> seen_under_record(const DpGpl& method, const graph::Dataset& data) {
  Setting setting = setting_of_parts();
  setting.relation = bound::Relation::Record;
  Release release = Release::open(bound::Relation::Record, method.plan(1, setting),
                                  {std::numeric_limits<double>::infinity(), 1e-5}, Seed::from_number(4));
  Seen seen;
  mechanism::ObserverAccess::watch(release, seen);
  Task task = task_on(data, unlabeled_public());
  task.relation = bound::Relation::Record;
  method.run(task, release);
  EXPECT_TRUE(release.complete());
  return seen.releases;
}

// The largest move of one query's counts.
double largest_move(const std::vector<double>& a, const std::vector<double>& b, size_t classes) {
  double largest = 0;
  for (size_t q = 0; q < a.size(); q += classes) {
    double squares = 0;
    for (size_t c = 0; c < classes; ++c) squares += std::pow(a[q + c] - b[q + c], 2);
    largest = std::max(largest, std::sqrt(squares));
  }
  return largest;
}

TEST(DpGpl, SizesFollowEpsilon) {
  const DpGpl method(DpGpl::Weights::Equal);
  for (const auto& [epsilon, queries] :
       {std::pair(1.0, 50), std::pair(2.0, 100), std::pair(4.0, 100), std::pair(8.0, 200)}) {
    const Plan plan = method.plan(3, setting_of_parts(epsilon));
    ASSERT_EQ(plan.lines().size(), 1u);
    EXPECT_EQ(plan.lines()[0].event.mechanism(), account::Mechanism(account::Gaussian{3}));
    EXPECT_DOUBLE_EQ(plan.lines()[0].sensitivity(), std::sqrt(2.0 * queries));
  }
  EXPECT_THROW(with(DpGpl(DpGpl::Weights::Equal), {{"queries", "301"}}).plan(1, setting_of_parts()), Error);
}

TEST(DpGpl, OneRecordMovesTheVotesOfAQueryBySqrtTwo) {
  const graph::Dataset present = dense(parts().private_data);
  Seen before;
  run(small(), present, 1, &before);
  double most = 0;
  for (const int32_t w : {0, 5, 99}) {
    Seen after;
    run(small(), without(present, w), 1, &after);
    most = std::max(most, largest_move(before.releases.at(0), after.releases.at(0), kClasses));
  }
  EXPECT_LE(most, std::sqrt(2.0) + 1e-9);
  EXPECT_GT(most, 0);
}

TEST(DpGplW, OneRecordMovesTheVotesByItsWeight) {
  const graph::Dataset present = dense(parts().private_data);
  const DpGpl method = small_weighted({{"weight-low", "0.5"}, {"weight-high", "2"}});
  const auto before = seen_under_record(method, present);
  for (const int32_t w : {0, 5, 42, 99}) {
    // Under record others keep their lists.
    graph::Dataset other = without(present, w);
    std::vector<int32_t> from, to;
    for (int32_t u = 0; u < present.nodes(); ++u) {
      for (const int32_t v : present.graph.out(u)) {
        if (u == w) continue;
        from.push_back(u);
        to.push_back(v);
      }
    }
    other.graph = graph::Graph::from_edges(present.nodes(), from, to);
    const int64_t degree = present.graph.out_degree(w);
    const double weight = degree <= 2 ? 0.5 : degree <= 5 ? 1.25 : 2;
    EXPECT_LE(largest_move(before.at(0), seen_under_record(method, other).at(0), kClasses),
              weight * std::sqrt(2.0) + 1e-9);
  }
}

TEST(DpGplW, EveryClassHasItsOwnEpsilon) {
  const DpGpl method = small_weighted({{"weight-low", "0.5"}, {"weight-high", "2"}});
  Setting setting = setting_of_parts();
  setting.relation = bound::Relation::Record;
  const Plan plan = method.plan(1.5, setting);
  const auto list = run::statements(method, plan, setting, 1e-4, true);
  std::vector<double> of_classes;
  for (const artifact::Statement& s : list) {
    if (s.what.starts_with("parameters, records")) of_classes.push_back(s.epsilon.value());
  }
  ASSERT_EQ(of_classes.size(), 3u);
  // Weights 0.5, 1.25 and 2: the noise is 4, 1.6 and 1 times that of the dearest.
  for (const auto& [c, factor] : {std::pair(0, 4.0), std::pair(1, 1.6), std::pair(2, 1.0)}) {
    EXPECT_NEAR(of_classes[static_cast<size_t>(c)],
                account::spent_epsilon({{"", account::Gaussian{1.5 * factor}}}, 1e-4), 1e-9);
  }
  EXPECT_NEAR(list[0].epsilon.value(), of_classes[2], 1e-12);
  EXPECT_EQ(method.relations(), std::vector<bound::Relation>{bound::Relation::Record});
}

TEST(DpGpl, ChecksAndAnswersAreAllOnTheLedger) {
  const DpGpl method = small({{"confident", "true"}, {"answers", "30"}, {"threshold", "0.6"}, {"check-share", "0.2"}});
  const Plan plan = method.plan(2, setting_of_parts());
  ASSERT_EQ(plan.lines().size(), 2u);
  EXPECT_EQ(plan.lines()[0].event.label(), "checks");
  EXPECT_DOUBLE_EQ(plan.lines()[0].sensitivity(), std::sqrt(50.0));
  EXPECT_DOUBLE_EQ(plan.lines()[1].sensitivity(), std::sqrt(60.0));
  // Together they cost what one Gaussian of this noise does.
  EXPECT_NEAR(account::spent_epsilon(plan.ledger(), 1e-4), account::spent_epsilon({{"", account::Gaussian{2}}}, 1e-4),
              1e-6);
  Seen seen;
  run(method, parts().private_data, 0.05, &seen);  // complete: all is spent, answered or not
  ASSERT_EQ(seen.releases.size(), 2u);
  EXPECT_EQ(seen.releases[0].size(), 50u);
  EXPECT_EQ(seen.releases[1].size(), 30u * kClasses);
  EXPECT_THROW(small({{"confident", "true"}, {"noise", "rr"}}).plan(1, setting_of_parts()), Error);
}

TEST(DpGpl, NobodyIsConfidentAboveAllVotes) {
  const DpGpl method = small({{"confident", "true"}, {"threshold", "1"}, {"teachers", "40"}});
  const Output out = run(method, parts().private_data, 0.001);
  EXPECT_EQ(values(out.predictions).rows(), parts().public_data.nodes());
}

TEST(DpGpl, StudentsLearn) {
  for (const char* student : {"ridge", "prompt"}) {
    const Output out = run(small({{"student", student}, {"epochs", "60"}}), parts().private_data, 0.05);
    EXPECT_GT(test_accuracy(values(out.predictions)), 0.5) << student;
  }
  for (const char* noise : {"discrete-laplace", "rr"}) {
    EXPECT_GT(test_accuracy(values(run(small({{"noise", noise}}), parts().private_data, 0.01).predictions)), 0.5);
  }
}

TEST(DpGpl, TheDataDependentEpsilonIsTheHoldersAlone) {
  const Output out = run(small(), parts().private_data, 1);
  const auto& diagnostics = out.diagnostics.private_value();
  ASSERT_EQ(diagnostics.size(), 1u);
  // Never above the data-independent one by the same arithmetic.
  EXPECT_GT(diagnostics.begin()->second, 0);
  EXPECT_LE(diagnostics.begin()->second, 50);
  EXPECT_TRUE(run(small({{"noise", "rr"}}), parts().private_data, 1).diagnostics.private_value().empty());
}

TEST(DpGpl, SaysWhatItReplaces) {
  EXPECT_NE(DpGpl(DpGpl::Weights::Equal).variant().find("the prompt student learns"), std::string::npos);
  EXPECT_NE(small({{"student", "ridge"}}).variant().find("ridge regression"), std::string::npos);
  DpGpl paper(DpGpl::Weights::Equal);
  paper.use_paper_settings();
  EXPECT_EQ(paper.variant(), "");
  EXPECT_EQ(with(paper, {{"shots-per", "class"}}).variant(), "teachers share records, in place of disjoint ones");
}

// Five records of seven classes: what a teacher has not seen it cannot vote for.
TEST(DpGpl, SaysBeforehandThatNoQueryWillPass) {
  DpGpl paper(DpGpl::Weights::Equal);
  paper.use_paper_settings();
  Setting setting = setting_of_parts();
  setting.facts = {.nodes = 1354, .train_nodes = 1354, .features = 1433, .classes = 7, .public_pool = 1000};
  const auto lines = [&](const DpGpl& method) {
    return method.outlook(method.published(1, 1.5e-4, setting)->plan.value(), setting);
  };
  const auto of_paper = lines(with(paper, {{"check-sigma", "1"}, {"vote-sigma", "20"}}));
  ASSERT_EQ(of_paper.size(), 2u);
  EXPECT_EQ(of_paper[0], "a query is answered where 150 of 200 votes agree, give or take noise of 1");
  EXPECT_TRUE(of_paper[1].starts_with("few queries or none will be answered: a teacher of 5.0 records")) << of_paper[1];
  EXPECT_EQ(lines(with(paper, {{"check-sigma", "1"}, {"vote-sigma", "20"}, {"shots-per", "class"}})).size(), 1u);
  const auto noisy = lines(with(paper, {{"check-sigma", "5"}, {"vote-sigma", "100"}, {"shots-per", "class"}}));
  ASSERT_EQ(noisy.size(), 2u);
  EXPECT_TRUE(noisy[1].starts_with("noise of 100 on the votes")) << noisy[1];
}

TEST(DpGpl, WhatHasNoProofIsForPublishedAlone) {
  EXPECT_THROW(small({{"shots", "2"}, {"shots-per", "class"}}).plan(1, setting_of_parts()), Error);
  EXPECT_THROW(small({{"teacher-limit", "2"}}).plan(1, setting_of_parts()), Error);
  EXPECT_THROW(small({{"answer", "shared"}}).plan(1, setting_of_parts()), Error);
  EXPECT_THROW(small({{"messages", "whole"}}).plan(1, setting_of_parts()), Error);
}

// A run that promises something stops before it reads private records in the clear, whoever made its plan.
TEST(DpGpl, WhatHasNoProofStopsARunWithAPromise) {
  const Plan plan = small({}).plan(5, setting_of_parts());
  for (const Values& values : {Values{{"answer", "shared"}}, {{"messages", "whole"}}}) {
    Release release = Release::open(bound::Relation::Node, plan, {1e9, 1e-4}, Seed::from_number(4));
    EXPECT_THROW(small(values).run(task_on(parts().private_data, unlabeled_public()), release), Error);
  }
}

// Table 4 of the paper at delta 1.5e-4, 50 checks and answers, accounted without a look at the votes.
TEST(DpGpl, PublishedNoiseCostsMoreThanThePaperSays) {
  struct Row {
    const char *check_sigma, *sigma;
    double tight;
  };
  for (const Row& row : {Row{"1", "20", 49.95}, Row{"5", "100", 5.64}, Row{"10", "100", 2.48}}) {
    DpGpl method(DpGpl::Weights::Equal);
    method.use_paper_settings();
    method = with(method, {{"check-sigma", row.check_sigma}, {"vote-sigma", row.sigma}});
    EXPECT_THROW(method.plan(1, setting_of_parts()), Error);  // for published alone
    const auto published = method.published(1, 1.5e-4, setting_of_parts());
    ASSERT_TRUE(published && published->plan);
    EXPECT_NEAR(account::spent_epsilon(published->plan->ledger(), 1.5e-4), row.tight, 0.01) << row.check_sigma;
    EXPECT_EQ(published->reasons.size(), 4u);
    EXPECT_LT(published->epsilon.value(), row.tight);
  }
}

TEST(DpGpl, RunsAsPublished) {
  for (const DpGpl& method :
       {small({{"confident", "true"}, {"vote-sigma", "3"}, {"check-sigma", "2"}}),
        small({{"confident", "true"}, {"vote-sigma", "3"}, {"shots", "2"}, {"shots-per", "class"}}),
        small_weighted({{"confident", "true"}, {"vote-sigma", "3"}, {"teacher-limit", "0.5"}}),
        small({{"confident", "true"}, {"vote-sigma", "3"}, {"shots", "2"}, {"answer", "shared"}}),
        small({{"confident", "true"}, {"vote-sigma", "3"}, {"shots", "2"}, {"messages", "whole"}}),
        small_weighted({{"vote-sigma", "3"}})}) {
    Setting setting = setting_of_parts();
    setting.relation = bound::Relation::Record;
    const auto published = method.published(1, 1e-4, setting);
    ASSERT_TRUE(published && published->plan);
    Release release = Release::open(bound::Relation::Record, *published->plan,
                                    {std::numeric_limits<double>::infinity(), 1e-4}, Seed::from_number(4));
    Task task = task_on(parts().private_data, unlabeled_public());
    task.relation = bound::Relation::Record;
    task.as_published = true;
    EXPECT_EQ(values(method.run(task, release).predictions).rows(), parts().public_data.nodes());
    EXPECT_TRUE(release.complete());
  }
}

}  // namespace
}  // namespace graphveil::method::dpgpl_test
