#include "graphveil/method/privgnn/pate.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"
#include "graphveil/kernels/rows.h"

namespace graphveil::method {
namespace {

constexpr const char* kVotes = "votes";
constexpr int64_t kBlock = 16;             // teachers between two signs of progress
constexpr int64_t kTypicalTeachers = 100;  // where the noise does not say how many

// More teachers outvote more noise, and know less each. Public numbers alone; measured on Amazon Computers.
int64_t teachers_for(double stddev, int64_t records) {
  const auto wanted = static_cast<int64_t>(7.3 * std::pow(stddev, 0.6));
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
  options.choice<std::optional<VoteNoise>>("noise", noise_,
                                           {{"auto", std::nullopt},
                                            {"gaussian", VoteNoise::Gaussian},
                                            {"discrete-laplace", VoteNoise::DiscreteLaplace},
                                            {"rr", VoteNoise::RandomizedResponse}},
                                           "On the counts of votes, or (rr) on the class with most; auto: the best at "
                                           "this epsilon and number of queries");
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
  noise_ = VoteNoise::Gaussian;
  targets_ = Targets::Argmax;
  distill_.use_paper_settings();
}

VoteNoise Pate::noise_for(const Setting& setting) const {
  if (noise_) return *noise_;
  // A calibration asks for many plans of one setting: it is chosen once.
  const std::tuple asked(query_count(queries_, setting), static_cast<int64_t>(setting.facts.classes),
                         teachers_.value_or(kTypicalTeachers), setting.epsilon, setting.delta);
  thread_local std::optional<std::pair<std::tuple<int64_t, int64_t, int64_t, double, double>, VoteNoise>> last;
  if (!last || last->first != asked) last.emplace(asked, std::apply(best_vote_noise, asked));
  return last->second;
}

Plan Pate::plan(double noise, const Setting& setting) const {
  return {vote_line(noise_for(setting), noise, kVotes, query_count(queries_, setting), setting.facts.classes,
                    teacher_.kind == TeacherKind::Sage ? Reads::ManyHops : Reads::OwnRecords)};
}

Output Pate::run(const Task& task, Release& release) const {
  const PublicGraph& graph = required_public(task);
  const PublicEmbedding embedding(graph.data, embedding_, task.seed);
  const auto pool = static_cast<int64_t>(graph.split.train.size());
  const std::vector<int32_t> queries = chosen_queries(graph.split.train, queries_.value_or(pool), task.seed);

  const double stddev = vote_noise_stddev(release.line(kVotes));
  const int64_t count = teachers_.value_or(
      stddev > 0 ? teachers_for(stddev, static_cast<int64_t>(task.split.train.size())) : kTypicalTeachers);
  // Disjoint parts; a record without a label is in none.
  std::vector<std::vector<int32_t>> parts(static_cast<size_t>(count));
  for (const int32_t u : task.split.train) {
    if (task.data.labels[u] != graph::kUnlabeled) {
      parts[static_cast<size_t>(bound::teacher_of(u, count))].push_back(u);
    }
  }
  const Teachers teachers(task.data, graph.data, embedding, teacher_);
  bound::Votes votes(parts.size(), std::vector<int32_t>(queries.size(), bound::kNoVote));
  Progress progress("teachers", count);
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t size = std::min(kBlock, count - begin);
    parallel_for(size, 1, [&](int64_t from, int64_t to) {
      for (int64_t t = begin + from; t < begin + to; ++t) {
        const std::vector<int32_t>& records = parts[static_cast<size_t>(t)];
        if (records.empty()) continue;  // nobody to vote
        const Seed seed = task.seed.derived(fmt::format("teacher {}", t));
        kernels::row_argmax(teachers.posteriors(records, queries, seed), votes[static_cast<size_t>(t)]);
      }
    });
    progress.advance(size);
  }
  // From the released answers on: post-processing, on public data.
  return distill(released(votes, queries, task, release), graph, embedding, task.data.classes, distill_, task.seed);
}

Answers Pate::released(const bound::Votes& votes, std::vector<int32_t> queries, const Task& task,
                       Release& release) const {
  const mechanism::PlanLine& line = release.line(kVotes);
  const int32_t classes = task.data.classes;
  if (line.norm == bound::Norm::Hamming) {
    std::vector<int32_t> labels;
    for (bound::Bounded<int32_t>& winner : bound::vote_winners(votes, classes, task.relation)) {
      labels.push_back(release.label(kVotes, std::move(winner)).value());
    }
    return {std::move(queries), centered_onehot(labels, classes)};
  }
  Matrix counts;
  if (line.norm == bound::Norm::L1) {
    const auto noisy = release.discrete_laplace(kVotes, bound::vote_counts(votes, classes, task.relation));
    counts = Matrix(noisy.value().rows(), classes);
    std::ranges::copy(noisy.value().values(), counts.values().begin());
  } else {
    counts = release.gaussian(kVotes, bound::vote_counts(votes, classes, task.relation, release.grid(kVotes))).value();
  }
  if (targets_ == Targets::Argmax) {
    std::vector<int32_t> best(queries.size());
    kernels::row_argmax(counts, best);
    return {std::move(queries), centered_onehot(best, classes)};
  }
  const auto teachers = static_cast<double>(votes.size());
  for (int64_t q = 0; q < counts.rows(); ++q) {
    Real mean = 0;
    for (const Real x : counts.row(q)) mean += x / static_cast<Real>(classes);
    for (Real& x : counts.row(q)) x = (x - mean) / static_cast<Real>(teachers);
  }
  return {std::move(queries), std::move(counts), vote_noise_stddev(line) / teachers};
}

Predictions Pate::infer(const nn::State& model, const Task& task, Release&) const {
  return Holder<Matrix>(ask_student(model, task.data, distill_, task.seed));
}

}  // namespace graphveil::method
