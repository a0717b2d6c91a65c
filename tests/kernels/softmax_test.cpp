#include "graphveil/kernels/softmax.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/support.h"
#include "tests/threads.h"

namespace graphveil::kernels::softmax_test {
namespace {

std::vector<double> plain_softmax(std::vector<double> x) {
  const double largest = *std::max_element(x.begin(), x.end());
  double total = 0;
  for (double& v : x) total += v = std::exp(v - largest);
  for (double& v : x) v /= total;
  return x;
}

class SoftmaxLevels : public testing::TestWithParam<CpuLevel> {};

TEST_P(SoftmaxLevels, AgreeWithThePlainFormulas) {
  const Restore restore;
  set_cpu_level(GetParam());
  set_thread_count(1);
  for (int64_t rows : {0, 1, 6}) {
    for (int64_t cols = 1; cols <= 70; ++cols) {
      for (double scale : {1.0, 40.0}) {
        Framed x(rows, cols, 3, 1), p(rows, cols, 2), logs(rows, cols, 1, 2), q(rows, cols), g(rows, cols, 5),
            dp(rows, cols, 1), dl(rows, cols, 4), dq(rows, cols, 2);
        randomize(x, 1, scale);
        randomize(g, 2);
        std::vector<int32_t> labels(static_cast<size_t>(rows));
        std::vector<Real> losses(labels.size()), weights(labels.size());
        for (int64_t r = 0; r < rows; ++r) {
          labels[r] = static_cast<int32_t>(r == 3 ? -1 : (r * 7) % cols);
          weights[r] = static_cast<Real>(0.5 + static_cast<double>(r));
        }
        softmax(x, p);
        log_softmax(x, logs);
        cross_entropy(x, labels, losses, q);
        softmax_backward(p, g, dp);
        log_softmax_backward(logs, g, dl);
        cross_entropy_backward(q, labels, weights, dq);
        for (int64_t r = 0; r < rows; ++r) {
          const auto row = x.view().row(r);
          const std::vector<double> want = plain_softmax({row.begin(), row.end()});
          double inner = 0, total = 0;
          for (int64_t c = 0; c < cols; ++c) {
            inner += want[c] * g(r, c);
            total += g(r, c);
          }
          double log_total = 0;
          const double largest = *std::max_element(row.begin(), row.end());
          for (Real v : row) log_total += std::exp(v - largest);
          log_total = std::log(log_total);
          for (int64_t c = 0; c < cols; ++c) {
            const double log_want = x(r, c) - largest - log_total;
            // x - largest is rounded once before the exponential, which turns that into a relative error.
            const double relative = 1e-6 + 6e-8 * (largest - x(r, c));
            ASSERT_NEAR(p(r, c), want[c], relative * want[c] + 1e-37);
            ASSERT_NEAR(q(r, c), want[c], relative * want[c] + 1e-37);
            ASSERT_NEAR(logs(r, c), log_want, 1e-6 * (1 + std::abs(log_want)));
            ASSERT_NEAR(dp(r, c), want[c] * (g(r, c) - inner), 2e-6 * (1 + std::abs(inner)));
            ASSERT_NEAR(dl(r, c), g(r, c) - want[c] * total, 2e-6 * (1 + std::abs(total)) * 4);
            const double target = labels[r] < 0 ? 0.0 : weights[r] * (want[c] - (labels[r] == c ? 1 : 0));
            ASSERT_NEAR(dq(r, c), target, 2e-6 * weights[r]);
          }
          const double loss = labels[r] < 0 ? 0.0 : -(x(r, labels[r]) - largest - log_total);
          ASSERT_NEAR(losses[r], loss, 1e-6 * (1 + loss));
        }
        for (const Framed* f : {&p, &logs, &q, &dp, &dl, &dq}) ASSERT_TRUE(f->frame_intact());
        cross_entropy(x, labels, losses, x);  // over its own scores
        for (int64_t r = 0; r < rows; ++r) {
          for (int64_t c = 0; c < cols; ++c) ASSERT_EQ(x(r, c), q(r, c));
        }
      }
    }
  }
}

TEST_P(SoftmaxLevels, SegmentsAreSoftmaxesDownTheirColumns) {
  const Restore restore;
  set_cpu_level(GetParam());
  const std::vector<int64_t> offsets{0, 0, 1, 4, 4, 40, 41};
  for (int64_t heads : {0, 1, 2, 5, 16, 19}) {
    for (int64_t padding : {0, 3}) {
      Framed x(41, heads, 1, 1), y(41, heads, padding), g(41, heads, 2), dx(41, heads, 4);
      randomize(x, 1, 3.0);
      randomize(g, 2);
      segment_softmax(offsets, x, y);
      segment_softmax_backward(offsets, y, g, dx);
      for (size_t s = 0; s + 1 < offsets.size(); ++s) {
        for (int64_t c = 0; c < heads && offsets[s] < offsets[s + 1]; ++c) {
          std::vector<double> scores;
          for (int64_t r = offsets[s]; r < offsets[s + 1]; ++r) scores.push_back(x(r, c));
          const std::vector<double> want = plain_softmax(scores);
          double inner = 0;
          for (int64_t r = offsets[s]; r < offsets[s + 1]; ++r) inner += want[r - offsets[s]] * g(r, c);
          for (int64_t r = offsets[s]; r < offsets[s + 1]; ++r) {
            const double w = want[r - offsets[s]];
            ASSERT_NEAR(y(r, c), w, 3e-6 * w);
            ASSERT_NEAR(dx(r, c), w * (g(r, c) - inner), 3e-6);
          }
        }
      }
      ASSERT_TRUE(y.frame_intact() && dx.frame_intact());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SoftmaxLevels, testing::ValuesIn(available_levels()),
                         [](const auto& param) { return std::string(name(param.param)); });

}  // namespace
}  // namespace graphveil::kernels::softmax_test
