#include "graphveil/run/compare.h"

#include <vector>

#include "graphveil/base/error.h"

namespace graphveil::run {

bool can_compare(const method::Method& method) {
  const std::vector<bound::Relation> relations = method.relations();
  return !relations.empty() && !bound::edge_level(relations.front()) && !method.wants_public_graph() &&
         method.predictions(relations.front()).audience == mechanism::Audience::Holder;
}

void check_comparable(const Experiment& experiment, bool symmetric) {
  require(!bound::edge_level(chosen_relation(experiment, symmetric)), "--compare is for node level: {} protects nodes",
          kRival);
}

std::unique_ptr<Experiment> rival_of(const Experiment& experiment) {
  auto rival = std::make_unique<Experiment>("mlp-dp");
  Settings shared;
  Options names;
  shared.declare(names);
  for (const Option& option : names.list()) rival->set(option.name, experiment.options().find(option.name)->text());
  rival->set("propagate", "2");
  rival->set("alpha", "0.25");
  rival->set("learning-rate", "0.1");
  return rival;
}

}  // namespace graphveil::run
