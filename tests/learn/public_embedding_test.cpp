#include "graphveil/learn/public_embedding.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "graphveil/base/parallel.h"
#include "graphveil/graph/public_private.h"
#include "graphveil/kernels/gram.h"
#include "graphveil/kernels/symmetric_eigen.h"
#include "tests/method/tiny_task.h"
#include "tests/method/vouched.h"
#include "tests/threads.h"

namespace graphveil::learn::public_embedding_test {
namespace {

using namespace method;  // the tiny graph and its networks

using Table = std::vector<std::vector<double>>;

Table normalized_features(const graph::Dataset& data) {
  Table x(static_cast<size_t>(data.nodes()), std::vector<double>(static_cast<size_t>(data.features.cols()), 0.0));
  for (int64_t v = 0; v < data.nodes(); ++v) {
    double norm = 0;
    if (data.features.is_sparse()) {
      const SparseMatrix& s = data.features.sparse();
      for (int64_t e = s.offsets[v]; e < s.offsets[v + 1]; ++e) {
        x[v][s.indices[e]] = s.values.size() > 0 ? s.values[e] : 1;
      }
    } else {
      for (int64_t c = 0; c < data.features.cols(); ++c) x[v][c] = data.features.dense()(v, c);
    }
    for (double value : x[v]) norm += value * value;
    for (double& value : x[v]) value /= norm > 0 ? std::sqrt(norm) : 1;
  }
  return x;
}

Table smoothed(const graph::Graph& graph, const Table& x) {
  Table out(x.size(), std::vector<double>(x[0].size(), 0.0));
  const auto degree = [&](int64_t v) { return static_cast<double>(graph.in_degree(v) + 1); };
  for (int64_t v = 0; v < graph.nodes(); ++v) {
    const auto add = [&](int64_t u) {
      for (size_t c = 0; c < x[0].size(); ++c) out[v][c] += x[u][c] / std::sqrt(degree(u) * degree(v));
    };
    add(v);
    for (int32_t u : graph.in(v)) add(u);
  }
  return out;
}

graph::Dataset small() { return graph::generate(graph::preset("tiny", 120), Seed::from_number(3)); }

// Inner products of rows do not depend on how the singular vectors are signed.
double inner(const Matrix& rows, int64_t i, int64_t j) {
  double sum = 0;
  for (int64_t c = 0; c < rows.cols(); ++c) sum += double{rows(i, c)} * rows(j, c);
  return sum;
}

TEST(PublicEmbedding, MatchesTheSlowDefinition) {
  const graph::Dataset data = small();
  const int64_t n = data.nodes(), f = data.features.cols(), d = 5;
  const Table x = normalized_features(data);
  const Table y = smoothed(data.graph, smoothed(data.graph, x));
  // All eigenvectors of YᵀY, the first d kept.
  std::vector<double> squares(static_cast<size_t>(f * f), 0.0), vectors(squares.size());
  for (int64_t i = 0; i < f; ++i) {
    for (int64_t j = 0; j < f; ++j) {
      for (int64_t v = 0; v < n; ++v) squares[i * f + j] += y[v][i] * y[v][j];
    }
  }
  kernels::symmetric_eigen({squares.data(), f, f}, {vectors.data(), f, f});
  Matrix z(n, d);
  for (int64_t v = 0; v < n; ++v) {
    for (int64_t k = 0; k < d; ++k) {
      for (int64_t i = 0; i < f; ++i) z(v, k) += static_cast<Real>(y[v][i] * vectors[i * f + k]);
    }
  }
  for (int64_t k = 0; k < d; ++k) {
    double mean = 0;
    for (int64_t v = 0; v < n; ++v) mean += z(v, k) / static_cast<double>(n);
    for (int64_t v = 0; v < n; ++v) z(v, k) -= static_cast<Real>(mean);
  }
  const PublicEmbedding embedding(method::vouched(data), {.dim = d}, Seed::from_number(1));
  for (int64_t i = 0; i < n; i += 7) {
    for (int64_t j = 0; j < n; j += 5) {
      const double cosine = inner(z, i, j) / std::sqrt(inner(z, i, i) * inner(z, j, j));
      EXPECT_NEAR(inner(embedding.nodes(), i, j), cosine, 2e-3);
    }
  }
}

TEST(PublicEmbedding, RowsHaveNormOneAndRecordsDoNotTouchEachOther) {
  const PublicEmbedding embedding(method::vouched(small()), {.dim = 16}, Seed::from_number(1));
  const graph::Dataset others = graph::generate(graph::preset("tiny", 60), Seed::from_number(4));
  const Matrix rows = embedding.records()(others.features);
  for (int64_t v = 0; v < rows.rows(); ++v) EXPECT_NEAR(inner(rows, v, v), 1, 1e-4);
  // A record alone has the row it has among others.
  for (int32_t v : {0, 17, 59}) {
    const Matrix alone = embedding.records()(others.features.rows_at(std::vector<int32_t>{v}));
    EXPECT_EQ(std::memcmp(alone.data(), rows.row(v).data(), static_cast<size_t>(rows.cols()) * sizeof(Real)), 0);
  }
}

TEST(PublicEmbedding, ReadsNoLabelAndRepeatsForAnyThreads) {
  const graph::Dataset data = small();
  const int before = thread_count();
  set_thread_count(1);
  const PublicEmbedding one(method::vouched(data), {.dim = 16}, Seed::from_number(1));
  set_thread_count(2);
  const PublicEmbedding two(method::vouched(graph::without_labels(data)), {.dim = 16}, Seed::from_number(1));
  set_thread_count(before);
  const Matrix a = one.records()(data.features), b = two.records()(data.features);
  EXPECT_EQ(std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(Real)), 0);
  EXPECT_EQ(std::memcmp(one.nodes().data(), two.nodes().data(), static_cast<size_t>(a.size()) * sizeof(Real)), 0);
}

TEST(PublicEmbedding, DenseFeaturesGiveTheSameAsSparse) {
  const graph::Dataset data = small();
  graph::Dataset dense = data;
  const Table x = normalized_features(data);
  Matrix values(data.nodes(), data.features.cols());
  for (int64_t v = 0; v < values.rows(); ++v) {
    for (int64_t c = 0; c < values.cols(); ++c) values(v, c) = static_cast<Real>(x[v][c]);
  }
  dense.features = graph::Features(std::move(values));
  const PublicEmbedding a(method::vouched(data), {.dim = 6}, Seed::from_number(1)),
      b(method::vouched(dense), {.dim = 6}, Seed::from_number(1));
  const Matrix p = a.records()(data.features), q = b.records()(dense.features);
  for (int64_t i = 0; i < p.rows(); i += 11) {
    for (int64_t j = 0; j < p.rows(); j += 13) {
      EXPECT_NEAR(inner(a.nodes(), i, j), inner(b.nodes(), i, j), 2e-3);
      EXPECT_NEAR(inner(p, i, j), inner(q, i, j), 1e-2);
    }
  }
}

TEST(PublicEmbedding, TheRecordMapSurvivesSaving) {
  const graph::Dataset data = small();
  const PublicEmbedding embedding(method::vouched(data), {.dim = 8}, Seed::from_number(1));
  nn::State state;
  embedding.records().save(state, "e/");
  const RecordMap back = RecordMap::loaded(state, "e/");
  const Matrix a = embedding.records()(data.features), b = back(data.features);
  EXPECT_EQ(std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(Real)), 0);
  EXPECT_THROW(RecordMap::loaded(state, "other/"), Error);
  state.erase("e/mean");
  EXPECT_THROW(RecordMap::loaded(state, "e/"), Error);
}

TEST(PublicEmbedding, RefusesRecordsOfAnotherWidth) {
  const PublicEmbedding embedding(method::vouched(small()), {.dim = 8}, Seed::from_number(1));
  EXPECT_THROW(embedding.records()(graph::Features(Matrix(2, 3))), Error);
}

}  // namespace
}  // namespace graphveil::learn::public_embedding_test
