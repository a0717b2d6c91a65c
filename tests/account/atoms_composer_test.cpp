#include "graphveil/account/atoms_composer.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace graphveil::account::atoms_composer_test {
namespace {

// Losses -1 and +1 with odds e, and 0 with a mass of its own: counts of sums stay small, so all is exact.
AtomLoss three_losses() {
  const double up = 0.5 * std::exp(1.0) / (1 + std::exp(1.0));
  return {{-1, 0, 1}, {up / std::exp(1.0), 0.5, up}, 0};
}

// The definition: every sequence of runs.
std::map<double, double> all_sums(const std::vector<Term>& terms) {
  std::map<double, double> sums{{0.0, 1.0}};
  for (const Term& term : terms) {
    for (int64_t run = 0; run < term.count; ++run) {
      std::map<double, double> next;
      for (const auto& [loss, mass] : sums) {
        for (size_t i = 0; i < term.loss.size(); ++i) next[loss + term.loss.loss[i]] += mass * term.loss.mass[i];
      }
      sums = std::move(next);
    }
  }
  return sums;
}

TEST(AtomsComposer, IsExactWhileAllSumsFit) {
  const std::vector<Term> terms{make_term(three_losses(), 5), make_term({{-2, 2}, {0.25, 0.75}, 0}, 3)};
  Composer composer(terms);
  const AtomLoss sum = composer.first(1000, {chernoff_guess(terms, 1e-3)});
  const std::map<double, double> wanted = all_sums(terms);
  ASSERT_EQ(sum.size(), wanted.size());
  size_t i = 0;
  for (const auto& [loss, mass] : wanted) {
    EXPECT_NEAR(sum.loss[i], loss, 1e-12);
    EXPECT_NEAR(sum.mass[i], mass, 1e-12);
    ++i;
  }
}

// With few atoms the sum dominates: its delta is never below the exact one, and the second time it is nearer.
TEST(AtomsComposer, FewAtomsNeverSayLess) {
  const std::vector<Term> terms{make_term({{-0.3, 0.1, 0.45}, {0.3, 0.3, 0.4}, 0}, 40)};
  Composer exact(terms), rough(terms);
  const AtomLoss whole = exact.first(100'000, {chernoff_guess(terms, 1e-3)});
  const double epsilon = atoms_epsilon(whole, 1e-3, 0);
  const AtomLoss once = rough.first(25, {chernoff_guess(terms, 1e-3)});
  const double first = atoms_epsilon(once, 1e-3, 0);
  const double again = atoms_epsilon(rough.again(25, {{first, 0.1 * first}}), 1e-3, 0);
  EXPECT_GE(first, epsilon * (1 - 1e-12));
  EXPECT_GE(again, epsilon * (1 - 1e-12));
  EXPECT_LE(again, 1.05 * epsilon);
}

TEST(AtomsComposer, ATermKnowsItsMeanAndVariance) {
  const Term term = make_term({{-1, 3}, {0.25, 0.75}, 0}, 7);
  EXPECT_DOUBLE_EQ(term.mean, 2);
  EXPECT_DOUBLE_EQ(term.variance, 3);
  EXPECT_EQ(term.count, 7);
}

}  // namespace
}  // namespace graphveil::account::atoms_composer_test
