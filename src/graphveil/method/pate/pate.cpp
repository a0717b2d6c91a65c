#include "graphveil/method/pate/pate.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/account/published_lnmax.h"
#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"
#include "graphveil/bound/votes.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/mechanism/strength.h"
#include "graphveil/nn/stage.h"

namespace graphveil::method {
namespace {

constexpr const char* kPateVotes = "votes";
constexpr int64_t kTeacherBlock = 16;  // teachers between two signs of progress
// Of a class, for a teacher that is mostly right: a network, or a regression in the public embedding.
constexpr double kEnoughRecords = 10, kEnoughForRidge = 1;
constexpr int64_t kTypicalTeachers = 100;  // where the noise does not say how many

// More teachers outvote more noise, and know less each. Public numbers alone; measured on Amazon Computers.
int64_t teachers_for(double stddev, int64_t records) {
  const auto wanted = static_cast<int64_t>(7.3 * std::pow(stddev, 0.6));
  return std::clamp<int64_t>(wanted, 1, std::max<int64_t>(records / 10, 1));
}

// PATE's data-dependent epsilon of these votes (account/published_lnmax.h): for the holder's eyes.
double lnmax_data_dependent_epsilon(const bound::Votes& votes, int32_t classes, double inverse_scale, double delta) {
  std::vector<double> moments(account::kMostLnmaxMoments, 0);
  for (size_t q = 0; q < votes.front().size(); ++q) {
    std::vector<double> counts(static_cast<size_t>(classes), 0);
    for (const std::vector<int32_t>& of_teacher : votes) {
      if (of_teacher[q] != bound::kNoVote) counts[static_cast<size_t>(of_teacher[q])] += 1;
    }
    const double flip = account::lnmax_flip_probability(counts, inverse_scale);
    for (size_t i = 0; i < moments.size(); ++i) {
      moments[i] += account::lnmax_moment_data_dependent(flip, inverse_scale, static_cast<int>(i + 1));
    }
  }
  return account::epsilon_from_lnmax_moments(moments, delta);
}

// The votes of the first `done` teachers.
void keep_votes(const nn::Stage& stage, const bound::Votes& votes, int64_t done) {
  std::vector<uint8_t> bytes;
  for (int64_t t = 0; t < done; ++t) {
    const auto row = std::as_bytes(std::span(votes[static_cast<size_t>(t)]));
    const auto* begin = reinterpret_cast<const uint8_t*>(row.data());
    bytes.insert(bytes.end(), begin, begin + row.size());
  }
  stage.keep({{"done", nn::to_tensor(done)}, {"votes", nn::to_tensor(std::span<const uint8_t>(bytes))}});
}

// Back into `votes`; gives how many teachers have voted.
int64_t kept_votes(const nn::Stage& stage, bound::Votes& votes) {
  const std::optional<nn::State> kept = stage.kept();
  if (!kept) return 0;
  const int64_t done = nn::read_number(*kept, "done");
  const std::vector<uint8_t> bytes = nn::read_bytes(*kept, "votes");
  const size_t row = votes.empty() ? 0 : votes[0].size() * sizeof(int32_t);
  if (done < 0 || done > std::ssize(votes) || bytes.size() != static_cast<size_t>(done) * row) {
    fail(ErrorKind::BadInput, "the checkpoint of the teachers is of other teachers");
  }
  for (size_t t = 0; t < static_cast<size_t>(done); ++t) {
    if (row > 0) std::memcpy(votes[t].data(), bytes.data() + t * row, row);
  }
  return done;
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
  options.real_or("inverse-scale", inverse_scale_, "auto", 1e-6, 100,
                  "The paper's lambda, for --accounting published: noise of scale 1/lambda in place of --epsilon");
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
  teachers_ = 20;
  queries_ = 1000;
  noise_ = VoteNoise::DiscreteLaplace;
  targets_ = VoteTargets::Argmax;
  // "Three fully connected layers and ReLU activation layers."
  if (kind_ == TeacherKind::Mlp) teacher_.network = {.layers = 3, .dropout = 0, .norm = false};
  distill_.use_paper_settings();
}

std::string Pate::variant() const {
  std::vector<std::string> parts;
  if (teacher_.kind == TeacherKind::Ridge) {
    parts.push_back(
        fmt::format("ridge-regression teachers in place of {} ones", kind_ == TeacherKind::Sage ? "GraphSAGE" : "MLP"));
  } else if (teacher_.kind != kind_) {
    parts.emplace_back(kind_ == TeacherKind::Sage ? "MLP teachers in place of GraphSAGE ones"
                                                  : "GraphSAGE teachers in place of MLP ones");
  }
  if (noise_ != VoteNoise::DiscreteLaplace) {
    parts.emplace_back(!noise_ ? "the noise that serves best in place of Laplace noise on votes"
                       : *noise_ == VoteNoise::Gaussian ? "Gaussian noise on votes in place of Laplace noise"
                                                        : "randomized response in place of Laplace noise on votes");
  }
  if (targets_ == VoteTargets::Histogram) parts.emplace_back("shares of votes teach, not the class with most");
  if (distill_.student == StudentKind::Denoise) parts.emplace_back(kDenoisingStudent);
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::optional<Published> Pate::published(double epsilon, double delta, const Setting& setting) const {
  if (noise_ != VoteNoise::DiscreteLaplace) return std::nullopt;
  const int64_t queries = query_count(queries_, setting);
  const double lambda =
      inverse_scale_ ? *inverse_scale_ : account::published_lnmax_inverse_scale(queries, epsilon, delta);
  // A vote moves two counts by 1 each.
  const double noise = 1 / (2 * lambda);
  Published out{.noise = noise,
                .reasons = {},
                .plan = Plan{vote_line(VoteNoise::DiscreteLaplace, noise, kPateVotes, queries, setting.facts.classes,
                                       teacher_reads(teacher_.kind))},
                .epsilon = account::published_lnmax_epsilon(queries, lambda, delta)};
  out.reasons.emplace_back(
      "the epsilon of the paper's tables is computed from the private votes where teachers agree, and so tells about "
      "them");
  return out;
}

Plan Pate::plan(double noise, const Setting& setting) const {
  require(!inverse_scale_, "--inverse-scale is the paper's noise, for --accounting published; use --noise-multiplier");
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
  const double enough = teacher_.kind == TeacherKind::Ridge ? kEnoughForRidge : kEnoughRecords;
  const double agree = std::min(1.0, records / teachers / (enough * classes));
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

  const mechanism::PlanLine& line = release.line(kPateVotes);
  const int64_t count = teacher_count(line, static_cast<int64_t>(task.split.train.size()));
  // Disjoint parts; a record without a label is in none.
  std::vector<std::vector<int32_t>> parts(static_cast<size_t>(count));
  for (const int32_t u : task.split.train) {
    if (task.data.labels[u] != graph::kUnlabeled) {
      parts[static_cast<size_t>(bound::teacher_of(u, count))].push_back(u);
    }
  }
  const Teachers teachers(task.data, graph.data, embedding, teacher_);
  bound::Votes votes(parts.size(), std::vector<int32_t>(queries.size(), bound::kNoVote));
  // Votes that an earlier process of the run has counted are taken as they were.
  const nn::Stage stage("teachers");
  const int64_t done = kept_votes(stage, votes);
  Progress progress("teachers", count);
  progress.advance(done);
  for (int64_t begin = done; begin < count; begin += kTeacherBlock) {
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
    if (stage.due()) keep_votes(stage, votes, begin + size);
  }
  // From the released answers on: post-processing, on public data.
  Output out = distill(released_votes(votes, queries, targets_, kPateVotes, task, release), graph, embedding,
                       task.data.classes, distill_, task.seed);
  if (line.norm() == bound::Norm::L1 && vote_noise_stddev(line) > 0 && release.cap().delta > 0) {
    out.diagnostics = Holder<std::map<std::string, double>>(
        {{"data-dependent epsilon of the votes",
          lnmax_data_dependent_epsilon(votes, task.data.classes, 1 / mechanism::noise_scale(line),
                                       release.cap().delta)}});
  }
  return out;
}

Predictions Pate::infer(const nn::State& model, const Task& task, Release&) const {
  return Holder<Matrix>(ask_student(model, task.data, distill_, task.seed));
}

}  // namespace graphveil::method
