// What a training came to, as JSON and for people.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "graphveil/run/train.h"

namespace graphveil::cli {

// `out` is the run folder; empty: none.
nlohmann::ordered_json outcome_json(const run::TrainOutcome& outcome, double load_seconds, double train_seconds,
                                    const std::string& out);
std::string outcome_text(const run::TrainOutcome& outcome, run::Metric metric, const std::string& out);

}  // namespace graphveil::cli
