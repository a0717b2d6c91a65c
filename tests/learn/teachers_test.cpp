#include "graphveil/learn/teachers.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/resources.h"
#include "graphveil/graph/public_private.h"
#include "tests/method/privgnn/public_task.h"
#include "tests/method/vouched.h"

namespace graphveil::learn::teachers_test {
namespace {

using method::dense;
using method::parts;
using method::same;
using method::without;

const PublicEmbedding& embedding() {
  static const PublicEmbedding e(method::vouched(graph::without_labels(parts().public_data)), {.dim = 16},
                                 Seed::from_number(1));
  return e;
}

TeacherOptions small(TeacherKind kind) {
  TeacherOptions options{.kind = kind, .epochs = 10};
  options.network.hidden_dim = 8;
  return options;
}

Matrix asked(const graph::Dataset& data, const TeacherOptions& options, std::span<const int32_t> records) {
  static const graph::Dataset unlabeled = graph::without_labels(parts().public_data);
  const std::vector<int32_t> queries{3, 40, 77};
  return Teachers(data, method::vouched(unlabeled), embedding(), options)
      .posteriors(records, queries, Seed::from_number(5));
}

constexpr TeacherKind kKinds[] = {TeacherKind::Ridge, TeacherKind::Sage, TeacherKind::Mlp};

TEST(Teachers, SayProbabilities) {
  std::vector<int32_t> records;
  for (int32_t u = 0; u < 200; u += 2) records.push_back(u);
  for (const TeacherKind kind : kKinds) {
    const Matrix said = asked(parts().private_data, small(kind), records);
    ASSERT_EQ(said.rows(), 3);
    for (int64_t q = 0; q < said.rows(); ++q) {
      double sum = 0;
      for (const Real p : said.row(q)) {
        EXPECT_GE(p, 0);
        sum += p;
      }
      EXPECT_NEAR(sum, 1, 1e-5);
    }
  }
}

// The ridge teacher, solved the slow way: normal equations by Gauss elimination
// in double.
TEST(Teachers, RidgeIsRidgeRegression) {
  const graph::Dataset& data = parts().private_data;
  const int64_t d = 16, classes = data.classes;
  const Matrix rows = embedding().records()(data.features);
  for (const int64_t count : {int64_t{6}, int64_t{90}}) {  // fewer and more than dimensions
    std::vector<int32_t> records;
    for (int32_t u = 0; u < count; ++u) records.push_back(u);
    std::vector<std::vector<double>> a(d, std::vector<double>(d + classes, 0));
    for (int64_t i = 0; i < d; ++i) a[i][i] = 0.3;
    for (const int32_t u : records) {
      for (int64_t i = 0; i < d; ++i) {
        for (int64_t j = 0; j < d; ++j) a[i][j] += static_cast<double>(rows(u, i)) * rows(u, j);
        for (int64_t c = 0; c < classes; ++c) {
          a[i][d + c] += rows(u, i) * ((c == data.labels[u] ? 1.0 : 0.0) - 1.0 / static_cast<double>(classes));
        }
      }
    }
    for (int64_t i = 0; i < d; ++i) {
      for (int64_t r = 0; r < d; ++r) {
        if (r == i) continue;
        const double factor = a[r][i] / a[i][i];
        for (int64_t j = 0; j < d + classes; ++j) a[r][j] -= factor * a[i][j];
      }
    }
    const Matrix said = asked(data, small(TeacherKind::Ridge), records);
    const int32_t query = 40;
    std::vector<double> p(static_cast<size_t>(classes));
    double sum = 0;
    for (int64_t c = 0; c < classes; ++c) {
      double score = 1.0 / static_cast<double>(classes);
      for (int64_t i = 0; i < d; ++i) score += embedding().nodes()(query, i) * a[i][d + c] / a[i][i];
      p[c] = std::max(score, 0.0);
      sum += p[c];
    }
    for (int64_t c = 0; c < classes; ++c) EXPECT_NEAR(said(1, c), p[c] / sum, 1e-4);
  }
}

TEST(Teachers, ReadTheirRecordsAndNothingElse) {
  const graph::Dataset present = dense(parts().private_data);
  std::vector<int32_t> records;
  for (int32_t u = 1; u < 300; u += 3) records.push_back(u);
  for (const TeacherKind kind : kKinds) {
    const Matrix before = asked(present, small(kind), records);
    // 0 is not among them, 4 is; blank, it is as if it were not.
    EXPECT_TRUE(same(before, asked(without(present, 0), small(kind), records)));
    std::vector<int32_t> less = records;
    std::erase(less, 4);
    EXPECT_TRUE(same(asked(present, small(kind), less), asked(without(present, 4), small(kind), records)));
    EXPECT_FALSE(same(before, asked(present, small(kind), less)));
  }
}

TEST(Teachers, KnowWhatOneRecordOrNoneKnows) {
  for (const TeacherKind kind : kKinds) {
    const std::vector<int32_t> one{7};
    const Matrix said = asked(parts().private_data, small(kind), one);
    for (int64_t q = 0; q < said.rows(); ++q) EXPECT_EQ(said(q, parts().private_data.labels[7]), 1);
    const Matrix guess = asked(parts().private_data, small(kind), {});
    for (int64_t q = 0; q < guess.rows(); ++q) {
      double sum = 0;
      for (const Real p : guess.row(q)) sum += p;
      EXPECT_EQ(sum, 1);
    }
  }
}

// Numbers that overflow are answered, not reported.
TEST(Teachers, AnswerWhateverARecordHolds) {
  graph::Dataset data = dense(parts().private_data);
  Matrix features = method::dense_features(data);
  for (Real& x : features.row(5)) x = std::numeric_limits<Real>::max();
  data.features = graph::Features(std::move(features));
  std::vector<int32_t> records{1, 5, 9, 12};
  for (const TeacherKind kind : kKinds) {
    // A matrix with a name: what values() points to lives no longer than it does.
    const Matrix said = asked(data, small(kind), records);
    for (const Real p : said.values()) EXPECT_TRUE(std::isfinite(p));
  }
}

// What a query reads grows no further than the graph: hop by hop each node once, not each path.
TEST(Teachers, ManyLayersReadEachNodeOnce) {
  TeacherOptions options = small(TeacherKind::Sage);
  options.network.layers = 32;
  options.network.hidden_dim = 2;
  options.epochs = 1;
  const int64_t before = peak_memory_bytes();
  const std::vector<int32_t> records{1, 2, 3};
  const Matrix said = asked(parts().private_data, options, records);
  for (const Real p : said.values()) EXPECT_TRUE(std::isfinite(p));
  EXPECT_LT(peak_memory_bytes() - before, int64_t{100} << 20);
}

}  // namespace
}  // namespace graphveil::learn::teachers_test
