#include "graphveil/report/attack_section.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/attack/allowed_roc.h"
#include "graphveil/base/error.h"
#include "graphveil/base/json_fields.h"
#include "graphveil/nn/metrics.h"
#include "graphveil/report/json_values.h"

namespace graphveil::report {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kPerDecade = 16;

struct RateCurve {
  std::vector<double> fpr, tpr;
};

std::vector<double> rates_field(const json& object, const char* name, const std::string& what) {
  std::vector<double> rates;
  for (const json& value : list_field(object, name, what)) {
    const double rate = value.is_number() ? value.get<double>() : -1;
    if (!(rate >= 0 && rate <= 1) || (!rates.empty() && rate < rates.back())) {
      fail(ErrorKind::BadInput, "{}: {} has {}, want rates from 0 to 1 that rise", what, name, value.dump());
    }
    rates.push_back(rate);
  }
  return rates;
}

// The most that is reached with at most so many false positives: no point between two is made up.
double reached(const RateCurve& curve, double fpr) {
  const auto beyond = std::ranges::upper_bound(curve.fpr, fpr);
  if (beyond == curve.fpr.begin()) return 0;
  return curve.tpr[static_cast<size_t>(beyond - curve.fpr.begin()) - 1];
}

// From the smallest rate that any repeat has to 1, evenly by decades.
std::vector<double> rate_grid(const std::vector<RateCurve>& curves) {
  double lowest = 1;
  for (const RateCurve& curve : curves) {
    for (const double rate : curve.fpr) {
      if (rate > 0) lowest = std::min(lowest, rate);
    }
  }
  const double decades = -std::log10(std::clamp(lowest, 1e-6, 0.1));
  const int steps = std::max(1, static_cast<int>(std::ceil(decades * kPerDecade)));
  std::vector<double> grid;
  for (int i = 0; i <= steps; ++i) grid.push_back(std::pow(10.0, -decades * (steps - i) / steps));
  return grid;
}

double fraction_of(const json& interval, const char* name, const std::string& what) {
  const json& value = field(interval, name, what);
  const double mean =
      value.is_object() ? number_field(value, "mean", what + ", " + name) : number_field(interval, name, what);
  if (!(mean >= 0 && mean <= 1)) fail(ErrorKind::BadInput, "{}: {} is {}, want 0 to 1", what, name, mean);
  return rounded_score(mean);
}

ordered_json interval_of(const json& object, const char* name, const std::string& what) {
  const json& value = field(object, name, what);
  ordered_json out{{"mean", fraction_of(object, name, what)}, {"low", nullptr}, {"high", nullptr}};
  if (!value.is_object() || !value.contains("ci95") || value["ci95"].is_null()) return out;
  const json& ends = list_field(value, "ci95", what + ", " + name);
  if (ends.size() != 2 || !ends[0].is_number() || !ends[1].is_number()) {
    fail(ErrorKind::BadInput, "{}: {}: ci95 is {}, want two numbers", what, name, ends.dump());
  }
  out["low"] = rounded_score(ends[0].get<double>());
  out["high"] = rounded_score(ends[1].get<double>());
  return out;
}

ordered_json curve_json(const std::string& name, const json& found, const std::string& what) {
  ordered_json out{{"name", name},
                   {"auc", interval_of(found, "auc", what)},
                   {"tpr_at_1_percent", interval_of(found, "tpr_at_1_percent_fpr", what)},
                   {"repeats", 0},
                   {"points", ordered_json::array()}};
  if (!found.contains("roc")) return out;
  std::vector<RateCurve> curves;
  for (const json& curve : list_field(found, "roc", what)) {
    curves.push_back({rates_field(curve, "fpr", what), rates_field(curve, "tpr", what)});
    if (curves.back().fpr.size() != curves.back().tpr.size()) {
      fail(ErrorKind::BadInput, "{}: a curve has {} fpr and {} tpr, want as many", what, curves.back().fpr.size(),
           curves.back().tpr.size());
    }
  }
  out["repeats"] = curves.size();
  if (curves.empty()) return out;
  for (const double rate : rate_grid(curves)) {
    std::vector<double> values;
    for (const RateCurve& curve : curves) values.push_back(reached(curve, rate));
    const nn::MeanInterval mean = nn::mean_interval(values);
    ordered_json point{rate, rounded_score(mean.mean)};
    if (mean.low) {
      point.push_back(rounded_score(std::max(*mean.low, 0.0)));
      point.push_back(rounded_score(std::min(*mean.high, 1.0)));
    }
    out["points"].push_back(std::move(point));
  }
  return out;
}

// Whether the guarantee speaks of what the attack asks, and why not.
std::string not_about(const std::string& attack, const json& document, const std::string& what) {
  const auto known = [&](const char* name) { return document.contains(name) && !document[name].is_null(); };
  if (!known("epsilon")) return "The method attacked promises nothing, so nothing bounds an attack on it.";
  if (attack == "links") {
    return "No curve of (epsilon, delta) is drawn: joined nodes resemble each other, which tells of links without any "
           "edge having been read.";
  }
  if (!known("relation") || !known("delta")) {
    return "No curve of (epsilon, delta) is drawn: the file does not say for which relation and delta epsilon is.";
  }
  const std::string relation = string_field(document, "relation", what);
  if (relation != "node") {
    return fmt::format(
        "No curve of (epsilon, delta) is drawn: relation {} does not promise to hide whether a node is a member.",
        relation);
  }
  return "";
}

}  // namespace

ordered_json attack_section(const json& document, const std::string& what) {
  const std::string kind = string_field(document, "attack", what);
  ordered_json out{{"attack", kind},
                   {"method", string_field(document, "method", what)},
                   {"epsilon", nullptr},
                   {"delta", nullptr},
                   {"why_no_bound", not_about(kind, document, what)},
                   {"bound", ordered_json::array()},
                   {"allowed_auc", nullptr},
                   {"curves", ordered_json::array()}};
  if (document.contains("epsilon")) out["epsilon"] = or_null(number_or_null_field(document, "epsilon", what));
  double lowest = 1;
  for (const auto& [name, found] : document.items()) {
    if (!found.is_object() || !found.contains("auc")) continue;
    out["curves"].push_back(curve_json(name, found, what + ", " + name));
    const ordered_json& points = out["curves"].back()["points"];
    if (!points.empty()) lowest = std::min(lowest, points.front().front().get<double>());
  }
  if (out["curves"].empty()) {
    fail(ErrorKind::BadInput,
         "{}: has no field with an auc: want a file that `attack membership`, `lira` or `links` "
         "wrote with --out",
         what);
  }
  if (!out["why_no_bound"].get<std::string>().empty()) return out;
  const double epsilon = number_field(document, "epsilon", what), delta = number_field(document, "delta", what);
  out["delta"] = delta;
  out["allowed_auc"] = rounded_score(attack::allowed_auc(epsilon, delta));
  for (const double rate : rate_grid({{{lowest}, {0}}})) {
    out["bound"].push_back({rate, attack::allowed_tpr(rate, epsilon, delta)});
  }
  return out;
}

ordered_json audit_section(const json& document, const std::string& what) {
  ordered_json out{{"target", string_field(document, "target", what)},
                   {"level", string_field(document, "level", what)},
                   {"accounting", string_field(document, "accounting", what)},
                   {"confidence", number_field(document, "confidence", what)},
                   {"refuted", bool_field(document, "refuted", what)},
                   {"rows", ordered_json::array()}};
  for (const json& row : list_field(document, "rows", what)) {
    out["rows"].push_back({{"what", string_field(row, "what", what)},
                           {"claimed", or_null(number_or_null_field(row, "epsilon_claimed", what))},
                           {"low", number_field(row, "epsilon_low", what)},
                           {"delta", number_field(row, "delta", what)},
                           {"refuted", bool_field(row, "refuted", what)},
                           {"trials", whole_field(row, "trials", what, int64_t{1} << 53)}});
  }
  return out;
}

}  // namespace graphveil::report
