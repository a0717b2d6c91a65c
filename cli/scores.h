// How good a training came out, for people and for programs: the figures, whose they are, and whether the model says
// more than one answer for everybody would.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "graphveil/run/settings.h"
#include "graphveil/run/train.h"

namespace graphveil::cli {

// Lines of text, the figure that `metric` names first, each saying whose it is.
std::string scores_text(const run::TrainOutcome& outcome, run::Metric metric);
// The fields of `train --json` that judge by labels, and whose they are under `audience`.
void add_scores(const run::TrainOutcome& outcome, nlohmann::ordered_json& object);

}  // namespace graphveil::cli
