#include "graphveil/learn/fit_shares.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/method/mlp.h"
#include "tests/method/tiny_task.h"

namespace graphveil::learn::fit_shares_test {
namespace {

using namespace method;  // the tiny graph and its networks

// Shares that put all on one class are labels; others are learned as they are.
TEST(FitShares, LabelsAreAKindOfShares) {
  const auto& train = tiny_split().train;
  Matrix sure(std::ssize(train), tiny_data().classes), even(std::ssize(train), tiny_data().classes);
  for (size_t i = 0; i < train.size(); ++i) sure(static_cast<int64_t>(i), tiny_data().labels[train[i]]) = 1;
  for (Real& x : even.values()) x = 1 / static_cast<Real>(even.cols());
  MlpNetwork a(tiny_data(), {}, true, Seed::from_number(1)), b(tiny_data(), {}, true, Seed::from_number(1)),
      c(tiny_data(), {}, true, Seed::from_number(1));
  fit(a, {tiny_data().labels, train, {}}, {.epochs = 30}, Seed::from_number(2), "test", public_test_data());
  fit_shares(b, train, sure, {.epochs = 30}, Seed::from_number(2), "test", public_test_data());
  fit_shares(c, train, even, {.epochs = 30}, Seed::from_number(2), "test", public_test_data());
  const Matrix p = class_probabilities(a, tiny_data().nodes()), q = class_probabilities(b, tiny_data().nodes()),
               flat = class_probabilities(c, tiny_data().nodes());
  for (int64_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p.data()[i], q.data()[i], 1e-3);
  for (const int32_t v : train) EXPECT_LT(*std::ranges::max_element(flat.row(v)), 0.6);
}

TEST(FitShares, RefusesWhatDoesNotFit) {
  const auto& train = tiny_split().train;
  MlpNetwork network(tiny_data(), {}, true, Seed::from_number(1));
  const auto taught = [&](int64_t rows, const FitOptions& options) {
    fit_shares(network, train, Matrix(rows, tiny_data().classes), options, Seed::from_number(2), "test",
               public_test_data());
  };
  EXPECT_THROW(taught(3, {}), Error);
  EXPECT_THROW(taught(std::ssize(train), {.batch_size = 10}), Error);
}

}  // namespace
}  // namespace graphveil::learn::fit_shares_test
