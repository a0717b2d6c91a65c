// Predictions and scores in plain words.
#pragma once

#include <string>

#include "graphveil/run/predict.h"
#include "graphveil/run/train.h"

namespace graphveil::report {

std::string in_words(const run::Prediction& prediction);

// The name of a class, or its number.
std::string class_called(const run::TrainOutcome& outcome, int32_t k);
// One sentence where the model that is kept is not shown to be better than the majority; else empty. It reads labels.
std::string majority_warning(const run::TrainOutcome& outcome);

}  // namespace graphveil::report
