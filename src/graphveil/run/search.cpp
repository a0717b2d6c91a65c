#include "graphveil/run/search.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "graphveil/account/calibrate.h"
#include "graphveil/account/tuned.h"
#include "graphveil/base/error.h"
#include "graphveil/bound/correct_count.h"
#include "graphveil/nn/metrics.h"
#include "graphveil/run/class_weights.h"

namespace graphveil::run {
namespace {

constexpr const char* kScore = "score";
constexpr const char* kAuto = "auto";
constexpr double kScoreShare = 0.1;  // of a trial's budget

std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream in(text);
  for (std::string name; std::getline(in, name, ',');) names.push_back(name);
  return names;
}

// Where validation nodes are known to be public beforehand, and no line tells their edges.
bool score_is_free(const Prepared& prepared, const mechanism::Plan& plan) {
  const Settings& settings = prepared.experiment->settings();
  return settings.public_data == "val" && settings.split == "file" &&
         std::all_of(plan.lines().begin(), plan.lines().end(), [](const mechanism::PlanLine& line) {
           return bound::reads(line.source()) == bound::Reads::OwnRecords;
         });
}

// Budgets of Gaussian noise add up, and so, nearly, do all others.
mechanism::PlanLine score_line(const mechanism::Plan& trial) {
  const double score = std::sqrt(kScoreShare / (1 - kScoreShare)) * account::likely_mu(trial.ledger());
  return {account::Event(kScore, account::Gaussian{1 / score}), bound::correct_count_bound()};
}

}  // namespace

std::vector<method::Tunable> searched(const Experiment& experiment, bound::Relation relation) {
  const std::string name = experiment.method().describe().name;
  const std::string& over = experiment.settings().tune_over;
  std::vector<method::Tunable> out, offered = experiment.method().tunables(relation);
  const std::vector<method::Tunable> unpaid = experiment.method().unpaid_tunables(relation);
  const bool published = experiment.settings().accounting == Accounting::Published;
  if (published || experiment.method().relations().empty()) offered.insert(offered.end(), unpaid.begin(), unpaid.end());
  require(!offered.empty(), "--tune: {} has nothing to tune under relation {}", name, bound::name(relation));
  if (over == kAuto) {
    std::copy_if(offered.begin(), offered.end(), std::back_inserter(out),
                 [&](const method::Tunable& tunable) { return !experiment.is_set(tunable.option); });
    require(!out.empty(),
            "--tune: every option of {} that could be tuned is set; leave some out, or name them with "
            "--tune-over",
            name);
    return out;
  }
  std::vector<std::string> known;
  for (const method::Tunable& tunable : offered) known.push_back(tunable.option);
  for (const std::string& option : listed(over)) {
    const auto found =
        std::find_if(offered.begin(), offered.end(), [&](const method::Tunable& t) { return t.option == option; });
    require(found != offered.end() || std::ranges::none_of(unpaid, [&](const auto& t) { return t.option == option; }),
            "--tune-over names '{}', and each value of it releases something else, for which no search has a price; "
            "--accounting published tries them as the paper does, which does not pay for it",
            option);
    require(found != offered.end(), "--tune-over names '{}'; {} under relation {} offers {}", option, name,
            bound::name(relation), fmt::join(known, ", "));
    out.push_back(*found);
  }
  require(!out.empty(), "--tune-over is empty; {} offers {}", name, fmt::join(known, ", "));
  return out;
}

std::string searched_names(const Experiment& experiment, bound::Relation relation) {
  std::string names;
  for (const method::Tunable& tunable : searched(experiment, relation)) {
    names += (names.empty() ? "" : ",") + tunable.option;
  }
  return names;
}

bool charged(const Prepared& prepared) {
  return prepared.experiment->settings().tune && prepared.is_private() && !prepared.as_published() &&
         !bound::edge_level(prepared.setting.relation);
}

void check_search(const Prepared& prepared) {
  const method::Method& method = prepared.experiment->method();
  const std::string name = method.describe().name;
  const bound::Relation relation = prepared.setting.relation;
  require(!method.wants_public_graph(),
          "--tune: {} predicts on a public graph without labels, so nothing tells how good "
          "a setting is",
          name);
  if (charged(prepared)) {
    const method::PredictionCover cover = method.predictions(relation);
    require(cover.audience != mechanism::Audience::Holder && cover.relation == relation,
            "--tune: the predictions of {} with these options read more than a node's own record under relation {}, so "
            "no score of them is known to be private",
            name, bound::name(relation));
  }
  searched(*prepared.experiment, relation);
}

mechanism::Plan planned(const Prepared& prepared, double noise) {
  mechanism::Plan plan = prepared.experiment->method().plan(noise, prepared.setting);
  check_class_weights(prepared, plan);
  add_class_counts(prepared, plan);
  if (!charged(prepared)) return plan;
  if (!score_is_free(prepared, plan)) {
    const Metric metric = prepared.experiment->settings().metric;
    require(metric == Metric::Auto || metric == Metric::Accuracy,
            "--tune at node level goes by the number of right predictions, on which one record has a bounded say: "
            "--metric accuracy. Only labels that are public can choose by another metric");
    plan.add(score_line(plan));
  }
  return plan.best_of(account::trials_of_mean(*prepared.experiment->settings().tune));
}

bool has_score(const mechanism::Plan& plan) {
  return std::any_of(plan.lines().begin(), plan.lines().end(),
                     [](const mechanism::PlanLine& line) { return line.event.label() == kScore; });
}

double released_score(const method::Output& output, const method::Task& task, mechanism::Release& release) {
  auto right = bound::correct_count(nn::predictions(method::values(output.predictions)), task.data.labels,
                                    task.split.val, release.relation(), release.grid(kScore));
  return release.gaussian(kScore, std::move(right)).value()(0, 0);
}

std::string search_remark(const Prepared& prepared) {
  const Experiment& experiment = *prepared.experiment;
  const std::string names = searched_names(experiment, prepared.setting.relation);
  const int64_t tune = *experiment.settings().tune;
  if (prepared.as_published()) {
    return fmt::format("up to {} settings of {} were trained and the one that validation labels liked best was kept",
                       tune, names);
  }
  if (!charged(prepared)) {
    return fmt::format(
        "up to {} settings of {} were tried by labels, which are public here; all of them read the values that "
        "one run released, so the search costs nothing",
        tune, names);
  }
  return fmt::format(
      "this is the best of a random number of trainings, {} on average, with settings of {} drawn from a "
      "public list and noise of their own; the ledger charges for the search. How many there were, what "
      "the others gave and all scores are the data holder's",
      tune, names);
}

}  // namespace graphveil::run
