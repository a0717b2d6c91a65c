#include "graphveil/method/dpgpl/dpgpl.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/published_pate.h"
#include "graphveil/account/rdp.h"
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

// The paper's data-dependent epsilon for these votes (account/published_pate.h): for the holder's eyes.
double data_dependent_epsilon(const bound::Votes& votes, int32_t classes, double noise_stddev, double delta) {
  std::vector<double> log_flips;
  for (size_t q = 0; q < votes.front().size(); ++q) {
    std::vector<double> counts(static_cast<size_t>(classes), 0);
    for (const std::vector<int32_t>& of_teacher : votes) {
      if (of_teacher[q] != bound::kNoVote) counts[static_cast<size_t>(of_teacher[q])] += 1;
    }
    log_flips.push_back(account::gnmax_log_flip_probability(counts, noise_stddev));
  }
  return account::minimize_over_orders([&](double order) {
    double divergence = 0;
    for (const double log_flip : log_flips) {
      divergence += account::rdp_gnmax_data_dependent(log_flip, noise_stddev, order);
    }
    return account::classic_epsilon_from_renyi(order, divergence, delta);
  });
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

void DpGpl::use_paper_settings() {
  *this = DpGpl(weights_);
  teachers_ = 200;
  queries_ = 50;
  shots_ = 5;
  noise_ = VoteNoise::Gaussian;
  targets_ = VoteTargets::Argmax;
  confident_ = true;
  threshold_ = 0.75;
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

Plan DpGpl::lines(VoteNoise kind, double check_noise, double vote_noise, const Setting& setting) const {
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
              bound::vote_maxima_bound(asked, largest_weight(), kTeachers)});
  }
  plan.add({account::Event(kPromptVotes, account::Gaussian{vote_noise}),
            bound::weighted_vote_counts_bound(answered, largest_weight(), kTeachers)});
  return plan;
}

Plan DpGpl::plan(double noise, const Setting& setting) const {
  require(!check_sigma_ && !sigma_,
          "--check-sigma and --vote-sigma are the paper's noise, for --accounting published; use --noise-multiplier");
  require(!confident_ || !noise_ || *noise_ == VoteNoise::Gaussian, "--confident wants --noise gaussian");
  if (weighted()) degrees_.check();
  if (confident_) {
    // Gaussian budgets, 1 / noise^2, add up.
    return lines(VoteNoise::Gaussian, noise / std::sqrt(check_share_), noise / std::sqrt(1 - check_share_), setting);
  }
  const VoteNoise kind = weighted() ? VoteNoise::Gaussian
                         : noise_
                             ? *noise_
                             : best_vote_noise(queries(setting), setting.facts.classes,
                                               teachers_.value_or(kTypicalPrompts), setting.epsilon, setting.delta);
  return lines(kind, 0, noise, setting);
}

std::optional<Published> DpGpl::published(double epsilon, double delta, const Setting& setting) const {
  if (noise_.value_or(VoteNoise::Gaussian) != VoteNoise::Gaussian) return std::nullopt;
  if (weighted()) degrees_.check();
  const int64_t asked = queries(setting), answered = confident_ ? std::min(answers_.value_or(asked), asked) : asked;
  const double weight = largest_weight();
  const auto claimed = [&](double sigma) { return account::published_dpgpl_epsilon(answered, sigma, weight, delta); };
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
                .plan = lines(VoteNoise::Gaussian, check_noise, vote_noise, setting),
                .epsilon = claimed(sigma)};
  out.reasons.emplace_back("a vote that changes moves two counts by 1 each: the sensitivity is sqrt 2, not 1");
  out.reasons.emplace_back(
      "the epsilon of the paper's tables is computed from the private votes, and so tells about them");
  if (confident_) {
    out.reasons.push_back(
        fmt::format("the checks are releases too, answered or not: {} of them alone cost epsilon {:.4g}", asked,
                    account::spent_epsilon({account::Event(kChecks, account::Gaussian{check_noise})}, delta)));
  }
  if (weighted()) {
    out.reasons.emplace_back("teachers follow a ranking of all records by degree: one that goes shifts the others");
  }
  return out;
}

WeightedParts DpGpl::parts(const Task& task, const Release& release) const {
  const int64_t records = std::ssize(task.split.train);
  const int64_t count =
      teachers_ ? *teachers_ : prompts_for(vote_noise_stddev(release.line(kPromptVotes)) / largest_weight(), records);
  if (!weighted()) {
    return {parts_by_id(task, count, shots_), std::vector<double>(static_cast<size_t>(count), 1)};
  }
  if (task.as_published) return ranked_parts(task, count, degrees_.weight(0), degrees_.largest());
  return degrees_.parts(task, count, shots_);
}

std::vector<size_t> DpGpl::confident(const bound::Votes& votes, const std::vector<double>& weights, int64_t most,
                                     const Task& task, Release& release) const {
  const Matrix largest = release
                             .gaussian(kChecks, bound::vote_maxima(votes, weights, largest_weight(), task.data.classes,
                                                                   task.relation, release.grid(kChecks)))
                             .value();
  const double wanted = threshold_ * std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<size_t> kept;
  for (int64_t q = 0; q < largest.rows() && std::ssize(kept) < most; ++q) {
    if (largest(q, 0) >= wanted) kept.push_back(static_cast<size_t>(q));
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
  const Matrix noisy = release
                           .gaussian(kPromptVotes, bound::weighted_vote_counts(
                                                       votes_on(votes, kept, rows), weights, largest_weight(),
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
  const int64_t asked = queries_of(release.line(confident_ ? kChecks : kPromptVotes));
  const std::vector<int32_t> queries = chosen_queries(graph.split.train, asked, task.seed);

  // Public data alone.
  const PublicBackbone backbone = PublicBackbone::made(task, backbone_);
  // The private records, each part by itself.
  const auto [parts, weights] = this->parts(task, release);
  const bound::Votes votes = votes_of(tuned_prompts(task, backbone, prompt_, parts), backbone.graph(), queries);
  const Answers answers = released(votes, weights, queries, task, release);
  // From the released answers on: post-processing, on public data.
  Output out = teach(answers, backbone, graph.vouched, task.data.classes, prompt_, student_, task.seed);

  const mechanism::PlanLine& line = release.line(kPromptVotes);
  if (!weighted() && line.norm() == bound::Norm::L2 && vote_noise_stddev(line) > 0 && release.cap().delta > 0) {
    out.diagnostics = Holder<std::map<std::string, double>>(
        {{"data-dependent epsilon of the votes",
          data_dependent_epsilon(votes, task.data.classes, vote_noise_stddev(line), release.cap().delta)}});
  }
  return out;
}

Predictions DpGpl::infer(const nn::State& model, const Task& task, Release&) const {
  return Holder<Matrix>(ask_prompt_student(model, task.data, prompt_, student_));
}

}  // namespace graphveil::method
