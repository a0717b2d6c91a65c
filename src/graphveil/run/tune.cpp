#include "graphveil/run/tune.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/base/progress.h"
#include "graphveil/base/resources.h"
#include "graphveil/mechanism/trials.h"
#include "graphveil/run/class_weights.h"
#include "graphveil/run/evaluate.h"
#include "graphveil/run/task.h"

namespace graphveil::run {
namespace {

constexpr int64_t kFolds = 4;

method::OptionValues drawn(const std::vector<method::Tunable>& tunables, RandomStream& random) {
  method::OptionValues values;
  for (const method::Tunable& t : tunables) values.emplace_back(t.option, t.values[random.below(t.values.size())]);
  return values;
}

// The experiment with these values, and with the list of options that are searched in place of `auto`.
std::unique_ptr<Experiment> candidate(const Prepared& prepared, const method::OptionValues& values) {
  method::OptionValues all{{"tune-over", searched_names(*prepared.experiment, prepared.setting.relation)}};
  all.insert(all.end(), values.begin(), values.end());
  return with_options(*prepared.experiment, all);
}

// The same noise with other options. Their plan may differ in how large a step is, never in what is charged.
Prepared prepared_with(const Prepared& prepared, const Experiment& experiment) {
  Prepared out = prepared;
  out.experiment = &experiment;
  out.plan = planned(out, prepared.noise);
  if (!prepared.is_private()) return out;
  const bool same = charged(prepared) ? out.plan.ledger() == prepared.plan.ledger() : out.plan == prepared.plan;
  if (!same) fail(ErrorKind::Internal, "an option that is tuned changes what is released");
  return out;
}

// By what --metric names.
double judge(const Prepared& prepared, const Parts& parts, const method::Output& output,
             std::span<const int32_t> nodes) {
  return judged_by(prepared.experiment->settings().metric, parts.data, method::values(output.predictions), nodes);
}

// Keeps the best; the first of several, which among trials that are all drawn alike is any of them.
class Best {
 public:
  void add(Trial trial, std::unique_ptr<Experiment> experiment, const Prepared& prepared, Trained trained) {
    if (!best_ || trial.score > trials_[kept_].score) {
      kept_ = trials_.size();
      best_.reset();
      best_.emplace(TunedTraining{std::move(experiment), prepared, std::move(trained), {}});
    }
    trials_.push_back(std::move(trial));
  }
  TunedTraining finish() && {
    trials_[kept_].kept = true;
    best_->trials = std::move(trials_);
    return std::move(*best_);
  }

 private:
  std::optional<TunedTraining> best_;
  std::vector<Trial> trials_;
  size_t kept_ = 0;
};

// Where all but edges is public: one training through the door, all others on what it gave out.
class FreeSearch {
 public:
  FreeSearch(const Prepared& prepared, const Parts& parts, const Seed& seed)
      : prepared_(prepared), parts_(parts), seed_(seed) {}

  TunedTraining run() {
    Best best;
    const std::vector<method::OptionValues> settings = distinct_settings();
    Progress progress("settings", static_cast<int64_t>(settings.size()));
    for (const method::OptionValues& values : settings) {
      std::unique_ptr<Experiment> experiment = candidate(prepared_, values);
      const Prepared prepared = prepared_with(prepared_, *experiment);
      const Timer timer;
      mechanism::Release release = &values == settings.data() ? first_release() : next_release(prepared);
      method::Output output = run_on(prepared, parts_.split, release);
      const std::vector<int32_t>& judges = parts_.split.val;
      const double score = judges.empty() ? cross_validated(prepared) : judge(prepared, parts_, output, judges);
      best.add({values, score}, std::move(experiment), prepared,
               finished(prepared, parts_, std::move(output), release, timer.seconds()));
      progress.advance();
    }
    return std::move(best).finish();
  }

 private:
  std::vector<method::OptionValues> distinct_settings() const {
    const std::vector<method::Tunable> tunables = searched(*prepared_.experiment, prepared_.setting.relation);
    const auto wanted = static_cast<size_t>(*prepared_.experiment->settings().tune);
    RandomStream random(seed_, "settings");
    std::vector<method::OptionValues> out{{}};
    std::set<method::OptionValues> seen;
    for (size_t tries = 0; out.size() < wanted && tries < 20 * wanted; ++tries) {
      method::OptionValues values = drawn(tunables, random);
      if (seen.insert(values).second) out.push_back(std::move(values));
    }
    return out;
  }

  mechanism::Release first_release() {
    mechanism::Release release = open_release(prepared_, seed_);
    release.record(recording_);
    return release;
  }
  mechanism::Release next_release(const Prepared& prepared) const {
    if (!prepared_.is_private()) return open_release(prepared, seed_);
    return mechanism::Release::replay(prepared_.setting.relation, prepared_.plan, recording_);
  }
  // The seed is the same for all: what it decides was decided before the release.
  method::Output run_on(const Prepared& prepared, const graph::Split& split, mechanism::Release& release) const {
    return run_method(prepared, training_task(prepared, {parts_.data, split, &parts_}, seed_, release), release);
  }

  double cross_validated(const Prepared& prepared) const {
    std::vector<int32_t> nodes = parts_.split.train;
    RandomStream(seed_, "folds").shuffle(std::span<int32_t>(nodes));
    const auto count = static_cast<int64_t>(nodes.size()), folds = std::min(kFolds, count);
    require(folds >= 2, "--tune judges settings by labels: {} training nodes are too few", count);
    double right = 0;
    for (int64_t fold = 0; fold < folds; ++fold) {
      graph::Split split = parts_.split;
      split.train.clear();
      std::vector<int32_t> held_out;
      for (int64_t i = 0; i < count; ++i) (i % folds == fold ? held_out : split.train).push_back(nodes[i]);
      std::ranges::sort(split.train);
      mechanism::Release release = next_release(prepared);
      right +=
          judge(prepared, parts_, run_on(prepared, split, release), held_out) * static_cast<double>(held_out.size());
    }
    return right / static_cast<double>(count);
  }

  const Prepared& prepared_;
  const Parts& parts_;
  const Seed& seed_;
  mechanism::Recording recording_;
};

TunedTraining charged_search(const Prepared& prepared, const Parts& parts, const Seed& seed) {
  const auto judges = static_cast<double>(parts.split.val.size());
  require(judges > 0, "--tune at node level judges settings by validation nodes, and --split leaves none");
  const std::vector<method::Tunable> tunables = searched(*prepared.experiment, prepared.setting.relation);
  RandomStream number(seed, "number of trials"), choice(seed, "settings");
  const int64_t trials = mechanism::draw_trials(*prepared.plan.trials(), number);
  Best best;
  Progress progress("trials", trials);
  for (int64_t i = 0; i < trials; ++i) {
    const method::OptionValues values = drawn(tunables, choice);
    std::unique_ptr<Experiment> experiment = candidate(prepared, values);
    const Prepared trial = prepared_with(prepared, *experiment);
    const Seed trial_seed = seed.derived(fmt::format("trial {}", i));
    mechanism::Release release = open_release(trial, trial_seed);
    const method::Task task = training_task(trial, {parts.data, parts.split, &parts}, trial_seed, release);
    const Timer timer;
    method::Output output = run_method(trial, task, release);
    const double score = has_score(trial.plan) ? released_score(output, task, release) / judges
                                               : judge(trial, parts, output, parts.split.val);
    best.add({values, score}, std::move(experiment), trial,
             finished(trial, parts, std::move(output), release, timer.seconds()));
    progress.advance();
  }
  return std::move(best).finish();
}

// Every combination of the values, or as many of them as were asked for, drawn without repetition.
std::vector<method::OptionValues> combinations(const std::vector<method::Tunable>& tunables, size_t most,
                                               const Seed& seed) {
  std::vector<method::OptionValues> all{{}};
  for (const method::Tunable& tunable : tunables) {
    std::vector<method::OptionValues> longer;
    for (const method::OptionValues& values : all) {
      for (const std::string& value : tunable.values) {
        longer.push_back(values);
        longer.back().emplace_back(tunable.option, value);
      }
    }
    all = std::move(longer);
  }
  RandomStream(seed, "settings").shuffle(std::span(all));
  if (all.size() > most) all.resize(most);
  return all;
}

// As papers do it: each setting has noise of its own by the paper's arithmetic, and private labels choose.
TunedTraining unpaid_search(const Prepared& prepared, const Parts& parts, const Seed& seed) {
  require(!parts.split.val.empty(), "--tune judges settings by validation nodes, and --split leaves none");
  const std::vector<method::OptionValues> settings =
      combinations(searched(*prepared.experiment, prepared.setting.relation),
                   static_cast<size_t>(*prepared.experiment->settings().tune), seed);
  Best best;
  Progress progress("settings", static_cast<int64_t>(settings.size()));
  for (const method::OptionValues& values : settings) {
    std::unique_ptr<Experiment> experiment = candidate(prepared, values);
    const Prepared own = prepare(*experiment, prepared.setting.relation, prepared.setting.facts);
    Trained trained = train_once(own, parts, seed);
    const double score = judge(own, parts, trained.output, parts.split.val);
    best.add({values, score}, std::move(experiment), own, std::move(trained));
    progress.advance();
  }
  return std::move(best).finish();
}

}  // namespace

TunedTraining tune(const Prepared& prepared, const Parts& parts, const Seed& seed) {
  if (prepared.as_published()) return unpaid_search(prepared, parts, seed);
  if (charged(prepared)) return charged_search(prepared, parts, seed);
  return FreeSearch(prepared, parts, seed).run();
}

}  // namespace graphveil::run
