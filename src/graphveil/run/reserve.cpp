#include "graphveil/run/reserve.h"

#include <algorithm>
#include <string>

#include "graphveil/account/ledger.h"
#include "graphveil/base/error.h"
#include "graphveil/method/registry.h"
#include "graphveil/run/search.h"
#include "graphveil/run/statements.h"

namespace graphveil::run {
namespace {

constexpr const char* kLater = "later ";

bool is_later(const mechanism::PlanLine& line) { return line.event.label().starts_with(kLater); }

// `asking`, so often, under labels of its own.
mechanism::Plan repeated(const mechanism::Plan& asking, int64_t times) {
  mechanism::Plan out;
  for (const mechanism::PlanLine& line : asking.lines()) {
    out.add({mechanism::with_count(line.event, times * line.event.count(), kLater + line.event.label()), line.bound});
  }
  return out;
}

mechanism::Plan asking(const Prepared& prepared, double noise) {
  return prepared.experiment->method().inference_plan(noise, prepared.setting);
}

}  // namespace

mechanism::Plan reserved_plan(const Prepared& prepared, double noise) {
  const std::optional<int64_t>& wanted = prepared.experiment->settings().predictions;
  return wanted && prepared.is_private() ? repeated(asking(prepared, noise), *wanted) : mechanism::Plan();
}

void check_reserve(const Prepared& prepared) {
  if (!prepared.experiment->settings().predictions) return;
  const std::string name = prepared.experiment->method().describe().name;
  require(prepared.is_private(), "--predictions: {} promises nothing, so nothing needs to be reserved", name);
  require(!prepared.as_published(),
          "--predictions: no paper's arithmetic speaks of later predictions; leave --accounting at tight");
  require(
      !charged(prepared),
      "--predictions with a --tune that is charged has no price here: the search would have to pay for them in every "
      "trial; leave out one of the two");
}

mechanism::Plan with_reserve(mechanism::Plan training, const mechanism::Plan& reserved) {
  require(reserved.empty() || (training.record_rate() == 1 && !training.trials()),
          "--predictions: later predictions are no part of a sample of the records or of a search");
  training.add(reserved);
  return training;
}

mechanism::Plan training_part(const mechanism::Plan& plan) {
  if (std::none_of(plan.lines().begin(), plan.lines().end(), is_later)) return plan;
  mechanism::Plan out;
  for (const mechanism::PlanLine& line : plan.lines()) {
    if (!is_later(line)) out.add(line);
  }
  return out;  // with a reserve there is neither a sample of the records nor a search
}

mechanism::Plan reserved_part(const mechanism::Plan& plan) {
  mechanism::Plan out;
  for (const mechanism::PlanLine& line : plan.lines()) {
    if (is_later(line)) out.add(line);
  }
  return out;
}

int64_t reserved_predictions(const artifact::Certificate& certificate) {
  if (reserved_part(certificate.plan).empty()) return 0;
  return Experiment::from(certificate)->settings().predictions.value_or(0);
}

LaterPredictions later_predictions(const Prepared& prepared, const artifact::Certificate& certificate) {
  LaterPredictions out;
  if (!certificate.valid() || artifact::prediction_audience(certificate) == mechanism::Audience::Holder ||
      prepared.experiment->method().wants_public_graph()) {
    return out;
  }
  const mechanism::Plan one = asking(prepared, prepared.noise);
  out.kind = one.empty() ? LaterPredictions::Kind::Free : LaterPredictions::Kind::Charged;
  out.reserved = reserved_predictions(certificate);
  if (out.reserved == 0) return out;
  const int64_t reserved = out.reserved;
  std::vector<int64_t> rows{0, 1, 2, 3, reserved / 2, reserved, reserved + 1, reserved + 2, 2 * reserved};
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  for (const int64_t k : rows) {
    const mechanism::Plan all = k == 0 ? prepared.plan : with_reserve(prepared.plan, repeated(one, k));
    out.table.push_back({k, k <= reserved, proved_epsilon(all.ledger(), certificate.delta)});
  }
  return out;
}

std::vector<std::string> free_predictors(bound::Relation relation) {
  std::vector<std::string> out;
  for (const std::string& name : method::method_names()) {
    const std::unique_ptr<method::Method> method = method::make_method(name);
    const std::vector<bound::Relation> allowed = method->relations();
    if (std::ranges::find(allowed, relation) == allowed.end() || method->wants_public_graph()) continue;
    if (method->predictions(relation).audience == mechanism::Audience::Holder) continue;
    const method::Setting setting{relation, 1, {.nodes = 100, .train_nodes = 50, .features = 10, .classes = 2}};
    if (method->inference_plan(1, setting).empty()) out.push_back(name);
  }
  return out;
}

}  // namespace graphveil::run
