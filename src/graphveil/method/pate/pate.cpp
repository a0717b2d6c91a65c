#include "graphveil/method/pate/pate.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"
#include "graphveil/bound/votes.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/mechanism/strength.h"

namespace graphveil::method {
namespace {

constexpr const char* kPateVotes = "votes";
constexpr int64_t kTeacherBlock = 16;      // teachers between two signs of progress
constexpr double kEnoughRecords = 10;      // of a class, for a teacher that is mostly right
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
  options.choice("targets", targets_, {{"histogram", VoteTargets::Histogram}, {"argmax", VoteTargets::Argmax}},
                 "What the student learns: the noisy shares of votes, or the class that has most");
  embedding_.declare(options);
  teacher_.declare(options);
  distill_.declare(options);
}

OptionValues Pate::quick(const QuickSize& size) const {
  return sized({{"queries", size.queries},
                {"teacher-epochs", size.epochs},
                {"teacher-hidden-dim", size.width},
                {"epochs", size.epochs},
                {"hidden-dim", size.width}});
}

NetworkSize Pate::network() const {
  return {std::max(teacher_.network.hidden_dim, distill_.architecture.hidden_dim),
          teacher_.network.layers + distill_.architecture.layers};
}

void Pate::use_paper_settings() {
  *this = Pate(kind_);
  teachers_ = kind_ == TeacherKind::Sage ? 20 : 50;
  queries_ = 1000;
  noise_ = VoteNoise::Gaussian;
  targets_ = VoteTargets::Argmax;
  distill_.use_paper_settings();
}

Plan Pate::plan(double noise, const Setting& setting) const {
  const int64_t queries = query_count(queries_, setting);
  const VoteNoise kind = noise_ ? *noise_
                                : best_vote_noise(queries, setting.facts.classes, teachers_.value_or(kTypicalTeachers),
                                                  setting.epsilon, setting.delta);
  return {vote_line(kind, noise, kPateVotes, queries, setting.facts.classes, teacher_reads(teacher_.kind))};
}

int64_t Pate::teacher_count(const mechanism::PlanLine& votes, int64_t records) const {
  const double stddev = vote_noise_stddev(votes);
  return teachers_.value_or(stddev > 0 ? teachers_for(stddev, records) : kTypicalTeachers);
}

// Teachers with few records of a class disagree about it: that much less is their lead.
std::vector<std::string> Pate::drowned(const Plan& plan, const Setting& setting) const {
  const mechanism::PlanLine& line = plan.line(kPateVotes);
  const auto records = static_cast<double>(setting.facts.train_nodes);
  const auto classes = static_cast<double>(setting.facts.classes);
  const auto teachers = static_cast<double>(teacher_count(line, setting.facts.train_nodes));
  const double agree = std::min(1.0, records / teachers / (kEnoughRecords * classes));
  std::vector<std::string> out;
  add_drowned(out, line,
              fmt::format("the lead of a class in the votes of {:.0f} teachers with {:.3g} records each", teachers,
                          records / teachers),
              agree * mechanism::vote_strength(line, teachers, classes));
  return out;
}

Output Pate::run(const Task& task, Release& release) const {
  const PublicGraph& graph = required_public(task);
  const PublicEmbedding embedding(graph.data, embedding_, task.seed);
  const auto pool = static_cast<int64_t>(graph.split.train.size());
  const std::vector<int32_t> queries = chosen_queries(graph.split.train, queries_.value_or(pool), task.seed);

  const int64_t count = teacher_count(release.line(kPateVotes), static_cast<int64_t>(task.split.train.size()));
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
  for (int64_t begin = 0; begin < count; begin += kTeacherBlock) {
    const int64_t size = std::min(kTeacherBlock, count - begin);
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
  return distill(released_votes(votes, queries, targets_, kPateVotes, task, release), graph, embedding,
                 task.data.classes, distill_, task.seed);
}

Predictions Pate::infer(const nn::State& model, const Task& task, Release&) const {
  return Holder<Matrix>(ask_student(model, task.data, distill_, task.seed));
}

}  // namespace graphveil::method
