#include "graphveil/run/class_weights.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "graphveil/account/calibrate.h"
#include "graphveil/base/error.h"
#include "graphveil/bound/class_sums.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/method/registry.h"

namespace graphveil::run {
namespace {

constexpr const char* kClassCounts = "class counts";
constexpr const char* kNoWeights = "none";
constexpr const char* kBalanced = "balanced";
constexpr double kCountShare = 0.05;  // of the budget
constexpr double kLeastWeight = 1e-6, kMostWeight = 1e6;

const std::string& weights_text(const Prepared& prepared) { return prepared.experiment->settings().class_weights; }

// Whether balanced weights need a look at private labels.
bool counts_are_private(const Prepared& prepared) {
  return weights_text(prepared) == kBalanced && prepared.is_private() && !bound::edge_level(prepared.setting.relation);
}

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string> class_list(int32_t classes, const graph::Names& names) {
  if (names.size() == classes) return names.list();
  std::vector<std::string> out;
  for (int32_t k = 0; k < classes; ++k) out.push_back(std::to_string(k));
  return out;
}

std::vector<std::string> that_weigh(bound::Relation relation) {
  std::vector<std::string> out;
  for (const std::string& name : method::method_names()) {
    const std::unique_ptr<method::Method> method = method::make_method(name);
    const std::vector<bound::Relation> allowed = method->relations();
    if (std::ranges::find(allowed, relation) != allowed.end() && method->weighs_classes(relation)) out.push_back(name);
  }
  return out;
}

// "#2": the place of that class; none: it is no such text.
std::optional<size_t> numbered(const std::string& text, size_t classes) {
  if (text.size() < 2 || text.front() != '#') return std::nullopt;
  size_t place = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), place);
  if (error != std::errc() || end != text.data() + text.size() || place >= classes) return std::nullopt;
  return place;
}

// One part of a text like "died=5,left=2".
struct ClassWeight {
  size_t place = 0;
  std::string name;
  double weight = 1;
};

std::vector<ClassWeight> typed_weights(const std::string& text, int32_t classes, const graph::Names& names) {
  const std::vector<std::string> known = class_list(classes, names);
  std::vector<ClassWeight> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) {
    const size_t equals = part.rfind('=');
    require(equals != std::string::npos,
            "--class-weights has '{}', want CLASS=WEIGHT with commas between, balanced, or none", part);
    const std::string name = part.substr(0, equals);
    const auto found = std::ranges::find(known, name);
    const std::optional<size_t> place = numbered(name, known.size());
    require(place || found != known.end(), "--class-weights names class '{}'; the data have {}", name,
            fmt::join(known, ", "));
    const std::optional<double> weight = number_of(part.substr(equals + 1));
    require(weight && *weight >= kLeastWeight && *weight <= kMostWeight,
            "--class-weights gives class '{}' the weight '{}', want a number from {:g} to {:g}", name,
            part.substr(equals + 1), kLeastWeight, kMostWeight);
    const auto named = static_cast<size_t>(found - known.begin());
    require(!place || found == known.end() || *place == named,
            "--class-weights has '{}', which is the name of one class and the number of another; rename the class",
            name);
    out.push_back({place.value_or(named), name, *weight});
    const auto same = [&](const ClassWeight& other) { return other.place == out.back().place; };
    require(std::ranges::count_if(out, same) == 1, "--class-weights names class '{}' twice", name);
  }
  require(!out.empty(), "--class-weights is empty, want CLASS=WEIGHT with commas between, balanced, or none");
  return out;
}

// Labels that are public, or read where nothing is promised.
std::vector<Real> weights_of_labels(const method::Task& task) {
  std::vector<double> counts(static_cast<size_t>(task.data.classes), 0);
  for (const int32_t v : task.split.train) {
    if (const int32_t label = task.data.labels[v]; label != graph::kUnlabeled) ++counts[static_cast<size_t>(label)];
  }
  return balanced_weights(counts, 1);
}

}  // namespace

std::vector<Real> given_weights(const std::string& text, int32_t classes, const graph::Names& names) {
  std::vector<Real> out(static_cast<size_t>(classes), Real{1});
  for (const ClassWeight& given : typed_weights(text, classes, names))
    out[given.place] = static_cast<Real>(given.weight);
  return out;
}

std::string weights_by_number(const std::string& text, int32_t classes, const graph::Names& names) {
  if (text == kNoWeights || text == kBalanced) return text;
  std::string out;
  for (const ClassWeight& given : typed_weights(text, classes, names)) {
    out += fmt::format("{}#{}={}", out.empty() ? "" : ",", given.place, given.weight);
  }
  return out;
}

std::vector<Real> balanced_weights(std::span<const double> counts, double least) {
  double all = 0;
  for (const double count : counts) all += std::max(count, least);
  std::vector<Real> out;
  for (const double count : counts) {
    out.push_back(static_cast<Real>(all / (static_cast<double>(counts.size()) * std::max(count, least))));
  }
  return out;
}

void check_class_weights(const Prepared& prepared, const mechanism::Plan& plan) {
  const std::string& text = weights_text(prepared);
  if (text == kNoWeights) return;
  const method::Method& method = prepared.experiment->method();
  const std::string name = method.describe().name;
  const bound::Relation relation = prepared.setting.relation;
  require(method.weighs_classes(relation), "--class-weights: {} with these options weighs no classes{}", name,
          prepared.is_private() ? fmt::format("; under relation {} these do: {}", bound::name(relation),
                                              fmt::join(that_weigh(relation), ", "))
                                : std::string());
  require(!prepared.as_published(),
          "--class-weights: no paper's arithmetic speaks of them; leave --accounting at tight");
  require(!counts_are_private(prepared) || plan.record_rate() == 1,
          "--class-weights balanced counts all records, and --node-rate has the run read a sample of them: give the "
          "weights themselves, which you declare public");
  require(!counts_are_private(prepared) || prepared.setting.facts.classes >= 2, "--class-weights: there is one class");
}

void check_given_weights(const Settings& settings, const graph::Dataset& data) {
  if (settings.class_weights == kNoWeights || settings.class_weights == kBalanced) return;
  given_weights(settings.class_weights, data.classes, data.class_names);
}

mechanism::PlanLine class_counts_line(const mechanism::Plan& plan, int32_t classes) {
  const double strength = std::sqrt(kCountShare / (1 - kCountShare)) * account::likely_mu(plan.ledger());
  return {account::Event(kClassCounts, account::Gaussian{1 / strength}), bound::class_sums_bound(classes)};
}

void add_class_counts(const Prepared& prepared, mechanism::Plan& plan) {
  if (counts_are_private(prepared)) plan.add(class_counts_line(plan, prepared.setting.facts.classes));
}

std::vector<Real> noisy_balanced_weights(const method::Task& task, mechanism::Release& release) {
  const auto nodes = static_cast<int64_t>(task.split.train.size());
  Matrix ones(nodes, 1);
  std::ranges::fill(ones.values(), Real{1});
  std::vector<int32_t> labels;
  for (const int32_t v : task.split.train) labels.push_back(task.data.labels[v]);
  const auto sums = release.gaussian(
      kClassCounts, bound::class_sums(ones, labels, task.data.classes, task.relation, release.grid(kClassCounts)));
  // A sum is its class's count less the share of a class that is like all others.
  std::vector<double> counts;
  for (int32_t k = 0; k < task.data.classes; ++k) {
    counts.push_back(sums.value()(0, k) + static_cast<double>(nodes) / task.data.classes);
  }
  // Below its noise a count says nothing but that the class is rare.
  return balanced_weights(counts, std::max(1.0, sums.noise_scale()));
}

method::Output run_method(const Prepared& prepared, method::Task task, mechanism::Release& release) {
  const std::string& text = weights_text(prepared);
  std::vector<Real> weights;
  if (text == kBalanced) {
    weights = counts_are_private(prepared) ? noisy_balanced_weights(task, release) : weights_of_labels(task);
  } else if (text != kNoWeights) {
    weights = given_weights(text, task.data.classes, task.data.class_names);
  }
  task.class_weights = weights;
  return prepared.experiment->method().run(task, release);
}

}  // namespace graphveil::run
