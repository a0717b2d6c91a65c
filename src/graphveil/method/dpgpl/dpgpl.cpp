#include "graphveil/method/dpgpl/dpgpl.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/published_pate.h"
#include "graphveil/base/error.h"
#include "graphveil/method/dpgpl/shared_answer.h"
#include "graphveil/method/dpgpl/teacher_epsilon.h"
#include "graphveil/nn/batches.h"

namespace graphveil::method {
namespace {

constexpr const char* kChecks = "checks";
constexpr const char* kPromptVotes = "votes";
constexpr int64_t kFewestRecords = 5;  // of a teacher, on average, where nobody says how many teachers
constexpr int64_t kTypicalPrompts = 100;

// More queries teach a student better and cost each more noise: measured on prototypes, with prompts_for.
int64_t queries_for(double epsilon) { return epsilon < 1.5 ? 50 : epsilon < 6 ? 100 : 200; }

// More teachers outvote more noise, and know less each. With queries_for: 200 at epsilon 1 and 2, 100 at 4, 50 at 8.
int64_t prompts_for(double noise_stddev, int64_t records) {
  const int64_t wanted = noise_stddev >= 18 ? 200 : noise_stddev >= 12 ? 100 : 50;
  return std::clamp<int64_t>(records / kFewestRecords, 1, wanted);
}

// The votes on some of the queries.
bound::Votes votes_on(const bound::Votes& votes, const std::vector<size_t>& kept, int64_t columns) {
  bound::Votes out(votes.size(), std::vector<int32_t>(static_cast<size_t>(columns), bound::kNoVote));
  for (size_t t = 0; t < votes.size(); ++t) {
    for (size_t i = 0; i < kept.size(); ++i) out[t][i] = votes[t][kept[i]];
  }
  return out;
}

}  // namespace

DpGpl::DpGpl(Weights weights) : weights_(weights) {}

Description DpGpl::describe() const {
  constexpr const char* kPaper = "DP-GPL (graph prompts, PATE)";
  if (weighted()) {
    return {"dp-gpl-w", "node", "DP-GPL with votes weighted by the degree of a teacher's records", kPaper};
  }
  return {"dp-gpl", "node", "Noisy votes of graph prompts tuned on disjoint records teach a student on a public graph",
          kPaper};
}

void DpGpl::declare(Options& options) {
  options.integer_or(
      "teachers", teachers_, "auto", 1, 1000000,
      "Prompts among which the records are split, by a hash of their ids; auto: 50 to 200, by the noise");
  options.integer_or("queries", queries_, "auto", 1, INT32_MAX,
                     "Public nodes that they vote on; auto: 50, 100 or 200, by epsilon");
  options.integer_or("shots", shots_, "all", 1, INT32_MAX, "Records that one prompt is tuned on, at most (paper: 5)");
  declare_shots_per(options, shots_per_);
  declare_messages(options, messages_);
  if (!weighted()) {
    options.choice<std::optional<VoteNoise>>("noise", noise_,
                                             {{"auto", std::nullopt},
                                              {"gaussian", VoteNoise::Gaussian},
                                              {"discrete-laplace", VoteNoise::DiscreteLaplace},
                                              {"rr", VoteNoise::RandomizedResponse}},
                                             "On the counts of votes, or (rr) on the class with most; auto: the best "
                                             "at this epsilon and number of queries");
  }
  options.choice("targets", targets_, {{"histogram", VoteTargets::Histogram}, {"argmax", VoteTargets::Argmax}},
                 "What the regression learns: the noisy shares of votes, or the class that has most");
  options.boolean("confident", confident_,
                  "Answer only queries whose largest noisy count reaches --threshold; every check is paid for");
  options.real("threshold", threshold_, 0, 1, "Share of the teachers that must agree, of --confident");
  options.real("check-share", check_share_, 0.01, 0.99, "Share of the budget for the checks of --confident");
  options.integer_or("answers", answers_, "queries", 1, INT32_MAX, "Queries answered at most, of --confident");
  options.real_or("check-sigma", check_sigma_, "auto", 1e-3, 1e9,
                  "The paper's sigma 1, for --accounting published: noise on the checks");
  options.real_or("vote-sigma", sigma_, "auto", 1e-3, 1e9,
                  "The paper's sigma 2, for --accounting published: noise on the votes, in place of --epsilon");
  options.real_or("teacher-limit", teacher_limit_, "none", 1e-3, 1e9,
                  "For --accounting published: no query is answered after the data-dependent epsilon of a teacher has "
                  "reached this (paper: 2)");
  if (weighted()) degrees_.declare(options);
  student_.declare(options);
  prompt_.declare(options);
  backbone_.declare(options);
}

OptionValues DpGpl::quick(const QuickSize& size) const {
  OptionValues out = backbone_.quick(size);
  const OptionValues own = sized({{"queries", size.queries}, {"epochs", size.epochs}});
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

NetworkSize DpGpl::network() const { return {backbone_.pretrain.hidden, backbone_.pretrain.layers}; }

std::string DpGpl::variant() const {
  std::vector<std::string> parts;
  if (student_.kind == PromptStudentKind::Ridge) {
    parts.emplace_back("the student is a ridge regression on smoothed features, in place of a prompt");
  } else if (student_.relabel) {
    parts.emplace_back(
        "the prompt student learns the labels that a regression on the noisy votes gives to all public nodes, in place "
        "of the queries' noisy labels");
  }
  if (!confident_) parts.emplace_back("every query is answered, in place of those that pass a threshold");
  if (shots_ && shots_per_ == ShotsPer::Class) {
    parts.emplace_back("teachers share records, in place of disjoint ones");
  }
  if (prompt_.answer == AnswerOf::Shared) {
    parts.emplace_back("prompts share one answer, tuned on private labels that nothing accounts for");
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

void DpGpl::use_paper_settings() {
  *this = DpGpl(weights_);
  teachers_ = 200;
  queries_ = 50;
  shots_ = 5;
  noise_ = VoteNoise::Gaussian;
  targets_ = VoteTargets::Argmax;
  confident_ = true;
  threshold_ = 0.75;
  teacher_limit_ = std::nullopt;
  messages_ = Messages::Auto;
  degrees_.use_paper_weights();
  student_ = {.kind = PromptStudentKind::Prompt, .relabel = false};
  prompt_.kind = PromptKind::AllInOne;
  backbone_.use_paper_settings();
}

std::vector<bound::Relation> DpGpl::relations() const {
  if (weighted()) return {bound::Relation::Record};
  return {bound::Relation::Node, bound::Relation::Record};
}

std::vector<RecordClass> DpGpl::record_classes() const {
  std::vector<RecordClass> out;
  if (!weighted()) return out;
  for (int64_t c = 0; c < degrees_.count(); ++c) {
    out.push_back({degrees_.who(c), degrees_.weight(c) / degrees_.largest()});
  }
  return out;
}

std::vector<std::string> DpGpl::assumptions(bound::Relation) const {
  std::vector<std::string> out = backbone_.assumptions();
  if (weighted() && degrees_.declared()) out.emplace_back("the cut points of the degree classes are public");
  return out;
}

int64_t DpGpl::queries(const Setting& setting) const {
  const int64_t pool = query_count(std::nullopt, setting);
  return queries_ ? query_count(queries_, setting) : std::min(queries_for(setting.epsilon), pool);
}

Plan DpGpl::lines(VoteNoise kind, double check_noise, double vote_noise, double largest_weight,
                  const Setting& setting) const {
  const int64_t asked = queries(setting);
  // An edge changes one teacher, or none: it costs no more than a record.
  constexpr auto kTeachers = bound::source::TeacherReads::OwnPart;
  if (!confident_ && !weighted()) {
    return {vote_line(kind, vote_noise, kPromptVotes, asked, setting.facts.classes, kTeachers)};
  }
  const int64_t answered = confident_ ? std::min(answers_.value_or(asked), asked) : asked;
  Plan plan;
  if (confident_) {
    plan.add({account::Event(kChecks, account::Gaussian{check_noise}),
              bound::vote_maxima_bound(asked, largest_weight, kTeachers)});
  }
  plan.add({account::Event(kPromptVotes, account::Gaussian{vote_noise}),
            bound::weighted_vote_counts_bound(answered, largest_weight, kTeachers)});
  return plan;
}

Plan DpGpl::plan(double noise, const Setting& setting) const {
  require(!check_sigma_ && !sigma_,
          "--check-sigma and --vote-sigma are the paper's noise, for --accounting published; use --noise-multiplier");
  require(shots_per_ == ShotsPer::Teacher,
          "--shots-per class makes teachers share records, which has no proof: it is for --accounting published");
  require(prompt_.answer == AnswerOf::Own,
          "--answer shared reads private labels in the clear, which has no proof: it is for --accounting published");
  require_parts(messages_);
  require(!teacher_limit_, "--teacher-limit reads the votes, which has no proof: it is for --accounting published");
  require(!confident_ || !noise_ || *noise_ == VoteNoise::Gaussian, "--confident wants --noise gaussian");
  if (weighted()) degrees_.check();
  if (confident_) {
    // Gaussian budgets, 1 / noise^2, add up.
    return lines(VoteNoise::Gaussian, noise / std::sqrt(check_share_), noise / std::sqrt(1 - check_share_),
                 largest_weight(false), setting);
  }
  const VoteNoise kind = weighted() ? VoteNoise::Gaussian
                         : noise_
                             ? *noise_
                             : best_vote_noise(queries(setting), setting.facts.classes,
                                               teachers_.value_or(kTypicalPrompts), setting.epsilon, setting.delta);
  return lines(kind, 0, noise, largest_weight(false), setting);
}

std::optional<Published> DpGpl::published(double epsilon, double delta, const Setting& setting) const {
  if (noise_.value_or(VoteNoise::Gaussian) != VoteNoise::Gaussian) return std::nullopt;
  if (weighted()) degrees_.check();
  const int64_t asked = queries(setting), answered = confident_ ? std::min(answers_.value_or(asked), asked) : asked;
  // Weights are scaled to add up to the number of teachers: by how much is not known before the data is.
  const double weight = largest_weight(true);
  const auto claimed = [&](double sigma) {
    return account::published_dpgpl_epsilon(answered, sigma, largest_weight(false), delta);
  };
  double sigma = sigma_.value_or(0);
  if (!sigma_) {
    double low = 1e-3, high = 1e9;
    for (int i = 0; i < 200; ++i) {
      const double middle = std::sqrt(low * high);
      (claimed(middle) > epsilon ? low : high) = middle;
    }
    sigma = high;
  }
  const double check_sigma = check_sigma_.value_or(sigma);
  const double check_noise = check_sigma / (weight * std::sqrt(static_cast<double>(asked)));
  const double vote_noise = sigma / (weight * bound::vote_counts_sensitivity(answered, bound::Norm::L2));
  Published out{.noise = vote_noise,
                .reasons = {},
                .plan = lines(VoteNoise::Gaussian, check_noise, vote_noise, weight, setting),
                .epsilon = claimed(sigma)};
  out.reasons.emplace_back("a vote that changes moves two counts by 1 each: the sensitivity is sqrt 2, not 1");
  out.reasons.emplace_back(
      "the epsilon of the paper's tables is computed from the private votes, and so tells about them");
  if (confident_) {
    out.reasons.push_back(
        fmt::format("the checks are releases too, answered or not: {} of them alone cost epsilon {:.4g}", asked,
                    account::spent_epsilon({account::Event(kChecks, account::Gaussian{check_noise})}, delta)));
  }
  if (shots_ && shots_per_ == ShotsPer::Class) {
    out.reasons.emplace_back("teachers share records: one that goes changes the votes of several");
  }
  if (prompt_.answer == AnswerOf::Shared) {
    out.reasons.emplace_back("all prompts share an answer that was tuned on private labels in the clear");
  }
  if (one_graph(true)) out.reasons.emplace_back(kWholeReason);
  if (weighted()) {
    out.reasons.emplace_back("teachers follow a ranking of all records by degree: one that goes shifts the others");
  }
  return out;
}

int64_t DpGpl::teachers(const mechanism::PlanLine& votes, int64_t records) const {
  return teachers_ ? *teachers_ : prompts_for(vote_noise_stddev(votes) / largest_weight(false), records);
}

std::vector<std::string> DpGpl::outlook(const Plan& plan, const Setting& setting) const {
  const mechanism::PlanLine *votes = nullptr, *checks = nullptr;
  for (const mechanism::PlanLine& line : plan.lines()) {
    (line.event.label() == kChecks ? checks : votes) = &line;
  }
  if (votes == nullptr || votes->norm() != bound::Norm::L2) return {};
  const double classes = setting.facts.classes;
  const auto count = static_cast<double>(teachers(*votes, setting.facts.train_nodes));
  // What a teacher has never seen it does not vote for. With classes of one size:
  const double own =
      std::min(static_cast<double>(shots_.value_or(INT32_MAX)), static_cast<double>(setting.facts.train_nodes) / count);
  const bool of_every_class = (shots_ && shots_per_ == ShotsPer::Class) || prompt_.answer == AnswerOf::Shared;
  const double most = of_every_class ? count : count * (1 - std::pow(1 - 1 / classes, own));
  const double wanted = checks != nullptr ? threshold_ * count : most;
  std::vector<std::string> out;
  if (checks != nullptr) {
    const double check_noise = vote_noise_stddev(*checks);
    out.push_back(fmt::format("a query is answered where {:.0f} of {:.0f} votes agree, give or take noise of {:.3g}",
                              wanted, count, check_noise));
    if (most + 2 * check_noise < wanted) {
      out.push_back(fmt::format(
          "few queries or none will be answered: a teacher of {:.1f} records has seen each of {} classes with "
          "probability {:.0f}%, so that about {:.0f} of {:.0f} votes can be right",
          own, setting.facts.classes, 100 * most / count, most, count));
    }
  }
  // Against the noise of the answers, the rest of the votes being for one other class.
  const double lead = 2 * wanted - count;
  const double lost = std::min(1.0, (classes - 1) / 2 * std::erfc(lead / (2 * vote_noise_stddev(*votes))));
  if (lost > 0.1) {
    out.push_back(
        fmt::format("noise of {:.3g} on the votes: an answer that {:.0f} of {:.0f} agree on may be lost, with "
                    "probability up to {:.0f}%",
                    vote_noise_stddev(*votes), wanted, count, 100 * lost));
  }
  return out;
}

WeightedParts DpGpl::parts(const Task& task, const Release& release) const {
  const int64_t count = teachers(release.line(kPromptVotes), std::ssize(task.split.train));
  if (!weighted()) {
    const bool shared = shots_ && shots_per_ == ShotsPer::Class;
    require(!shared || task.as_published || !release.promises(), "teachers that share records have no proof");
    return {shared ? shared_parts(task, count, *shots_) : parts_by_id(task, count, shots_),
            std::vector<double>(static_cast<size_t>(count), 1)};
  }
  if (task.as_published) {
    return ranked_parts(task, count, degrees_.weight(0), degrees_.largest(), shots_, shots_per_);
  }
  return degrees_.parts(task, count, shots_);
}

std::vector<size_t> DpGpl::confident(const bound::Votes& votes, const std::vector<double>& weights, int64_t most,
                                     const Task& task, Release& release) const {
  const Matrix largest =
      release
          .gaussian(kChecks, bound::vote_maxima(votes, weights, largest_weight(task.as_published), task.data.classes,
                                                task.relation, release.grid(kChecks)))
          .value();
  const double wanted = threshold_ * std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<size_t> kept;
  for (int64_t q = 0; q < largest.rows() && std::ssize(kept) < most; ++q) {
    if (largest(q, 0) >= wanted) kept.push_back(static_cast<size_t>(q));
  }
  if (teacher_limit_ && task.as_published) {
    const double stddev = vote_noise_stddev(release.line(kPromptVotes));
    kept.resize(answered_within(log_flips(votes_on(votes, kept, std::ssize(kept)), weights, task.data.classes, stddev),
                                *std::ranges::max_element(weights), stddev, release.cap().delta, *teacher_limit_));
  }
  return kept;
}

Answers DpGpl::released(const bound::Votes& votes, const std::vector<double>& weights, std::vector<int32_t> queries,
                        const Task& task, Release& release) const {
  if (!confident_ && !weighted())
    return released_votes(votes, std::move(queries), targets_, kPromptVotes, task, release);
  const mechanism::PlanLine& line = release.line(kPromptVotes);
  const int64_t rows = queries_of(line);
  std::vector<size_t> kept;
  if (confident_) {
    kept = confident(votes, weights, rows, task, release);
  } else {
    kept.resize(queries.size());
    std::iota(kept.begin(), kept.end(), size_t{0});
  }
  // As many rows as were planned, whoever is answered: noise and price are those of all of them.
  const Matrix noisy =
      release
          .gaussian(kPromptVotes,
                    bound::weighted_vote_counts(votes_on(votes, kept, rows), weights, largest_weight(task.as_published),
                                                task.data.classes, task.relation, release.grid(kPromptVotes)))
          .value();
  Matrix counts(std::ssize(kept), noisy.cols());
  std::vector<int32_t> answered;
  for (size_t i = 0; i < kept.size(); ++i) {
    std::ranges::copy(noisy.row(static_cast<int64_t>(i)), counts.row(static_cast<int64_t>(i)).begin());
    answered.push_back(queries[kept[i]]);
  }
  return answers_from_counts(std::move(counts), vote_noise_stddev(line),
                             std::accumulate(weights.begin(), weights.end(), 0.0), std::move(answered), targets_);
}

Output DpGpl::run(const Task& task, Release& release) const {
  const PublicGraph& graph = required_public(task);
  nn::check_distinct(task.split.train);
  require_parts(messages_, task, release);
  const int64_t asked = queries_of(release.line(confident_ ? kChecks : kPromptVotes));
  const std::vector<int32_t> queries = chosen_queries(graph.split.train, asked, task.seed);

  // Public data alone.
  const PublicBackbone backbone = PublicBackbone::made(task, backbone_);
  // The private records, each part by itself.
  const auto [parts, weights] = this->parts(task, release);
  require(prompt_.answer == AnswerOf::Own || task.as_published, "an answer that prompts share has no proof");
  const std::optional<LinearAnswer> answer = answer_for(task, backbone, prompt_, shots_);
  const Prompts prompts = tuned_prompts(task, backbone, prompt_, parts, answer, one_graph(task.as_published));
  const bound::Votes votes = votes_of(prompts, backbone.graph(), queries);
  const Answers answers = released(votes, weights, queries, task, release);
  // From the released answers on: post-processing, on public data.
  Output out = teach(answers, backbone, graph.vouched, task.data.classes, prompt_, student_, task.seed, answer);
  out.diagnostics = Holder<std::map<std::string, double>>(diagnosed(votes, weights, answers, asked, task, release));
  return out;
}

std::map<std::string, double> DpGpl::diagnosed(const bound::Votes& votes, const std::vector<double>& weights,
                                               const Answers& answers, int64_t asked, const Task& task,
                                               const Release& release) const {
  std::map<std::string, double> out;
  if (confident_) {
    out["queries asked"] = static_cast<double>(asked);
    out["queries answered"] = static_cast<double>(answers.queries.size());
  }
  const mechanism::PlanLine& line = release.line(kPromptVotes);
  const double stddev = vote_noise_stddev(line), delta = release.cap().delta;
  if (line.norm() != bound::Norm::L2 || stddev <= 0 || delta <= 0) return out;
  const std::vector<double> flips = log_flips(votes, weights, task.data.classes, stddev);
  if (!weighted()) {
    out["data-dependent epsilon of the votes"] = teacher_epsilon(flips, 1, stddev, delta);
    return out;
  }
  out.merge(spread_over_teachers(flips, weights, stddev, delta));
  return out;
}

Predictions DpGpl::infer(const nn::State& model, const Task& task, Release&) const {
  return Holder<Matrix>(ask_prompt_student(model, task.data, prompt_, student_));
}

}  // namespace graphveil::method
