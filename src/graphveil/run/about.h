// What a schema says about its data, as options of a run; and what must not be an option where nobody declared one.
#pragma once

#include "graphveil/graph/dataset.h"
#include "graphveil/run/experiment.h"

namespace graphveil::run {

// Sets --data-name, --controller, --purpose and --people to what [about] of the data's declared schema says, where the
// experiment has nothing else for them. Throws BadInput for a schema that cannot be read.
//
// Without a declared schema the names of the classes are not public, and options are published: --class-weights then
// goes by numbers. Throws as given_weights does.
void take_about(Experiment& experiment, const graph::Dataset& data);

}  // namespace graphveil::run
