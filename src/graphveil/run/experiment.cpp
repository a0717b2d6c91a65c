#include "graphveil/run/experiment.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "graphveil/account/calibrate.h"
#include "graphveil/account/drawn.h"
#include "graphveil/base/error.h"
#include "graphveil/base/resources.h"
#include "graphveil/method/registry.h"
#include "graphveil/run/reserve.h"
#include "graphveil/run/search.h"

namespace graphveil::run {
namespace {

// Whether delta can be 0 at no great cost: one release whose loss is bounded. The losses of many have bounds that add
// up, while but for a small chance their sum is far below.
bool pure(const mechanism::PlanLine& line) {
  if (line.event.count() > 1) return false;
  struct Visitor {
    bool operator()(const account::Gaussian&) const { return false; }
    bool operator()(const account::Laplace&) const { return true; }
    bool operator()(const account::Exponential&) const { return true; }
    bool operator()(const account::RandomizedResponse&) const { return true; }
    bool operator()(const account::DiscreteLaplace&) const { return true; }
    bool operator()(const account::DiscreteGaussian&) const { return false; }
  };
  return std::visit(Visitor{}, mechanism::mechanism_of(line.event).mechanism);
}

// Where delta is not 0: below one in the number of nodes, all of whom are people, so that the run is releasable. It is
// made from public numbers; the number of edges is private.
double automatic_delta(const method::Setting& setting) {
  const double below = power_of_digits(std::max(setting.facts.nodes, setting.facts.train_nodes));
  return bound::edge_level(setting.relation) ? below / 100 : below;
}

bool pure(const mechanism::Plan& plan) {
  return std::all_of(plan.lines().begin(), plan.lines().end(),
                     [](const mechanism::PlanLine& line) { return pure(line); });
}

// The noise that meets the target as drawn. What samplers owe is far less than the tolerance of a calibration, which
// mostly leaves room for it; else the target is a little lower.
double calibrated_noise(const account::Plan& ledger, double epsilon, double delta) {
  for (const double share : {1.0, 1 - 1e-6, 1 - 1e-3}) {
    const double noise = account::calibrate(ledger, share * epsilon, delta).noise;
    if (account::drawn_epsilon(ledger(noise), delta) <= epsilon) return noise;
  }
  fail(ErrorKind::NotConverged, "no noise meets epsilon {} at delta {} as drawn", epsilon, delta);
}

// What gives a run that has no published accounting as it stands: the paper's settings, where they have one.
std::string published_advice(const Prepared& prepared) {
  const std::string tight = "leave --accounting at tight";
  if (prepared.experiment->preset() == "paper") return tight;
  Experiment paper(prepared.experiment->method().describe().name);
  paper.use_preset("paper");
  const bool helps =
      paper.method().published(prepared.experiment->settings().epsilon, prepared.delta, prepared.setting).has_value();
  return helps ? tight + ", or use --preset paper" : tight;
}

// How much noise, what a run will spend, and the epsilon that may cost.
void choose_noise(Prepared& prepared) {
  const method::Method& method = prepared.experiment->method();
  const Settings& settings = prepared.experiment->settings();
  const auto plan = [&](double noise) { return planned(prepared, noise); };
  const auto ledger = [&](double noise) { return with_reserve(plan(noise), reserved_plan(prepared, noise)).ledger(); };
  if (!prepared.as_published()) {
    if (plan(1).empty()) {
      prepared.noise = 0;
    } else {
      prepared.noise = settings.noise_multiplier ? *settings.noise_multiplier
                                                 : calibrated_noise(ledger, settings.epsilon, prepared.delta);
    }
    prepared.plan = plan(prepared.noise);
    prepared.reserved = reserved_plan(prepared, prepared.noise);
    prepared.cap = settings.noise_multiplier ? std::numeric_limits<double>::infinity() : settings.epsilon;
    return;
  }
  require(!settings.noise_multiplier, "--noise-multiplier fixes the noise; --accounting published finds it");
  std::optional<method::Published> published = method.published(settings.epsilon, prepared.delta, prepared.setting);
  if (!published) {
    fail(ErrorKind::Unsupported, "{} with these options has no published accounting under relation {}; {}",
         method.describe().name, bound::name(prepared.setting.relation), published_advice(prepared));
  }
  prepared.reasons = std::move(published->reasons);
  if (settings.tune) {
    prepared.reasons.emplace_back(
        "several settings were tried on the private data, and only the one that was kept is charged");
  }
  prepared.reasons.insert(prepared.reasons.begin(), "the noise was chosen by the paper's arithmetic");
  prepared.noise = published->noise;
  prepared.published_epsilon = published->epsilon.value_or(settings.epsilon);
  // The paper's noise may cost more than the paper says: the certificate will tell.
  prepared.plan = published->plan ? *published->plan : plan(published->noise);
  prepared.cap = std::numeric_limits<double>::infinity();
}

}  // namespace

Experiment::Experiment(const std::string& method_name) : method_(method::make_method(method_name)) {
  settings_.declare(options_, method_->wants_public_graph());
  method_->declare(options_);
}

std::unique_ptr<Experiment> Experiment::from(const std::string& method_name, const method::OptionValues& values) {
  auto out = std::make_unique<Experiment>(method_name);
  for (const auto& [name, value] : values) out->set(name, value);
  return out;
}

std::unique_ptr<Experiment> Experiment::from(const artifact::Certificate& certificate) {
  return from(certificate.method, certificate.config);
}

void Experiment::use_preset(const std::string& preset) {
  preset_ = preset;
  if (preset == "default") return;
  std::string names = "default";
  for (const method::Preset& known : method_->presets()) {
    if (known.name == preset) return method_->use_preset(preset);
    names += ", " + known.name;
  }
  fail(ErrorKind::InvalidArgument, "--preset is '{}', want {}", preset, names);
}

void Experiment::set(const std::string& option, const std::string& value) {
  options_.set(option, value);
  set_.insert(options_.find(option)->name);
}

std::string Experiment::number_text(double value) { return fmt::format("{}", value); }

std::unique_ptr<Experiment> with_options(const Experiment& experiment, const method::OptionValues& values) {
  auto out = Experiment::from(experiment.method().describe().name, experiment.values());
  for (const auto& [name, value] : values) out->set(name, value);
  return out;
}

std::vector<std::pair<std::string, std::string>> Experiment::values() const {
  std::vector<std::pair<std::string, std::string>> values;
  for (const Option& option : options_.list()) values.emplace_back(option.name, option.text());
  return values;
}

namespace {

std::vector<std::string> protecting(bound::Relation relation) {
  std::vector<std::string> out;
  for (const std::string& name : method::method_names()) {
    const std::vector<bound::Relation> allowed = method::make_method(name)->relations();
    if (std::ranges::find(allowed, relation) != allowed.end()) out.push_back(name);
  }
  return out;
}

}  // namespace

bound::Relation chosen_relation(const Experiment& experiment, bool symmetric) {
  const method::Method& method = experiment.method();
  const std::optional<bound::Relation>& wanted = experiment.settings().relation;
  std::vector<bound::Relation> allowed = method.relations();
  if (allowed.empty()) {
    require(!wanted, "{} promises nothing, so it has no relation", method.describe().name);
    return bound::Relation::Edge;
  }
  // A directed graph has no undirected edges to protect.
  if (!symmetric) std::erase(allowed, bound::Relation::UndirectedEdge);
  require(!allowed.empty(), "{} wants a symmetric graph", method.describe().name);
  const auto allows = [&](bound::Relation relation) {
    return std::find(allowed.begin(), allowed.end(), relation) != allowed.end();
  };
  if (!wanted) {
    // The papers at node level speak of records with lists of their own.
    const bool published = experiment.settings().accounting == Accounting::Published;
    return published && allows(bound::Relation::Record) ? bound::Relation::Record : allowed.front();
  }
  if (!allows(*wanted)) {
    std::vector<std::string_view> names;
    for (const bound::Relation relation : allowed) names.push_back(bound::name(relation));
    fail(ErrorKind::InvalidArgument, "--relation is '{}'; {} on this graph can protect {}. {} can be protected by {}",
         bound::name(*wanted), method.describe().name, fmt::join(names, ", "), bound::name(*wanted),
         fmt::join(protecting(*wanted), ", "));
  }
  return *wanted;
}

namespace {

// What stands on a certificate's first page is one line.
void check_page_text(const char* option, const std::string& text) {
  constexpr size_t kLongest = 300;
  const bool control = std::ranges::any_of(text, [](char c) { return (c >= 0 && c < ' ') || c == 127; });
  require(text.size() <= kLongest && !control, "--{} has {} bytes{}, want one line of at most {}", option, text.size(),
          control ? ", some of them no letters" : "", kLongest);
}

}  // namespace

Prepared prepare(const Experiment& experiment, bound::Relation relation, const method::PublicFacts& facts) {
  const Settings& settings = experiment.settings();
  check_page_text("data-name", settings.data_name);
  check_page_text("controller", settings.controller);
  check_page_text("purpose", settings.purpose);
  Prepared prepared;
  prepared.experiment = &experiment;
  prepared.setting = {relation, settings.protect_degree, facts, settings.epsilon};
  const Timer timer;
  if (settings.tune) check_search(prepared);
  check_reserve(prepared);
  if (prepared.is_private()) {
    require(bound::edge_level(relation) || facts.train_nodes >= 1, "there are {} training nodes, want at least 1",
            facts.train_nodes);
    // Whoever is several nodes is protected as one of them alone.
    const int64_t nodes_each = settings.entity_size.value_or(1);
    require(bound::edge_level(relation) || !settings.people ||
                *settings.people >= (facts.nodes + nodes_each - 1) / nodes_each,
            "--people {} for {} nodes: somebody must then be several nodes; say how many at most with --entity-size",
            settings.people.value_or(0), facts.nodes);
    require(!settings.balanced || prepared.as_published(),
            "--balanced chooses the private nodes by their labels, which no guarantee covers: it is for --accounting "
            "published, and for methods that promise nothing");
    prepared.setting.delta = settings.delta.value_or(automatic_delta(prepared.setting));
    // The papers' formulas all want a delta.
    const bool zero = !settings.delta && !prepared.as_published() &&
                      pure(with_reserve(planned(prepared, 1), reserved_plan(prepared, 1)));
    prepared.delta = zero ? 0 : prepared.setting.delta;
    choose_noise(prepared);
  } else {
    require(settings.accounting == Accounting::Tight, "{} promises nothing, so there is nothing to account",
            experiment.method().describe().name);
    prepared.plan = planned(prepared, 0);
  }
  prepared.seconds = timer.seconds();
  return prepared;
}

Prepared prepared_as(const Experiment& experiment, const artifact::Certificate& certificate) {
  const Settings& settings = experiment.settings();
  Prepared prepared;
  prepared.experiment = &experiment;
  prepared.setting = {certificate.relation, certificate.protect_degree, certificate.facts, settings.epsilon};
  prepared.setting.delta = settings.delta.value_or(automatic_delta(prepared.setting));
  prepared.delta = certificate.delta;
  prepared.noise = certificate.noise;
  prepared.plan = training_part(certificate.plan);
  prepared.reserved = reserved_part(certificate.plan);
  prepared.cap = certificate.epsilon.value_or(std::numeric_limits<double>::infinity());
  prepared.reasons = certificate.reasons;
  prepared.published_epsilon = certificate.published_epsilon.value_or(0);
  return prepared;
}

std::string config_text(const Experiment& experiment) {
  return fmt::format("# graphveil train {}\n{}", experiment.method().describe().name, experiment.options().to_toml());
}

double power_of_digits(int64_t number) {
  int digits = 0;
  for (int64_t left = std::max<int64_t>(number, 1); left > 0; left /= 10) ++digits;
  // The literal power, without the drift of repeated division.
  return std::strtod(fmt::format("1e-{}", digits).c_str(), nullptr);
}

}  // namespace graphveil::run
