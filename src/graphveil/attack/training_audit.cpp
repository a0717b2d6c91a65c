#include "graphveil/attack/training_audit.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "graphveil/account/accountant.h"
#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/run/ask.h"
#include "graphveil/run/class_weights.h"
#include "graphveil/run/statements.h"

namespace graphveil::attack {
namespace {

using View = std::vector<double>;

void append(const nn::State& state, View& view) {
  for (const auto& [name, tensor] : state) {
    if (tensor.type != nn::ScalarType::F32) continue;
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      float x = 0;
      std::memcpy(&x, tensor.bytes.data() + 4 * i, 4);
      view.push_back(x);
    }
  }
}

// Log-odds of every node's class, but for `left_out`.
void append(const Matrix& probabilities, int32_t left_out, View& view) {
  for (int64_t v = 0; v < probabilities.rows(); ++v) {
    if (v == left_out) continue;
    for (const Real p : probabilities.row(v)) {
      const double q = std::clamp<double>(p, 1e-6, 1 - 1e-6);
      view.push_back(std::log(q) - std::log1p(-q));
    }
  }
}

// Numbers of one release that the adversary may see: all but the canary's row where every node has one.
View numbers(const mechanism::Output& output, const CanaryPair& canary) {
  const auto but_own = [&](const auto& values, int64_t rows, int64_t cols) {
    View out;
    for (int64_t r = 0; r < rows; ++r) {
      if (rows == canary.there.nodes() && r == canary.node && !bound::edge_level(canary.change)) continue;
      for (int64_t c = 0; c < cols; ++c) out.push_back(static_cast<double>(values(r, c)));
    }
    return out;
  };
  if (const auto* matrix = std::get_if<Matrix>(&output)) return but_own(*matrix, matrix->rows(), matrix->cols());
  if (const auto* counts = std::get_if<IntegerMatrix<int64_t>>(&output)) {
    return but_own(*counts, counts->rows(), counts->cols());
  }
  if (const auto* sums = std::get_if<std::vector<double>>(&output)) return *sums;
  return {};
}

class Trainings {
 public:
  Trainings(const run::Prepared& prepared, const run::Parts& parts, const CanaryPair& canary)
      : prepared_(prepared), parts_(parts), canary_(canary), secret_samples_(samples(prepared.plan)) {
    for (int i = 0; secret_samples_ && i < kKnown; ++i) add(Seed::from_number(static_cast<uint64_t>(i)), known_);
  }

  // What the adversary sees of one training.
  View view(bool there, const Seed& seed) const {
    mechanism::Release release = open(seed);
    mechanism::Recording recording;
    release.record(recording);
    const method::Output output = trained(there, seed, release);
    // Initial weights are no secret; who was drawn into a batch is.
    Known own;
    if (!secret_samples_) add(seed, own);
    View out{score(secret_samples_ ? known_ : own, recording)};
    append(output.model.value(), out);
    const method::Predictions& predictions = output.predictions;
    const bool public_graph = parts_.public_graph.has_value();
    if (method::audience(predictions) == mechanism::Audience::Public) {
      append(method::values(predictions), -1, out);
    } else if (method::audience(predictions) == mechanism::Audience::Owner || !prepared_.is_private()) {
      append(method::values(predictions), public_graph ? -1 : canary_.node, out);
    }
    // He runs the public model on what he knows.
    mechanism::Release clear = run::clear_door(prepared_);
    append(method::values(
               run::ask(prepared_, output.model.value(), given(canary_.there), clear, seed.derived("training"))),
           -1, out);
    return out;
  }

 private:
  static constexpr int kKnown = 4;  // runs without noise from which the shift of each release is known

  static bool samples(const mechanism::Plan& plan) {
    return plan.record_rate() < 1 || std::ranges::any_of(plan.lines(), [](const mechanism::PlanLine& line) {
             const account::Sampling sampling = mechanism::mechanism_of(line.event).sampling;
             return !std::holds_alternative<account::NoSampling>(sampling);
           });
  }

  mechanism::Release open(const Seed& seed) const {
    if (!prepared_.is_private()) return mechanism::Release::clear(prepared_.setting.relation, prepared_.plan);
    return mechanism::Release::open(prepared_.setting.relation, prepared_.plan,
                                    {std::numeric_limits<double>::infinity(), prepared_.delta}, seed.derived("noise"));
  }

  run::Given given(const graph::Dataset& data) const { return {data, parts_.split, &parts_}; }

  method::Output trained(bool there, const Seed& seed, mechanism::Release& release) const {
    return run::run_method(
        prepared_, run::training_task(prepared_, given(there ? canary_.there : canary_.blank), seed, release), release);
  }

  // Of each release without its noise: how far it moves between the two graphs, over the noise, and its middle.
  struct Known {
    std::vector<View> shift, middle;
  };
  // From two runs without noise and with this seed.
  void add(const Seed& seed, Known& known) const {
    mechanism::Recording with, without;
    for (const bool there : {true, false}) {
      mechanism::Release release = mechanism::Release::clear(prepared_.setting.relation, prepared_.plan);
      release.record(there ? with : without);
      trained(there, seed, release);
    }
    known.shift.resize(with.size());
    known.middle.resize(with.size());
    for (size_t i = 0; i < with.size() && i < without.size(); ++i) {
      const View a = numbers(with[i].output, canary_), b = numbers(without[i].output, canary_);
      const double noise = mechanism::noise_scale(prepared_.plan.line(with[i].label));
      if (a.size() != b.size()) continue;
      known.shift[i].resize(a.size(), 0);
      known.middle[i].resize(a.size(), 0);
      for (size_t k = 0; k < a.size(); ++k) {
        known.shift[i][k] += (a[k] - b[k]) / std::max(noise * noise, 1e-12);
        known.middle[i][k] += (a[k] + b[k]) / 2 / (secret_samples_ ? kKnown : 1);
      }
    }
  }

  // The log-likelihood ratio of releases with Gaussian noise, where nothing else is random.
  double score(const Known& known, const mechanism::Recording& recording) const {
    double sum = 0;
    for (size_t i = 0; i < recording.size() && i < known.shift.size(); ++i) {
      const View seen = numbers(recording[i].output, canary_);
      if (seen.size() != known.shift[i].size()) continue;
      for (size_t k = 0; k < seen.size(); ++k) sum += known.shift[i][k] * (seen[k] - known.middle[i][k]);
    }
    return sum;
  }

  const run::Prepared& prepared_;
  const run::Parts& parts_;
  const CanaryPair& canary_;
  bool secret_samples_;
  Known known_;
};

struct Moments {
  View mean, variance;
};

Moments moments(std::span<const View> views) {
  Moments out{View(views[0].size(), 0), View(views[0].size(), 0)};
  const auto n = static_cast<double>(views.size());
  for (const View& v : views) {
    for (size_t k = 0; k < v.size(); ++k) out.mean[k] += v[k] / n;
  }
  for (const View& v : views) {
    for (size_t k = 0; k < v.size(); ++k) out.variance[k] += (v[k] - out.mean[k]) * (v[k] - out.mean[k]) / (n - 1);
  }
  return out;
}

std::vector<float> scores(std::span<const View> views, const View& weights) {
  std::vector<float> out;
  for (const View& view : views) {
    double sum = 0;
    for (size_t k = 0; k < view.size(); ++k) sum += weights[k] * view[k];
    out.push_back(static_cast<float>(sum));
  }
  return out;
}

// How many on each side the rule takes for the other side, at the middle of the means.
size_t overlap(const View& weights, std::span<const View> there, std::span<const View> blank) {
  const std::vector<float> a = scores(there, weights), b = scores(blank, weights);
  const auto mean = [](const std::vector<float>& s) {
    return std::accumulate(s.begin(), s.end(), 0.0) / static_cast<double>(s.size());
  };
  const double middle = (mean(a) + mean(b)) / 2;
  return static_cast<size_t>(std::ranges::count_if(a, [&](float s) { return s < middle; }) +
                             std::ranges::count_if(b, [&](float s) { return s > middle; }));
}

// Weights of a linear rule: the difference of the means over the variance, where it is more than chance.
View direction(std::span<const View> there, std::span<const View> blank) {
  constexpr double kMoreThanChance = 4;  // standard errors
  const Moments a = moments(there), b = moments(blank);
  View out(a.mean.size(), 0);
  double strongest = 0;
  size_t best = 0;
  for (size_t k = 0; k < out.size(); ++k) {
    const double variance = (a.variance[k] + b.variance[k]) / 2, gap = a.mean[k] - b.mean[k];
    const double scale = std::max(variance, 1e-12 * (1 + a.mean[k] * a.mean[k]));
    const double errors = std::abs(gap) / std::sqrt(2 * scale / static_cast<double>(there.size()));
    if (errors > strongest) {
      strongest = errors;
      best = k;
    }
    if (errors > kMoreThanChance) out[k] = gap / scale;
  }
  // Many numbers that say the same may drown the one that says it clearly.
  View one(out.size(), 0);
  one[best] = a.mean[best] >= b.mean[best] ? 1 : -1;
  const bool alone = strongest <= kMoreThanChance || overlap(one, there, blank) <= overlap(out, there, blank);
  return alone ? one : out;
}

}  // namespace

int32_t canary_node(const run::Parts& parts) {
  for (const int32_t v : parts.split.train) {
    if (parts.data.labels[v] != graph::kUnlabeled) return v;
  }
  fail(ErrorKind::BadInput, "no training node has a label");
}

double claimed_epsilon(const run::Prepared& prepared, const CanaryPair& canary) {
  constexpr double kNothing = std::numeric_limits<double>::infinity();
  if (!prepared.is_private()) return kNothing;
  if (prepared.as_published()) return prepared.published_epsilon;
  const method::Setting& setting = prepared.setting;
  const auto price = [&](const std::optional<account::Ledger>& ledger) {
    return ledger ? account::spent_epsilon(*ledger, prepared.delta) : kNothing;
  };
  if (bound::edge_level(setting.relation)) {
    if (canary.change == setting.relation) return price(prepared.plan.ledger());
    // Both directions cover one of them.
    const bool half = canary.change == bound::Relation::Edge && setting.relation == bound::Relation::UndirectedEdge;
    return half ? price(prepared.plan.ledger()) : kNothing;
  }
  if (bound::edge_level(canary.change)) return price(run::ledger_of_friendship(prepared.plan, setting));
  if (canary.change != setting.relation) return kNothing;
  if (setting.relation == bound::Relation::Record || prepared.experiment->method().every_degree()) {
    return price(prepared.plan.ledger());
  }
  return price(run::ledger_at_degree(prepared.plan, canary.degree));
}

AuditRow audit_training(const run::Prepared& prepared, const run::Parts& parts, const CanaryPair& canary,
                        const TrainingAuditOptions& options) {
  require(options.models >= 24, "{} models on each side, want at least 24", options.models);
  const Trainings trainings(prepared, parts, canary);
  const auto count = static_cast<size_t>(options.models);
  std::vector<View> there(count), blank(count);
  Progress progress("trainings", 2 * options.models);
  constexpr int64_t kBetweenSigns = 16;
  for (int64_t first = 0; first < 2 * options.models; first += kBetweenSigns) {
    const int64_t some = std::min(kBetweenSigns, 2 * options.models - first);
    parallel_for(some, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = first + begin; i < first + end; ++i) {
        const bool side = i % 2 == 0;
        (side ? there : blank)[static_cast<size_t>(i / 2)] =
            trainings.view(side, options.seed.derived(fmt::format("model {}", i)));
      }
    });
    progress.advance(some);
  }
  const size_t learn = count / 3;
  const View weights = direction(std::span(there).first(learn), std::span(blank).first(learn));
  return {canary.what, claimed_epsilon(prepared, canary), prepared.delta, options.confidence,
          epsilon_bound(scores(std::span(there).subspan(learn), weights),
                        scores(std::span(blank).subspan(learn), weights), prepared.delta, options.confidence)};
}

}  // namespace graphveil::attack
