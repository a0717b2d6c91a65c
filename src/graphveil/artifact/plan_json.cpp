#include "graphveil/artifact/plan_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/account/event_json.h"
#include "graphveil/artifact/source_json.h"
#include "graphveil/base/error.h"
#include "graphveil/base/json_fields.h"

namespace graphveil::artifact {
namespace {

nlohmann::ordered_json line_json(const mechanism::PlanLine& line) {
  return {{"event", account::to_json(line.event)},
          {"releases", to_json(line.source())},
          {"sensitivity", line.sensitivity()},
          {"norm", bound::name(line.norm())},
          {"reads", bound::name(bound::reads(line.source()))},
          {"noise_scale", mechanism::noise_scale(line)}};
}

mechanism::PlanLine line_from_json(const nlohmann::json& entry, size_t index, const std::string& what) {
  const std::string where = fmt::format("{}: line {}", what, index);
  bound::reads_from_name(string_field(entry, "reads", where));  // follows from what is released: verify compares it
  return {account::event_from_json(field(entry, "event", where), index),
          bound::Bound::as_documented(source_from_json(field(entry, "releases", where), where),
                                      number_field(entry, "sensitivity", where),
                                      bound::norm_from_name(string_field(entry, "norm", where)))};
}

}  // namespace

nlohmann::ordered_json to_json(const mechanism::Plan& plan) {
  nlohmann::ordered_json out;
  out["lines"] = nlohmann::ordered_json::array();
  for (const mechanism::PlanLine& line : plan.lines()) out["lines"].push_back(line_json(line));
  out["record_rate"] = plan.record_rate();
  if (plan.trials()) out["trials"] = account::to_json(*plan.trials());
  return out;
}

mechanism::Plan plan_from_json(const nlohmann::json& document, const std::string& what) {
  mechanism::Plan plan;
  const nlohmann::json& lines = list_field(document, "lines", what);
  for (size_t i = 0; i < lines.size(); ++i) plan.add(line_from_json(lines[i], i, what));
  plan = plan.on_sample(number_field(document, "record_rate", what));
  if (document.contains("trials")) {
    plan = plan.best_of(account::trials_from_json(document["trials"], what + ": trials"));
  }
  return plan;
}

}  // namespace graphveil::artifact
