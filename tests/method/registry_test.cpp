// The contract that every method keeps: plan and run agree, seeds repeat,
// nothing private happens without noise.
#include "graphveil/method/registry.h"

#include <cmath>
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/calibrate.h"
#include "graphveil/base/parallel.h"
#include "tests/mechanism/access.h"
#include "tests/method/tiny_task.h"
#include "tests/method/vouched.h"
#include "tests/threads.h"

namespace graphveil::method::registry_test {
namespace {

using bound::Relation;

constexpr double kNoise = 2;

// Few epochs: the contract is about privacy, not accuracy.
std::unique_ptr<Method> quick(const std::string& name, Options& options) {
  auto method = make_method(name);
  method->declare(options);
  for (const auto& [option, value] : method->quick({.epochs = 3, .steps = 3, .width = 8, .queries = std::nullopt})) {
    options.set(option, value);
  }
  if (name == "lap" || name.ends_with("-ndp") || name.ends_with("-dp")) options.set("batch-size", "64");
  return method;
}

std::string title(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name;
}

bool same(const Matrix& a, const Matrix& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(Real)) == 0;
}

void expect_probabilities(const Matrix& probabilities, int64_t rows) {
  ASSERT_EQ(probabilities.rows(), rows);
  ASSERT_EQ(probabilities.cols(), tiny_data().classes);
  for (int64_t v = 0; v < rows; ++v) {
    double sum = 0;
    for (Real p : probabilities.row(v)) {
      EXPECT_GE(p, 0);
      sum += p;
    }
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

int64_t predicted_nodes(const Method& method) {
  return method.wants_public_graph() ? tiny_public_data().nodes() : tiny_data().nodes();
}

// The tiny task; the labels of the public pool are there for those that read
// them.
Task task_for(const Method& method, bound::Relation relation, uint64_t seed = 3) {
  Task task = tiny_task(relation, seed);
  if (method.reads_public_labels())
    task.public_graph.emplace(vouched_graph(tiny_labeled_public_data(), tiny_public_split()));
  return task;
}

class EveryMethod : public testing::TestWithParam<std::string> {
 protected:
  Options options;
  std::unique_ptr<Method> method = quick(GetParam(), options);
  // Methods that promise nothing run behind a clear release, under the relation
  // that all of them can read.
  bool promises() const { return !method->relations().empty(); }
  Relation relation() const { return promises() ? method->relations().front() : Relation::Edge; }
  Release release_of(Plan plan, uint64_t seed) const {
    return promises() ? any_release(relation(), std::move(plan), seed) : Release::clear(relation(), std::move(plan));
  }
  double noise() const { return promises() ? kNoise : 0; }
};

TEST_P(EveryMethod, DescribesItselfAndItsOptions) {
  EXPECT_EQ(method->describe().name, GetParam());
  EXPECT_FALSE(method->describe().releases.empty());
  EXPECT_EQ(method->describe().level == "none", method->relations().empty());
  for (const Option& option : options.list()) {
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_NO_THROW(option.set(option.text())) << option.name;
  }
}

TEST_P(EveryMethod, GivesProbabilitiesAndRepeatsForASeedAndAnyThreads) {
  const auto run = [&](uint64_t seed) {
    Release release = release_of(method->plan(noise(), tiny_setting(relation())), seed);
    return method->run(task_for(*method, relation(), seed), release);
  };
  const int before = thread_count();
  set_thread_count(1);
  const Output one = run(5);
  set_thread_count(2);
  const Output two = run(5), other = run(6);
  set_thread_count(before);
  expect_probabilities(values(one.predictions), predicted_nodes(*method));
  EXPECT_TRUE(same(values(one.predictions), values(two.predictions)));
  EXPECT_FALSE(same(values(two.predictions), values(other.predictions)));
}

TEST_P(EveryMethod, PredictsOnAnotherGraphAsPlanned) {
  Release training = release_of(method->plan(noise(), tiny_setting(relation())), 9);
  const Output output = method->run(task_for(*method, relation()), training);

  const graph::Dataset other = graph::generate(graph::preset("tiny", 240), Seed::from_number(77));
  const graph::Split nobody;
  const Task task{.data = other,
                  .split = nobody,
                  .relation = relation(),
                  .protect_degree = kTinyDegree,
                  .seed = Seed::from_number(4)};
  const Setting setting{relation(), kTinyDegree, {other.nodes(), 0, other.features.cols(), other.classes}};
  const Plan plan = method->inference_plan(noise(), setting);
  Release release = release_of(plan, 8);
  const Predictions predictions = method->infer(output.model.value(), task, release);
  expect_probabilities(values(predictions), other.nodes());
  EXPECT_TRUE(release.complete());
  EXPECT_EQ(release.spent(), plan);
}

// The twin without noise: the same run behind a clear release, whose
// predictions nobody but the holder gets for the asking.
TEST_P(EveryMethod, RunsInTheClear) {
  for (const Relation r : promises() ? method->relations() : std::vector<Relation>{relation()}) {
    const Plan plan = method->plan(0, tiny_setting(r));
    Release release = Release::clear(r, plan);
    const Output output = method->run(task_for(*method, r), release);
    expect_probabilities(values(output.predictions), predicted_nodes(*method));
    EXPECT_TRUE(release.complete());
    EXPECT_TRUE(method->wants_public_graph() || audience(output.predictions) == Audience::Holder);
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryMethod, testing::ValuesIn(method_names()),
                         [](const auto& parameter) { return title(parameter.param); });

// A method and a relation that it protects.
struct Promise {
  std::string method;
  Relation relation;
};

// For messages of the tests.
void PrintTo(const Promise& promise, std::ostream* out) {
  *out << promise.method << ", " << bound::name(promise.relation);
}

std::vector<Promise> promises(const std::function<bool(const Method&, Relation)>& applies) {
  std::vector<Promise> out;
  for (const std::string& name : method_names()) {
    const auto method = make_method(name);
    for (const Relation relation : method->relations()) {
      if (applies(*method, relation)) out.push_back({name, relation});
    }
  }
  return out;
}

std::string promise_title(const testing::TestParamInfo<Promise>& info) {
  return title(info.param.method + "_" + std::string(bound::name(info.param.relation)));
}

class EveryPromise : public testing::TestWithParam<Promise> {
 protected:
  Options options;
  std::unique_ptr<Method> method = quick(GetParam().method, options);
  Relation relation = GetParam().relation;
  Setting setting = tiny_setting(relation);
};

TEST_P(EveryPromise, SpendsExactlyItsPlan) {
  const Plan plan = method->plan(kNoise, setting);
  Release release = any_release(relation, plan);
  const Output output = method->run(tiny_task(relation), release);
  EXPECT_TRUE(release.complete());
  EXPECT_EQ(release.spent(), plan);
  EXPECT_FALSE(output.model.value().empty());
}

TEST_P(EveryPromise, PredictionsAreForWhomItSays) {
  Release release = any_release(relation, method->plan(kNoise, setting));
  const Output output = method->run(tiny_task(relation), release);
  EXPECT_EQ(audience(output.predictions), method->predictions(relation).audience);
  // Records are private at node level: what is about one is never public, but
  // for nodes of a public graph.
  if (!bound::edge_level(relation) && !method->wants_public_graph()) {
    EXPECT_NE(audience(output.predictions), Audience::Public);
  }
}

// A training list may hold nodes that have no label. One that nobody else reads
// adds nothing to any release, whatever its features are.
TEST_P(EveryPromise, ATrainingNodeWithoutALabelAddsNothing) {
  const int32_t u = tiny_split().train[3];
  const auto seen_with = [&](double size) {
    graph::Dataset data = tiny_data();
    std::vector<int32_t> labels(data.labels.begin(), data.labels.end());
    labels[static_cast<size_t>(u)] = graph::kUnlabeled;
    data.labels = SharedArray<int32_t>(std::move(labels));
    std::vector<int32_t> from, to;
    for (int32_t a = 0; a < data.nodes(); ++a) {
      for (const int32_t b : data.graph.out(a)) {
        if (a == u || b == u) continue;
        from.push_back(a);
        to.push_back(b);
      }
    }
    data.graph = graph::Graph::from_edges(data.nodes(), from, to);
    RandomStream random(Seed::from_number(6), "features");
    Matrix rows(data.nodes(), data.features.cols());
    for (Real& x : rows.values()) x = static_cast<Real>(random.gaussian());
    for (Real& x : rows.row(u)) x *= static_cast<Real>(size);
    data.features = graph::Features(std::move(rows));
    data = method->prepare(data);
    const Task task{.data = data,
                    .split = tiny_split(),
                    .relation = relation,
                    .protect_degree = kTinyDegree,
                    .seed = Seed::from_number(3),
                    .public_graph = vouched_graph(tiny_public_data(), tiny_public_split())};
    Release release = any_release(relation, method->plan(kNoise, setting));
    mechanism::Watcher watcher;
    mechanism::ObserverAccess::watch(release, watcher);
    const Output output = method->run(task, release);
    expect_probabilities(values(output.predictions), predicted_nodes(*method));
    EXPECT_TRUE(release.complete());
    std::vector<std::vector<double>> seen;
    for (const mechanism::Seen& one : watcher.seen) seen.push_back(one.values);
    return seen;
  };
  // At edge level features are public, and networks with batch norm read those
  // of every node.
  const bool public_features = bound::edge_level(relation);
  const auto seen = seen_with(1), other = seen_with(public_features ? 1 : -700);
  EXPECT_EQ(seen, other);
}

const auto kPromises = promises([](const Method&, Relation) { return true; });
INSTANTIATE_TEST_SUITE_P(Registry, EveryPromise, testing::ValuesIn(kPromises), promise_title);

// Those that release something.
using EveryCost = EveryPromise;

// The run takes its noise from the plan; what it brings must be what the plan
// says.
TEST_P(EveryCost, RefusesToRunOnAnotherPlan) {
  Release empty = any_release(relation, {});
  EXPECT_THROW(method->run(tiny_task(relation), empty), Error);
  const Plan plan = method->plan(kNoise, setting);
  Plan doubled;
  for (mechanism::PlanLine line : plan.lines()) {
    line.bound = bound::Bound::as_documented(line.source(), 2 * line.sensitivity(), line.norm());
    doubled.add(std::move(line));
  }
  Release other = any_release(relation, doubled);
  EXPECT_THROW(method->run(tiny_task(relation), other), Error);
  EXPECT_TRUE(other.spent().empty());
}

TEST_P(EveryCost, RefusesToRunWithoutNoiseBehindThePrivateDoor) {
  Release release = any_release(relation, method->plan(0, setting));
  EXPECT_THROW(method->run(tiny_task(relation), release), Error);
  EXPECT_TRUE(release.spent().empty());
}

TEST_P(EveryCost, MoreNoiseCostsLess) {
  const auto ledger = [&](double noise) { return method->plan(noise, setting).ledger(); };
  const auto cost = [&](double noise) { return account::spent_epsilon(ledger(noise), 1e-4); };
  EXPECT_TRUE(std::isinf(cost(0)));
  EXPECT_GT(cost(1), cost(2));
  EXPECT_GT(cost(2), cost(8));
  const account::Calibration found = account::calibrate(ledger, 3.0, 1e-4);
  EXPECT_LE(found.epsilon, 3.0);
  EXPECT_GT(found.epsilon, 2.95);
}

const auto kCosts = promises(
    [](const Method& method, Relation relation) { return !method.plan(kNoise, tiny_setting(relation)).empty(); });
INSTANTIATE_TEST_SUITE_P(Registry, EveryCost, testing::ValuesIn(kCosts), promise_title);

// Those that release nothing.
using EveryFreeMethod = EveryPromise;

TEST_P(EveryFreeMethod, CostsNothingAtAnyNoise) {
  for (const double noise : {0.0, 1.0, 8.0}) {
    EXPECT_EQ(account::spent_epsilon(method->plan(noise, setting).ledger(), 0), 0);
    EXPECT_TRUE(method->inference_plan(noise, setting).empty());
  }
}

const auto kFree = promises(
    [](const Method& method, Relation relation) { return method.plan(kNoise, tiny_setting(relation)).empty(); });
INSTANTIATE_TEST_SUITE_P(Registry, EveryFreeMethod, testing::ValuesIn(kFree), promise_title);

// Those that keep records private.
using EveryNodePromise = EveryPromise;

// It would count twice in what is summed over the training nodes.
TEST_P(EveryNodePromise, RefusesATrainingNodeThatIsListedTwice) {
  graph::Split split = tiny_split();
  split.train.back() = split.train.front();
  const Task task{.data = tiny_data(),
                  .split = split,
                  .relation = relation,
                  .protect_degree = kTinyDegree,
                  .seed = Seed::from_number(3),
                  .public_graph = vouched_graph(tiny_public_data(), tiny_public_split())};
  Release release = any_release(relation, method->plan(kNoise, setting));
  EXPECT_THROW(method->run(task, release), Error);
}

const auto kNodePromises = promises([](const Method&, Relation relation) { return !bound::edge_level(relation); });
INSTANTIATE_TEST_SUITE_P(Registry, EveryNodePromise, testing::ValuesIn(kNodePromises), promise_title);

// Those that want a public graph.
using EveryPublicGraph = EveryPromise;

TEST_P(EveryPublicGraph, RefusesToRunWithoutOne) {
  Release release = any_release(relation, method->plan(kNoise, setting));
  Task task = tiny_task(relation);
  task.public_graph.reset();
  EXPECT_THROW(method->run(task, release), Error);
  EXPECT_TRUE(release.spent().empty());
}

const auto kPublicGraph = promises([](const Method& method, Relation) { return method.wants_public_graph(); });
INSTANTIATE_TEST_SUITE_P(Registry, EveryPublicGraph, testing::ValuesIn(kPublicGraph), promise_title);

TEST(Registry, NamesAreUniqueAndUnknownOnesRefused) {
  const std::vector<std::string> names = method_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_THROW(make_method("gap"), Error);
}

// Every promise is tried by one of the two suites above.
TEST(Registry, NoPromiseIsLeftOut) {
  EXPECT_EQ(kPromises.size(), kCosts.size() + kFree.size());
  EXPECT_GE(kPromises.size(), method_names().size());
}

// What promises nothing is a reference, and nothing else is.
TEST(Roles, GoWithWhatAMethodPromises) {
  std::set<Role> seen;
  for (const std::string& name : method_names()) {
    EXPECT_EQ(role_of(name) == Role::Reference, make_method(name)->relations().empty()) << name;
    seen.insert(role_of(name));
  }
  EXPECT_EQ(seen.size(), 3u);
  EXPECT_THROW(role_of("no-such-method"), Error);
}

}  // namespace
}  // namespace graphveil::method::registry_test
