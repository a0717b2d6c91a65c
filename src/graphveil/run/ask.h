// Asking a model about a graph: one way for predictions, attacks and audits.
#pragma once

#include <limits>

#include "graphveil/base/random.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/method/method.h"
#include "graphveil/nn/state.h"
#include "graphveil/run/experiment.h"
#include "graphveil/run/task.h"

namespace graphveil::run {

// What asking releases about the graph that is asked about, with the noise of the run.
mechanism::Plan asking_plan(const Prepared& prepared);

// The door of that plan, which may cost at most `cap`; a clear one for a method that promises nothing. `seed` is that
// of the noise.
mechanism::Release asking_door(const Prepared& prepared, const Seed& seed,
                               double cap = std::numeric_limits<double>::infinity());
// A door without noise, for somebody who has the model and knows the graph.
mechanism::Release clear_door(const Prepared& prepared);

// Class probabilities of every node of `given`, propagated where the settings say so: those are the holder's. Throws
// Internal when a private door spends less than its plan.
method::Predictions ask(const Prepared& prepared, const nn::State& model, const Given& given, mechanism::Release& door,
                        const Seed& seed);

// The predictions as the settings want them: as they are, or propagated over the graph in the clear.
method::Predictions propagated(const Settings& settings, const graph::Graph& graph, method::Predictions predictions);

// Everybody whose label is known tells it; nobody is trained on. Who has a label is public.
graph::Split labeled_nodes(const graph::Dataset& data);

}  // namespace graphveil::run
