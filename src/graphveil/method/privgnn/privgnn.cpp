#include "graphveil/method/privgnn/privgnn.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/published_privgnn.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"
#include "graphveil/bound/label.h"
#include "graphveil/kernels/poisson_sample.h"
#include "graphveil/method/other_noise.h"
#include "graphveil/method/pate/vote_noise.h"
#include "graphveil/nn/batches.h"

namespace graphveil::method {
namespace {

constexpr const char* kPrivGnnLabels = "labels";
constexpr int64_t kQueryBlock = 32;     // queries whose posteriors are held at once
constexpr double kLargestLogOdds = 30;  // that are worth asking for: one label in 10^12 is changed

// A classifier's records in a sample, by epsilon, where more is better on one side and dearer on the other: measured on
// 2,500 records (docs/methods/privgnn.md), between them in proportion on a logarithmic scale.
double sample_size(double epsilon) {
  constexpr double kEpsilon[] = {1, 2, 4, 8, 16}, kRecords[] = {12.5, 25, 25, 50, 125};
  if (epsilon <= kEpsilon[0]) return kRecords[0];
  for (size_t i = 1; i < std::size(kEpsilon); ++i) {
    if (epsilon > kEpsilon[i]) continue;
    const double along = std::log(epsilon / kEpsilon[i - 1]) / std::log(kEpsilon[i] / kEpsilon[i - 1]);
    return kRecords[i - 1] * std::pow(kRecords[i] / kRecords[i - 1], along);
  }
  return kRecords[std::size(kRecords) - 1];
}

// The sizes of noise in the paper's tables, as inverse scales.
constexpr double kPaperLambdas[] = {0.1, 0.2, 0.4, 0.8, 1};

int32_t largest_of(std::span<const double> values) {
  return static_cast<int32_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

// The class of the largest log-posterior plus Laplace noise.
int32_t noisy_log_argmax(std::span<const Real> p, double scale, RandomStream& random) {
  std::vector<double> noisy;
  for (const Real x : p) noisy.push_back(std::log(std::max<double>(x, 1e-30)) + random.laplace() * scale);
  return largest_of(noisy);
}

}  // namespace

Description PrivGnn::describe() const {
  return {"privgnn", "node", "Teachers of private records label public nodes for a GraphSAGE student",
          "Olatunji, Funke, Khosla 2023"};
}

void PrivGnn::declare(Options& options) {
  options.integer_or("queries", queries_, "pool", 1, INT32_MAX, "Public nodes that teachers label: |Q|");
  options.real_or("sampling-rate", rate_, "auto", 1e-9, 1,
                  "Chance that a record is in a teacher's sample: gamma; auto: 12 to 125 records by epsilon");
  options.integer_or("nearest", nearest_, "all", 1, INT32_MAX,
                     "Records of a sample that teach: the K nearest to the query by features");
  options.choice("distance", distance_,
                 {{"euclidean", kernels::Distance::Euclidean}, {"cosine", kernels::Distance::Cosine}},
                 "Of features, for --nearest");
  options.boolean("no-knn", no_knn_, "Ablation: the whole sample teaches whatever --nearest says");
  options.boolean("single-teacher", single_teacher_,
                  "Ablation: one sample and one teacher for all queries; sampling then saves nothing");
  options.choice("noise", noise_,
                 {{"rr", Noise::RandomizedResponse},
                  {"laplace", Noise::Laplace},
                  {"gumbel", Noise::Gumbel},
                  {"gaussian", Noise::Gaussian}},
                 "rr: the teacher's label by randomized response. Else: the label of the largest noisy posterior");
  options.choice("noise-on", noise_on_, {{"posterior", NoiseOn::Posterior}, {"log-posterior", NoiseOn::LogPosterior}},
                 "log-posterior is what the authors' code does: for --accounting published alone, no epsilon holds");
  options.real_or("inverse-scale", inverse_scale_, "auto", 1e-6, 100,
                  "The paper's lambda, for --accounting published: noise of scale 1/lambda in place of --epsilon");
  options.boolean("sweep-noise", sweep_noise_,
                  "For --accounting published: the same teachers' answers with every noise of the paper's tables too, "
                  "and the accuracy of a student of each (--json: other_noise)");
  embedding_.declare(options);
  teacher_.declare(options);
  distill_.declare(options);
}

OptionValues PrivGnn::quick(const QuickSize& size) const {
  return sized({{"queries", size.queries},
                {"teacher-epochs", size.epochs},
                {"teacher-hidden-dim", size.width},
                {"epochs", size.epochs},
                {"hidden-dim", size.width}});
}

NetworkSize PrivGnn::network() const {
  return {std::max(teacher_.network.hidden_dim, distill_.architecture.hidden_dim),
          teacher_.network.layers + distill_.architecture.layers};
}

void PrivGnn::use_paper_settings() {
  *this = PrivGnn();
  queries_ = 1000;
  rate_ = 0.3;
  nearest_ = 750;
  noise_ = Noise::Laplace;
  teacher_.kind = TeacherKind::Sage;
  distill_.use_paper_settings();
}

std::string PrivGnn::variant() const {
  std::vector<std::string> parts;
  if (single_teacher_) parts.emplace_back("one sample and one teacher for all queries");
  if (teacher_.kind == TeacherKind::Ridge) parts.emplace_back("ridge-regression teachers in place of GraphSAGE ones");
  if (teacher_.kind == TeacherKind::Mlp) parts.emplace_back("teachers that read no edges");
  if (!single_teacher_ && (no_knn_ || !nearest_)) {
    parts.emplace_back("the whole sample teaches, not its records nearest to the query");
  }
  if (noise_ == Noise::RandomizedResponse) {
    parts.emplace_back("randomized response of a teacher's label in place of Laplace noise on its posterior");
  } else if (noise_ != Noise::Laplace) {
    parts.emplace_back("another noise on posteriors than Laplace");
  }
  if (noise_on_ == NoiseOn::LogPosterior) parts.emplace_back("noise on log-posteriors, as in the authors' code");
  if (distill_.student == StudentKind::Denoise) parts.emplace_back(kDenoisingStudent);
  return fmt::format("{}", fmt::join(parts, "; "));
}

account::ArgmaxNoise PrivGnn::argmax_noise() const {
  switch (noise_) {
    case Noise::Laplace: return account::ArgmaxNoise::Laplace;
    case Noise::Gaussian: return account::ArgmaxNoise::Gaussian;
    case Noise::Gumbel: return account::ArgmaxNoise::Gumbel;
    case Noise::RandomizedResponse: break;
  }
  fail(ErrorKind::Internal, "randomized response adds no noise to posteriors");
}

double PrivGnn::log_odds(double noise, int64_t classes) const {
  if (!(noise > 0)) return kUnchanged;
  if (noise_ == Noise::RandomizedResponse) return std::min(1 / noise, kLargestLogOdds);
  return account::noisy_argmax_log_odds(
      argmax_noise(), std::clamp(noise, account::kSmallestArgmaxScale, account::kLargestArgmaxScale), classes);
}

double PrivGnn::sampling_rate(const Setting& setting) const {
  if (rate_) return *rate_;
  return std::min(1.0,
                  sample_size(setting.epsilon) / static_cast<double>(std::max<int64_t>(setting.facts.train_nodes, 1)));
}

void PrivGnn::check_single() const {
  require(!single_teacher_ || !nearest_ || no_knn_,
          "--single-teacher answers all queries from one sample, so no records are nearest: leave --nearest at all, or "
          "add --no-knn true");
}

account::Event PrivGnn::labels_event(double log_odds, const Setting& setting) const {
  const account::RandomizedResponse response{log_odds, setting.facts.classes};
  const int64_t queries = query_count(queries_, setting);
  if (single_teacher_) return {kPrivGnnLabels, response, account::NoSampling{}, queries};
  return {kPrivGnnLabels,
          account::Sampled{sampling_rate(setting), std::make_shared<const account::Event>("", response)}, queries};
}

Plan PrivGnn::plan(double noise, const Setting& setting) const {
  check_single();
  require(noise_on_ == NoiseOn::Posterior,
          "--noise-on log-posterior has no bound on what one record does: it is for --accounting published alone");
  require(!inverse_scale_, "--inverse-scale is the paper's noise, for --accounting published; use --noise-multiplier");
  require(!sweep_noise_,
          "--sweep-noise asks the same teachers again and again: it is for --accounting published alone");
  return {{labels_event(log_odds(noise, setting.facts.classes), setting),
           bound::teacher_labels_bound(teacher_reads(teacher_.kind))}};
}

std::optional<Published> PrivGnn::published(double epsilon, double delta, const Setting& setting) const {
  if (noise_ != Noise::Laplace) return std::nullopt;
  check_single();
  require(noise_on_ == NoiseOn::Posterior || inverse_scale_,
          "--noise-on log-posterior wants --inverse-scale: no epsilon belongs to its noise");
  const int64_t classes = setting.facts.classes, queries = query_count(queries_, setting);
  const double rate = sampling_rate(setting);
  const double lambda =
      inverse_scale_ ? *inverse_scale_ : account::published_privgnn_inverse_scale(queries, rate, epsilon, delta);
  Published out{.noise = 1 / lambda,
                .reasons = {},
                .plan = std::nullopt,
                .epsilon = account::published_privgnn_epsilon(queries, rate, lambda, delta)};
  const account::Sampling drawn = single_teacher_ ? account::Sampling(account::NoSampling{}) : account::Poisson{rate};
  const account::Event laplace(kPrivGnnLabels, account::Laplace{1 / (2 * lambda)}, drawn, queries);
  if (single_teacher_) {
    out.reasons.emplace_back(
        "one sample and one teacher answer all queries, so the sample hides nobody from them together: the paper "
        "counts "
        "a fresh sample for each");
  }
  out.reasons.push_back(fmt::format(
      "posteriors of neighbors differ by up to 2 in L1, not 1: as Laplace releases this noise costs epsilon {:.4g}",
      account::spent_epsilon({laplace}, delta)));
  const double odds = account::noisy_argmax_log_odds(account::ArgmaxNoise::Laplace, out.noise, classes);
  const account::Event exact = labels_event(odds, setting);
  if (noise_on_ == NoiseOn::Posterior) {
    out.plan = Plan{{exact, bound::teacher_labels_bound(bound::source::TeacherReads::ManyHops)}};
    return out;
  }
  out.reasons.push_back(
      fmt::format("noise on log-posteriors hides nothing for sure: no finite epsilon holds. On posteriors the labels "
                  "would cost {:.4g}",
                  account::spent_epsilon({exact}, delta)));
  out.plan =
      Plan{{labels_event(kUnchanged, setting), bound::teacher_labels_bound(bound::source::TeacherReads::ManyHops)}};
  return out;
}

std::vector<OptionValues> PrivGnn::trade_offs(const Setting& setting) const {
  std::vector<OptionValues> out;
  if (single_teacher_) return out;
  const int64_t pool = query_count(queries_, setting);
  for (const int64_t queries : {pool / 8, pool / 4, pool / 2, pool}) {
    for (const double records : {12.5, 25.0, 50.0, 125.0, 750.0}) {
      const double rate = records / static_cast<double>(setting.facts.train_nodes);
      if (queries < 1 || rate > 1) continue;
      out.push_back({{"queries", fmt::format("{}", queries)}, {"sampling-rate", fmt::format("{:.4g}", rate)}});
    }
  }
  return out;
}

std::vector<int32_t> PrivGnn::sampled(const Task& task, double rate, uint64_t index) const {
  const std::vector<int32_t>& records = task.split.train;
  std::vector<int32_t> sample;
  for (const int64_t i :
       kernels::poisson_sample(static_cast<int64_t>(records.size()), rate, {task.seed, "private sample", index})) {
    // A blank record keeps its place in the list and is in no sample.
    if (task.data.labels[records[static_cast<size_t>(i)]] != graph::kUnlabeled) {
      sample.push_back(records[static_cast<size_t>(i)]);
    }
  }
  return sample;
}

std::vector<int32_t> PrivGnn::nearest(const Task& task, std::vector<int32_t> records, int32_t query) const {
  if (no_knn_ || !nearest_ || static_cast<int64_t>(records.size()) <= *nearest_) return records;
  const Matrix points = task.data.features.dense_rows_at(records);
  const Matrix at = required_public(task).data.value().features.dense_rows_at(std::span(&query, 1));
  std::vector<int32_t> out;
  for (const int32_t i : kernels::nearest(at, points, *nearest_, distance_).indices) {
    out.push_back(records[i]);
  }
  std::sort(out.begin(), out.end());
  return out;
}

Matrix PrivGnn::posteriors(const Task& task, const Teachers& teachers, std::span<const int32_t> queries, int64_t first,
                           int64_t count, double rate) const {
  Matrix out = Matrix::uninitialized(count, task.data.classes);
  parallel_for(count, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      // Sample and teacher of a query are named by its number: other queries and records not sampled have no say.
      const auto index = static_cast<uint64_t>(first + i);
      const std::span<const int32_t> query = queries.subspan(index, 1);
      const std::vector<int32_t> records = nearest(task, sampled(task, rate, index), query[0]);
      const Seed seed = task.seed.derived(fmt::format("teacher {}", index));
      std::ranges::copy(teachers.posteriors(records, query, seed).row(0), out.row(i).begin());
    }
  });
  return out;
}

int32_t PrivGnn::answer(std::span<const Real> p, int64_t index, double scale, const Task& task,
                        Release& release) const {
  const account::Sampling sampling = mechanism::mechanism_of(release.line(kPrivGnnLabels).event).sampling;
  const auto respond = [&](int32_t label) {
    return release.label(kPrivGnnLabels, bound::teacher_label(label, task.data.classes, task.relation, sampling))
        .value();
  };
  if (task.as_published && noise_on_ == NoiseOn::LogPosterior) {
    RandomStream random(task.seed, "noise on log-posteriors", static_cast<uint64_t>(index));
    return respond(noisy_log_argmax(p, scale, random));
  }
  std::vector<double> probabilities(p.begin(), p.end());
  if (noise_ == Noise::RandomizedResponse) return respond(largest_of(probabilities));
  // In float their sum may be above 1 by more than a bound allows, and an error would tell.
  const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  for (double& x : probabilities) x /= std::max(sum, 1.0);
  return release
      .noisy_argmax(kPrivGnnLabels, bound::teacher_posterior(std::move(probabilities), task.relation, sampling),
                    argmax_noise(), scale)
      .value();
}

Output PrivGnn::run(const Task& task, Release& release) const {
  const PublicGraph& graph = required_public(task);
  // A record listed twice would be sampled more often than the plan says.
  nn::check_distinct(task.split.train);
  // Public data alone.
  const PublicEmbedding embedding(graph.data, embedding_, task.seed);
  const account::Event& event = release.line(kPrivGnnLabels).event;
  const account::Single line = mechanism::mechanism_of(event);
  const int64_t count = event.count();
  const auto& response = std::get<account::RandomizedResponse>(line.mechanism);
  require(!release.promises() || task.as_published || response.log_odds <= account::kMostLogOdds,
          "'{}' has no noise: only a release that promises nothing may do without", kPrivGnnLabels);
  Answers answers{chosen_queries(graph.split.train, count, task.seed), {}};
  double scale = 0;
  if (task.as_published && noise_on_ == NoiseOn::LogPosterior) {
    scale = 1 / *inverse_scale_;
  } else if (noise_ != Noise::RandomizedResponse) {
    scale = account::noisy_argmax_scale(argmax_noise(), response.log_odds, response.classes);
  }

  const auto* poisson = std::get_if<account::Poisson>(&line.sampling);
  // Queries answered before the run was killed are not asked again.
  std::vector<int32_t> labels = release.given(kPrivGnnLabels);
  const auto answered = static_cast<int64_t>(labels.size());
  const bool sweep = task.as_published && sweep_noise_;
  Matrix said(sweep ? count : 0, task.data.classes);
  const int64_t first = sweep ? 0 : answered;
  if (first < count) {
    const Teachers teachers(task.data, graph.data, embedding, teacher_);
    Matrix by_one;  // what a single teacher says
    if (poisson == nullptr) {
      by_one = teachers.posteriors(sampled(task, rate_.value_or(1), 0), answers.queries, task.seed.derived("teacher"));
    }
    Progress progress("queries", count - first);
    for (int64_t begin = first; begin < count; begin += kQueryBlock) {
      const int64_t size = std::min(kQueryBlock, count - begin);
      const Matrix block =
          poisson == nullptr ? Matrix() : posteriors(task, teachers, answers.queries, begin, size, poisson->rate);
      for (int64_t i = begin; i < begin + size; ++i) {
        const std::span<const Real> p = poisson == nullptr ? by_one.row(i) : block.row(i - begin);
        if (sweep) std::ranges::copy(p, said.row(i).begin());
        if (i >= answered) labels.push_back(answer(p, i, scale, task, release));
      }
      progress.advance(size);
    }
  }

  // From here on: post-processing of the labels, on public data.
  answers.targets = centered_onehot(labels, task.data.classes);
  Output out = distill(answers, graph, embedding, task.data.classes, distill_, task.seed);
  if (sweep) out.sums = Holder<nn::State>(swept(said, answers.queries, embedding, task));
  return out;
}

nn::State PrivGnn::swept(const Matrix& posteriors, const std::vector<int32_t>& queries,
                         const PublicEmbedding& embedding, const Task& task) const {
  nn::State out;
  for (const NoiseOn on : {NoiseOn::Posterior, NoiseOn::LogPosterior}) {
    for (const double lambda : kPaperLambdas) {
      const std::string name = fmt::format("{} {}", on == NoiseOn::Posterior ? "posterior" : "log-posterior", lambda);
      RandomStream random(task.seed, "noise of the sweep, " + name);
      std::vector<int32_t> labels;
      for (int64_t q = 0; q < posteriors.rows(); ++q) {
        if (on == NoiseOn::LogPosterior) {
          labels.push_back(noisy_log_argmax(posteriors.row(q), 1 / lambda, random));
          continue;
        }
        std::vector<double> noisy;
        for (const Real x : posteriors.row(q)) noisy.push_back(x + random.laplace() / lambda);
        labels.push_back(largest_of(noisy));
      }
      const Answers answers{queries, centered_onehot(labels, task.data.classes)};
      const Output made = distill(answers, required_public(task), embedding, task.data.classes, distill_, task.seed);
      out[kOtherNoise + name] = nn::to_tensor(values(made.predictions));
    }
  }
  return out;
}

Predictions PrivGnn::infer(const nn::State& model, const Task& task, Release&) const {
  return Holder<Matrix>(ask_student(model, task.data, distill_, task.seed));
}

}  // namespace graphveil::method
