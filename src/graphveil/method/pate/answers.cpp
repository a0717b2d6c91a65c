#include "graphveil/method/pate/answers.h"

#include <algorithm>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/kernels/conjugate_gradients.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/method/pate/vote_noise.h"

namespace graphveil::method {
namespace {

bound::Votes votes_on_one(const bound::Votes& votes, size_t query) {
  bound::Votes out;
  for (const std::vector<int32_t>& of_teacher : votes) out.push_back({of_teacher[query]});
  return out;
}

}  // namespace

Answers released_votes(const bound::Votes& votes, std::vector<int32_t> queries, VoteTargets targets, const char* label,
                       const Task& task, Release& release) {
  const mechanism::PlanLine& line = release.line(label);
  const int32_t classes = task.data.classes;
  if (line.norm() == bound::Norm::Hamming) {
    std::vector<int32_t> labels;
    for (bound::Bounded<int32_t>& winner : bound::vote_winners(votes, classes, task.relation)) {
      labels.push_back(release.label(label, std::move(winner)).value());
    }
    return {std::move(queries), centered_onehot(labels, classes)};
  }
  Matrix counts;
  if (line.norm() == bound::Norm::L1) {
    counts = Matrix(std::ssize(queries), classes);
    for (int64_t q = 0; q < counts.rows(); ++q) {
      const auto noisy = release.discrete_laplace(
          label, bound::vote_counts(votes_on_one(votes, static_cast<size_t>(q)), classes, task.relation));
      std::ranges::copy(noisy.value().values(), counts.row(q).begin());
    }
  } else {
    counts = release.gaussian(label, bound::vote_counts(votes, classes, task.relation, release.grid(label))).value();
  }
  return answers_from_counts(std::move(counts), vote_noise_stddev(line), static_cast<double>(votes.size()),
                             std::move(queries), targets);
}

Answers answers_from_counts(Matrix counts, double noise_stddev, double total, std::vector<int32_t> queries,
                            VoteTargets targets) {
  const auto classes = static_cast<int32_t>(counts.cols());
  if (targets == VoteTargets::Argmax) {
    std::vector<int32_t> best(queries.size());
    kernels::row_argmax(counts, best);
    return {std::move(queries), centered_onehot(best, classes)};
  }
  for (int64_t q = 0; q < counts.rows(); ++q) {
    Real mean = 0;
    for (const Real x : counts.row(q)) mean += x / static_cast<Real>(classes);
    for (Real& x : counts.row(q)) x = (x - mean) / static_cast<Real>(total);
  }
  return {std::move(queries), std::move(counts), noise_stddev / total};
}

Matrix ridge_head(const Answers& answers, const Matrix& nodes, double ridge) {
  Matrix rows = Matrix::uninitialized(static_cast<int64_t>(answers.queries.size()), nodes.cols());
  kernels::gather_rows(nodes, answers.queries, rows);
  kernels::LinearMap map{rows.rows(), rows.cols(), {}, {}};
  map.apply = [&](ConstMatrixView x, MatrixView out) { kernels::matmul(rows, x, out); };
  map.apply_transposed = [&](ConstMatrixView x, MatrixView out) {
    kernels::gemm(kernels::Transpose::Yes, kernels::Transpose::No, 1, rows, x, 0, out);
  };
  return kernels::ridge_regression(map, answers.targets, {.ridge = ridge});
}

int64_t query_count(const std::optional<int64_t>& asked, const Setting& setting) {
  const int64_t pool = setting.facts.public_pool;
  require(pool >= 1, "the public graph has {} nodes that may be given labels, want some", pool);
  require(!asked || *asked <= pool, "--queries is {}, but the public pool has {} nodes", asked.value_or(0), pool);
  return asked.value_or(pool);
}

std::vector<int32_t> chosen_queries(const std::vector<int32_t>& pool, int64_t count, const Seed& seed) {
  require(count >= 1 && count <= static_cast<int64_t>(pool.size()), "{} queries, but the public pool has {} nodes",
          count, pool.size());
  std::vector<int32_t> queries = pool;
  if (count < static_cast<int64_t>(pool.size())) {
    RandomStream(seed, "queries").shuffle(std::span<int32_t>(queries));
    queries.resize(static_cast<size_t>(count));
    std::sort(queries.begin(), queries.end());
  }
  return queries;
}

Matrix centered_onehot(const std::vector<int32_t>& labels, int32_t classes) {
  Matrix out(static_cast<int64_t>(labels.size()), classes);
  for (Real& x : out.values()) x = -1 / static_cast<Real>(classes);
  for (size_t i = 0; i < labels.size(); ++i) out(static_cast<int64_t>(i), labels[i]) += 1;
  return out;
}

}  // namespace graphveil::method
