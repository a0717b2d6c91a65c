#include "graphveil/run/signals.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <variant>

#include <fmt/format.h>

#include "graphveil/mechanism/strength.h"

namespace graphveil::run {
namespace {

void keep_smaller(std::optional<double>& least, double strength) {
  least = std::min(least.value_or(std::numeric_limits<double>::infinity()), strength);
}

}  // namespace

double assumed_degree(bound::Relation relation, int64_t protect_degree) {
  if (relation != bound::Relation::Node) return kAssumedDegree;
  return std::min(kAssumedDegree, static_cast<double>(protect_degree) / 2);
}

std::optional<double> declared_degree(const Experiment& experiment) {
  const Option* option = experiment.options().find("mean-degree");
  if (option == nullptr) return std::nullopt;
  const std::string text = option->text();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Signals signals_of(const Prepared& prepared, const std::optional<double>& mean_degree) {
  const method::Setting& setting = prepared.setting;
  const double degree = mean_degree.value_or(assumed_degree(setting.relation, setting.protect_degree));
  Signals out;
  for (const mechanism::PlanLine& line : prepared.plan.lines()) {
    if (std::holds_alternative<bound::source::Gradients>(line.source())) {
      // A method that does not tell its size has at least about that of a linear softmax.
      double numbers = prepared.experiment->method().trained_numbers(line.event.label(), setting);
      if (numbers <= 0) numbers = static_cast<double>(setting.facts.features) * setting.facts.classes;
      keep_smaller(out.features,
                   mechanism::training_strength(line, static_cast<double>(setting.facts.train_nodes), numbers));
    } else if (std::holds_alternative<bound::source::NeighborSum>(line.source()) ||
               std::holds_alternative<bound::source::NeighborCounts>(line.source())) {
      keep_smaller(out.contacts, mechanism::contact_strength(line, degree));
    }
  }
  return out;
}

double drowned_below(Signal signal) {
  return signal == Signal::Features ? mechanism::kDrowned : mechanism::kDrownedContacts;
}

const char* signal_word(Signal signal, double strength) {
  const double least = drowned_below(signal);
  if (strength < least) return "drowned";
  return strength < 3 * least ? "weak" : "clear";
}

bool contacts_drowned(const Signals& signals) {
  return signals.contacts && *signals.contacts < drowned_below(Signal::Contacts);
}

std::string signals_text(const Signals& signals) {
  const auto part = [](const char* what, Signal signal, const std::optional<double>& strength) {
    return strength ? fmt::format("{} {:.2g} ({})", what, *strength, signal_word(signal, *strength)) : std::string();
  };
  const std::string features = part("features", Signal::Features, signals.features),
                    contacts = part("contacts", Signal::Contacts, signals.contacts);
  return features + (features.empty() || contacts.empty() ? "" : ", ") + contacts;
}

std::vector<std::string> drowned_warnings(const Prepared& prepared) {
  std::vector<std::string> out = prepared.experiment->method().drowned(prepared.plan, prepared.setting);
  const std::optional<double> declared = declared_degree(*prepared.experiment);
  if (!declared || prepared.setting.relation != bound::Relation::Node) return out;
  const Signals signals = signals_of(prepared, declared);
  if (contacts_drowned(signals)) {
    out.push_back(fmt::format(
        "contacts will be drowned in noise: {:g} that agree are {:.2g} times as strong as it, and below {} they were "
        "not seen to help; mlp-dp reads none, and does as well",
        *declared, *signals.contacts, drowned_below(Signal::Contacts)));
  }
  return out;
}

}  // namespace graphveil::run
