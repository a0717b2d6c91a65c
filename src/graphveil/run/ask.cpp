#include "graphveil/run/ask.h"

#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/learn/propagate.h"

namespace graphveil::run {

mechanism::Plan asking_plan(const Prepared& prepared) {
  return prepared.experiment->method().inference_plan(prepared.noise, prepared.setting);
}

mechanism::Release asking_door(const Prepared& prepared, const Seed& seed, double cap) {
  const bound::Relation relation = prepared.setting.relation;
  const mechanism::Plan plan = asking_plan(prepared);
  if (!prepared.is_private()) return mechanism::Release::clear(relation, plan);
  return mechanism::Release::open(relation, plan, {cap, prepared.delta}, seed);
}

mechanism::Release clear_door(const Prepared& prepared) {
  return mechanism::Release::clear(prepared.setting.relation,
                                   prepared.experiment->method().inference_plan(0, prepared.setting));
}

method::Predictions ask(const Prepared& prepared, const nn::State& model, const Given& given, mechanism::Release& door,
                        const Seed& seed) {
  method::Predictions made = prepared.experiment->method().infer(model, asking_task(prepared, given, seed), door);
  if (door.promises() && !door.complete()) fail(ErrorKind::Internal, "the prediction spent less than its plan");
  return propagated(prepared.experiment->settings(), given.data.graph, std::move(made));
}

method::Predictions propagated(const Settings& settings, const graph::Graph& graph, method::Predictions predictions) {
  if (settings.propagate == 0) return predictions;
  return mechanism::Holder<Matrix>(
      learn::propagate(graph, method::values(predictions), settings.propagate, settings.alpha, settings.propagated));
}

graph::Split labeled_nodes(const graph::Dataset& data) {
  graph::Split split;
  for (int64_t v = 0; v < data.nodes(); ++v) {
    if (data.labels[v] != graph::kUnlabeled) split.train.push_back(static_cast<int32_t>(v));
  }
  return split;
}

}  // namespace graphveil::run
