#include "graphveil/kernels/nearest.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/support.h"
#include "tests/threads.h"

namespace graphveil::kernels::nearest_test {
namespace {

// All distances in double, all sorted.
std::vector<std::pair<double, int32_t>> plain(ConstMatrixView queries, int64_t q, ConstMatrixView points,
                                              Distance kind) {
  std::vector<std::pair<double, int32_t>> all;
  for (int64_t p = 0; p < points.rows; ++p) {
    double squares = 0, inner = 0, qq = 0, pp = 0;
    for (int64_t c = 0; c < points.cols; ++c) {
      const double a = queries(q, c), b = points(p, c);
      squares += (a - b) * (a - b);
      inner += a * b;
      qq += a * a;
      pp += b * b;
    }
    const double cosine = qq > 0 && pp > 0 ? inner / std::sqrt(qq * pp) : 0.0;
    all.emplace_back(kind == Distance::Euclidean ? std::sqrt(squares) : 1 - cosine, static_cast<int32_t>(p));
  }
  std::sort(all.begin(), all.end());
  return all;
}

void check(ConstMatrixView queries, ConstMatrixView points, int64_t k) {
  for (Distance kind : {Distance::Euclidean, Distance::Cosine}) {
    const Neighbors got = nearest(queries, points, k, kind);
    ASSERT_EQ(got.queries, queries.rows);
    ASSERT_EQ(got.count, std::min(k, points.rows));
    for (int64_t q = 0; q < queries.rows; ++q) {
      const auto want = plain(queries, q, points, kind);
      for (int64_t i = 0; i < got.count; ++i) {
        ASSERT_EQ(got.indices[q * got.count + i], want[i].second) << "query " << q << " neighbor " << i;
        const auto distance = static_cast<Real>(want[i].first);  // infinite where no float is so large
        if (std::isinf(distance)) {
          ASSERT_EQ(got.distances[q * got.count + i], distance);
        } else {
          ASSERT_NEAR(got.distances[q * got.count + i], want[i].first, 1e-6 * (1 + want[i].first));
        }
      }
    }
  }
}

TEST(Nearest, AgreesWithSortingEverything) {
  for (int64_t points : {0, 1, 5, 2500}) {
    for (int64_t cols : {1, 3, 20}) {
      Framed base(points, cols, 2, 1), queries(points < 10 ? 110 : 12, cols, 3);
      randomize(base, 1);
      randomize(queries, 2);
      for (int64_t k : {0, 1, 10, 3000}) check(queries, base, k);
    }
  }
}

// Far from the origin the scores |p|² - 2 <q, p> lose the distances among their rounding errors: the answer must not.
TEST(Nearest, IsExactFarFromTheOriginAndAmongTies) {
  Framed base(3000, 8), queries(9, 8);
  randomize(base, 1, 0.01);
  randomize(queries, 2, 0.01);
  for (int64_t c = 0; c < 8; ++c) {
    for (int64_t p = 0; p < 3000; ++p) base(p, c) += 100;
    for (int64_t q = 0; q < 9; ++q) queries(q, c) += 100;
    for (int64_t p = 1000; p < 1200; ++p) base(p, c) = base(999, c);  // 201 equal points
    queries(4, c) = base(999, c);
    base(7, c) = 0;  // a zero row
    queries(5, c) = 0;
  }
  check(queries, base, 15);
}

TEST(Nearest, FindsAsManyWhereScoresOverflow) {
  Framed base(50, 4), queries(3, 4);
  randomize(base, 1);
  randomize(queries, 2);
  for (int64_t c = 0; c < 4; ++c) {
    base(3, c) = 3e38f;
    base(4, c) = -3e38f;
    queries(1, c) = 3e38f;
  }
  for (const int64_t k : {5, 49, 50}) check(queries, base, k);
}

TEST(Nearest, SameAnswerForAnyThreadCount) {
  const Restore restore;
  Framed base(2000, 10), queries(300, 10);
  randomize(base, 1);
  randomize(queries, 2);
  set_thread_count(1);
  const Neighbors one = nearest(queries, base, 7, Distance::Euclidean);
  set_thread_count(2);
  const Neighbors two = nearest(queries, base, 7, Distance::Euclidean);
  EXPECT_EQ(one.indices, two.indices);
  EXPECT_EQ(one.distances, two.distances);
}

}  // namespace
}  // namespace graphveil::kernels::nearest_test
