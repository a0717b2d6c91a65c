// What a schema says about its data, as options of a run.
#pragma once

#include "graphveil/graph/dataset.h"
#include "graphveil/run/experiment.h"

namespace graphveil::run {

// Sets --data-name, --controller, --purpose and --people to what [about] of the data's declared schema says, where the
// experiment has nothing else for them. Throws BadInput for a schema that cannot be read.
void take_about(Experiment& experiment, const graph::Dataset& data);

}  // namespace graphveil::run
