#include "graphveil/kernels/adam.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"
#include "tests/kernels/support.h"

namespace graphveil::kernels::adam_test {
namespace {

class AdamLevels : public testing::TestWithParam<CpuLevel> {};

TEST_P(AdamLevels, FollowsTheFormulas) {
  const Restore restore;
  set_cpu_level(GetParam());
  const AdamNumbers a{.scale = 0.5f,
                      .decay = 0.01f,
                      .shrink = 0.99f,
                      .beta1 = 0.9f,
                      .rest1 = 0.1f,
                      .beta2 = 0.999f,
                      .rest2 = 0.001f,
                      .rate = 0.02f,
                      .root = 3,
                      .epsilon = 1e-6f};
  RandomStream random(Seed::from_number(4), "adam");
  for (const int64_t count : {1, 15, 16, 16384 + 37}) {
    Matrix g(1, count), w(1, count), m(1, count), v(1, count);
    std::vector<double> want;
    for (int64_t i = 0; i < count; ++i) {
      g(0, i) = static_cast<Real>(random.gaussian());
      w(0, i) = static_cast<Real>(random.gaussian());
      m(0, i) = static_cast<Real>(random.gaussian());
      v(0, i) = static_cast<Real>(i % 7 == 0 ? 0 : random.uniform());
      const double d = double{a.scale} * g(0, i) + double{a.decay} * w(0, i);
      const double mean = double{a.beta1} * m(0, i) + double{a.rest1} * d;
      const double square = double{a.beta2} * v(0, i) + double{a.rest2} * d * d;
      want.push_back(double{a.shrink} * w(0, i) -
                     double{a.rate} * mean / (double{a.root} * std::sqrt(square) + double{a.epsilon}));
    }
    adam_step(a, g, w, m, v);
    for (int64_t i = 0; i < count; ++i) {
      EXPECT_NEAR(w(0, i), want[static_cast<size_t>(i)], 1e-5 * (1 + std::abs(want[static_cast<size_t>(i)])));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, AdamLevels, testing::ValuesIn(available_levels()),
                         [](const auto& param) { return std::string(name(param.param)); });

}  // namespace
}  // namespace graphveil::kernels::adam_test
