#include "graphveil/method/privgnn/pate.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"
#include "graphveil/bound/votes.h"
#include "graphveil/kernels/rows.h"

namespace graphveil::method {
namespace {

constexpr const char* kVotes = "votes";
constexpr int64_t kBlock = 16;  // teachers between two signs of progress

// More teachers outvote more noise, and know less each. Public numbers alone; measured on Amazon Computers.
int64_t teachers_for(double noise_stddev, int64_t records) {
  const auto wanted = static_cast<int64_t>(7.3 * std::pow(noise_stddev, 0.6));
  return std::clamp<int64_t>(wanted, 1, std::max<int64_t>(records / 10, 1));
}

}  // namespace

Pate::Pate(TeacherKind kind) : kind_(kind) { teacher_.kind = kind; }

Description Pate::describe() const {
  const bool edges = kind_ == TeacherKind::Sage;
  return {
      edges ? "pate-g" : "pate-m", "node",
      fmt::format("Noisy votes of disjoint {} teachers label public nodes for a student", edges ? "GraphSAGE" : "MLP"),
      "Papernot et al. 2018; baseline of PrivGNN"};
}

void Pate::declare(Options& options) {
  options.integer_or("teachers", teachers_, "auto", 1, 1000000,
                     "Teachers among whom the records are split, by a hash of their ids; auto: more for more noise");
  options.integer_or("queries", queries_, "pool", 1, INT32_MAX, "Public nodes that teachers vote on: |Q|");
  options.choice("targets", targets_, {{"histogram", Targets::Histogram}, {"argmax", Targets::Argmax}},
                 "What the student learns: the noisy shares of votes, or the class that has most");
  embedding_.declare(options);
  teacher_.declare(options);
  distill_.declare(options);
}

void Pate::use_paper_settings() {
  *this = Pate(kind_);
  teachers_ = kind_ == TeacherKind::Sage ? 20 : 50;
  queries_ = 1000;
  targets_ = Targets::Argmax;
  distill_.use_paper_settings();
}

Plan Pate::plan(double noise, const Setting& setting) const {
  const int64_t pool = setting.facts.public_pool;
  require(pool >= 1, "the public graph has {} nodes that may be given labels, want some", pool);
  require(!queries_ || *queries_ <= pool, "--queries is {}, but the public pool has {} nodes", queries_.value_or(0),
          pool);
  return {{account::Event(kVotes, account::Gaussian{noise}), bound::vote_counts_sensitivity(queries_.value_or(pool)),
           bound::Norm::L2, teacher_.kind == TeacherKind::Sage ? Reads::ManyHops : Reads::OwnRecords}};
}

Output Pate::run(const Task& task, Release& release) const {
  const PublicGraph& graph = required_public(task);
  const PublicEmbedding embedding(graph.data, embedding_, task.seed);
  const auto pool = static_cast<int64_t>(graph.split.train.size());
  Answers answers{chosen_queries(graph.split.train, queries_.value_or(pool), task.seed), {}};

  const int64_t count = teachers_.value_or(
      teachers_for(mechanism::noise_scale(release.line(kVotes)), static_cast<int64_t>(task.split.train.size())));
  // Disjoint parts; a record without a label is in none.
  std::vector<std::vector<int32_t>> parts(static_cast<size_t>(count));
  for (const int32_t u : task.split.train) {
    if (task.data.labels[u] != graph::kUnlabeled) {
      parts[static_cast<size_t>(bound::teacher_of(u, count))].push_back(u);
    }
  }
  const Teachers teachers(task.data, graph.data, embedding, teacher_);
  std::vector<std::vector<int32_t>> votes(parts.size(), std::vector<int32_t>(answers.queries.size(), bound::kNoVote));
  Progress progress("teachers", count);
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t size = std::min(kBlock, count - begin);
    parallel_for(size, 1, [&](int64_t from, int64_t to) {
      for (int64_t t = begin + from; t < begin + to; ++t) {
        if (parts[static_cast<size_t>(t)].empty()) continue;  // nobody to vote
        const Seed seed = task.seed.derived(fmt::format("teacher {}", t));
        kernels::row_argmax(teachers.posteriors(parts[static_cast<size_t>(t)], answers.queries, seed),
                            votes[static_cast<size_t>(t)]);
      }
    });
    progress.advance(size);
  }
  bound::Bounded<bound::GridMatrix> cast =
      bound::vote_counts(votes, task.data.classes, task.relation, release.grid(kVotes));
  Matrix counts = release.gaussian(kVotes, std::move(cast)).value();

  // From here on: post-processing of the noisy votes, on public data.
  if (targets_ == Targets::Argmax) {
    std::vector<int32_t> best(answers.queries.size());
    kernels::row_argmax(counts, best);
    answers.targets = centered_onehot(best, task.data.classes);
  } else {
    for (int64_t q = 0; q < counts.rows(); ++q) {
      Real mean = 0;
      for (const Real x : counts.row(q)) mean += x / static_cast<Real>(counts.cols());
      for (Real& x : counts.row(q)) x = (x - mean) / static_cast<Real>(count);
    }
    answers.targets = std::move(counts);
    answers.noise_stddev = mechanism::noise_scale(release.line(kVotes)) / static_cast<double>(count);
  }
  return distill(answers, graph, embedding, task.data.classes, distill_, task.seed);
}

Predictions Pate::infer(const nn::State& model, const Task& task, Release&) const {
  return Holder<Matrix>(ask_student(model, task.data, distill_, task.seed));
}

}  // namespace graphveil::method
