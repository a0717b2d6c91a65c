#include "graphveil/method/privgnn/references.h"

#include <gtest/gtest.h>

#include "tests/method/privgnn/public_task.h"

namespace graphveil::method::references_test {
namespace {

double accuracy_of(const Reference& method) {
  graph::Dataset shown = graph::without_labels(parts().public_data);
  if (method.reads_public_labels()) {
    std::vector<int32_t> labels(static_cast<size_t>(shown.nodes()), graph::kUnlabeled);
    for (const int32_t v : parts().public_split.train) labels[v] = parts().public_data.labels[v];
    shown.labels = SharedArray<int32_t>(std::move(labels));
  }
  mechanism::Release release = mechanism::Release::clear(bound::Relation::Edge, {});
  const Output out = method.run(task_on(parts().private_data, shown), release);
  return test_accuracy(values(out.predictions));
}

TEST(Reference, LearnsWithoutPromises) {
  for (const auto kind : {Reference::Kind::B1, Reference::Kind::B2, Reference::Kind::B3}) {
    const Reference method = with(Reference(kind), {{"epochs", "60"}, {"hidden-dim", "16"}});
    EXPECT_TRUE(method.relations().empty());
    EXPECT_GT(accuracy_of(method), 0.55) << method.describe().name;
  }
}

TEST(Reference, NoisyTrueLabelsTeachLess) {
  const double clean = accuracy_of(with(Reference(Reference::Kind::B4), {{"log-odds", "20"}}));
  const double noisy = accuracy_of(with(Reference(Reference::Kind::B4), {{"log-odds", "0"}}));
  EXPECT_GT(clean, 0.55);
  EXPECT_GT(clean, noisy + 0.2);
}

// The paper's: Laplace noise on rows of 0 and 1, of some queries alone, learned as they are.
TEST(Reference, LaplaceNoiseOnTrueLabelsAsInThePaper) {
  Reference method(Reference::Kind::B4);
  EXPECT_NE(method.variant(), "");
  method.use_paper_settings();
  EXPECT_EQ(method.variant(), "");
  const auto accuracy = [&](const char* inverse_scale, const char* queries) {
    return accuracy_of(
        with(method, {{"inverse-scale", inverse_scale}, {"queries", queries}, {"epochs", "60"}, {"hidden-dim", "16"}}));
  };
  const double clean = accuracy("100", "300"), noisy = accuracy("0.01", "300"), few = accuracy("100", "3");
  EXPECT_GT(clean, 0.55);
  EXPECT_GT(clean, noisy + 0.15);
  EXPECT_GT(clean, few + 0.05);
}

// Sparse features stay sparse, and what is learned from them is what is learned from the same numbers stored densely.
TEST(Reference, BothGraphsTogetherStaySparse) {
  const auto sparse = [](const graph::Dataset& data) {
    std::vector<int64_t> offsets{0};
    std::vector<int32_t> indices;
    std::vector<Real> values;
    const Matrix rows = dense_features(data);
    for (int64_t v = 0; v < rows.rows(); ++v) {
      for (int32_t c = 0; c < rows.cols(); ++c) {
        if (rows(v, c) <= 0) continue;  // some of the numbers are left out, so that there is something sparse
        indices.push_back(c);
        values.push_back(rows(v, c));
      }
      offsets.push_back(std::ssize(indices));
    }
    graph::Dataset out = data;
    out.features = SparseMatrix{rows.rows(), rows.cols(), std::move(offsets), std::move(indices), std::move(values)};
    return out;
  };
  const Reference method =
      with(Reference(Reference::Kind::B3), {{"epochs", "3"}, {"hidden-dim", "8"}, {"dropout", "0"}});
  const auto run_on = [&](const graph::Dataset& hidden, const graph::Dataset& shown) {
    mechanism::Release release = mechanism::Release::clear(bound::Relation::Edge, {});
    return method.run(task_on(hidden, shown), release);
  };
  const graph::Dataset hidden = sparse(parts().private_data), shown = sparse(parts().public_data);
  const Output a = run_on(hidden, shown), b = run_on(dense(hidden), dense(shown));
  const Matrix &p = values(a.predictions), &q = values(b.predictions);
  for (int64_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p.data()[i], q.data()[i], 1e-3);
}

}  // namespace
}  // namespace graphveil::method::references_test
