// The support attack: an adversary who knows both neighboring graphs asks of every number that came out whether it can
// have come from the other one at all. A sum in floats with noise in floats answers: which floats come out depends on
// the sum. Whole steps of a public grid do not.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/bound/clipping.h"
#include "graphveil/method/registry.h"
#include "tests/contract/cases.h"
#include "tests/contract/harness.h"

namespace graphveil::contract::support_test {
namespace {

constexpr uint64_t kRuns = 300;
constexpr double kClip = 0.5;

// Whether some noise takes this value to this output.
using Possible = std::function<bool(double output, double value)>;

// Noise in whole steps. All the numbers are far below 2^53 steps, so the difference is exact.
Possible by_whole_steps(double step) {
  return [step](double output, double value) {
    const double steps = (output - value) / step;
    return steps == std::nearbyint(steps);
  };
}

// Noise is a float, any float, and so are value and output: if one float will do, then the one that is nearest to the
// difference does.
bool by_float_noise(double output, double value) {
  const auto noise = static_cast<float>(output - value);
  return static_cast<float>(value) + noise == static_cast<float>(output);
}

// How many outputs the attack can tell: possible where they came from, and impossible on the other graph.
int64_t told(const std::vector<double>& outputs, const std::vector<double>& values, const std::vector<double>& others,
             const Possible& possible) {
  int64_t found = 0;
  for (size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_TRUE(possible(outputs[i], values[i])) << "the attack does not know the noise";
    found += !possible(outputs[i], others[i]);
  }
  return found;
}

struct Case {
  std::string method;
  bound::Relation relation;
};

// For messages of the tests.
void PrintTo(const Case& c, std::ostream* out) { *out << c.method << ", " << bound::name(c.relation); }

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const char* name : {"lap", "gap-edp", "gap-ndp", "sage-ndp", "oneshot"}) {
    for (const bound::Relation relation : method::make_method(name)->relations()) out.push_back({name, relation});
  }
  return out;
}

// Two rounds or hops where there are several, and the clip norm whose grid is known here.
Made small_method(const std::string& name) {
  Made made = make_quick(name);
  const method::OptionValues options{{"rounds", "2"}, {"hops", "2"}, {"max-grad-norm", std::to_string(kClip)}};
  for (const auto& [option, value] : options) {
    if (made.options->find(option) != nullptr) made.options->set(option, value);
  }
  return made;
}

constexpr int64_t kDegree = 9;  // no node of a small graph has more

// How many numbers of each release differ, all in all 0 unless every line of the plan has some.
int64_t telling(const std::vector<Answer>& answers) {
  std::map<std::string, int64_t> by_label;
  int64_t all = 0;
  for (const Answer& answer : answers) {
    int64_t& count = by_label[answer.label];
    for (size_t i = 0; i < answer.value.size(); ++i) count += answer.value[i] != answer.other[i];
  }
  for (const auto& [label, count] : by_label) {
    if (count == 0) return 0;
    all += count;
  }
  return all;
}

// The pair, of those on a few graphs, on which most of what goes into the releases differs.
Neighbors telling_pair(const method::Method& method, bound::Relation relation) {
  std::optional<Neighbors> best;
  int64_t most = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    for (Neighbors& neighbors : all_neighbors(small_graph(seed, true), relation)) {
      const int64_t count = telling(answers(method, relation, neighbors, {.protect_degree = kDegree}));
      if (count <= most) continue;
      most = count;
      best = std::move(neighbors);
    }
  }
  if (!best) throw std::logic_error("no pair differs in every release");
  return std::move(*best);
}

class Support : public testing::TestWithParam<Case> {};

TEST_P(Support, EveryOutputIsPossibleOnBothGraphs) {
  const auto& [name, relation] = GetParam();
  const Made made = small_method(name);
  const method::Method* method = made.method.get();
  Neighbors neighbors = telling_pair(*method, relation);
  const double gradient_step = bound::sum_grid({.max_norms = {kClip}}, 0);
  int64_t asked = 0, differ = 0;
  for (int side = 0; side < 2; ++side) {
    for (uint64_t run = 1; run <= kRuns; ++run) {
      for (const Answer& a : answers(*method, relation, neighbors, {.protect_degree = kDegree, .seed = run})) {
        const double step = a.gradient ? gradient_step : a.grid;
        ASSERT_EQ(told(a.output, a.value, a.other, by_whole_steps(step)), 0)
            << neighbors.what << ", '" << a.label << "'";
        // And nothing in the output is finer than the grid.
        ASSERT_EQ(told(a.output, std::vector<double>(a.output.size(), 0), a.value, by_whole_steps(step)), 0);
        asked += static_cast<int64_t>(a.output.size());
        for (size_t i = 0; i < a.value.size(); ++i) differ += a.value[i] != a.other[i];
      }
    }
    std::swap(neighbors.present, neighbors.other);
  }
  EXPECT_GT(asked, static_cast<int64_t>(2 * kRuns));
  EXPECT_GE(differ, static_cast<int64_t>(2 * kRuns)) << "the graphs do not differ in what is released";
}

INSTANTIATE_TEST_SUITE_P(Registry, Support, testing::ValuesIn(cases()), [](const auto& parameter) {
  std::string title = parameter.param.method + "_" + std::string(bound::name(parameter.param.relation));
  std::replace(title.begin(), title.end(), '-', '_');
  return title;
});

// The label sums of lap on two neighbors, as a program without a grid would have them: in floats.
struct FloatSums {
  std::vector<double> value, other;
};
constexpr double kStddev = 1;  // about a message's length

FloatSums float_sums() {
  const Made made = small_method("lap");
  const method::Method* lap = made.method.get();
  const Neighbors neighbors = telling_pair(*lap, bound::Relation::Node);
  const Answer answer = answers(*lap, bound::Relation::Node, neighbors, {.protect_degree = kDegree}).front();
  FloatSums sums;
  for (size_t i = 0; i < answer.value.size(); ++i) {
    sums.value.push_back(static_cast<float>(answer.value[i]));
    sums.other.push_back(static_cast<float>(answer.other[i]));
  }
  return sums;
}

// In how many of the runs on either side the attack knows for sure which graph it was.
int64_t runs_told(const FloatSums& sums, const Possible& possible,
                  const std::function<double(double value, RandomStream&)>& noisy) {
  int64_t told_apart = 0;
  for (int side = 0; side < 2; ++side) {
    const auto& here = side == 0 ? sums.value : sums.other;
    const auto& there = side == 0 ? sums.other : sums.value;
    for (uint64_t run = 0; run < kRuns; ++run) {
      RandomStream random(Seed::from_number(run), "float noise", static_cast<uint64_t>(side));
      std::vector<double> output;
      for (const double value : here) output.push_back(noisy(value, random));
      told_apart += told(output, here, there, possible) > 0;
    }
  }
  return told_apart;
}

TEST(SupportAttack, FindsFloatNoiseOnFloatSums) {
  const FloatSums sums = float_sums();
  const int64_t found = runs_told(sums, by_float_noise, [&](double value, RandomStream& random) {
    const auto noise = static_cast<float>(kStddev * random.gaussian());
    return static_cast<double>(static_cast<float>(value) + noise);
  });
  EXPECT_GT(found, static_cast<int64_t>(2 * kRuns / 4)) << "of " << 2 * kRuns << " runs";
}

TEST(SupportAttack, FindsWholeStepsOfNoiseOnSumsThatAreNotWhole) {
  FloatSums sums = float_sums();
  // The same sums of messages 2/3 and -1/3, which no grid holds.
  for (double& x : sums.value) x = static_cast<float>(std::nearbyint(3 * x) / 3);
  for (double& x : sums.other) x = static_cast<float>(std::nearbyint(3 * x) / 3);
  const double step = 0x1p-10;
  const int64_t found = runs_told(sums, by_whole_steps(step), [&](double value, RandomStream& random) {
    return value + step * std::nearbyint(kStddev * random.gaussian() / step);
  });
  EXPECT_EQ(found, static_cast<int64_t>(2 * kRuns)) << "each run is told at a glance";
}

TEST(SupportAttack, FindsNothingOnTheSameSumsOnceTheyAreWhole) {
  FloatSums sums = float_sums();
  const double step = 0x1p-10;
  for (double& x : sums.value) x = std::trunc(x / step) * step;
  for (double& x : sums.other) x = std::trunc(x / step) * step;
  EXPECT_NE(sums.value, sums.other);
  const int64_t found = runs_told(sums, by_whole_steps(step), [&](double value, RandomStream& random) {
    return value + step * std::nearbyint(kStddev * random.gaussian() / step);
  });
  EXPECT_EQ(found, 0);
}

}  // namespace
}  // namespace graphveil::contract::support_test
