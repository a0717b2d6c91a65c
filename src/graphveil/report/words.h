// Predictions in plain words.
#pragma once

#include <string>

#include "graphveil/run/predict.h"

namespace graphveil::report {

std::string in_words(const run::Prediction& prediction);

}  // namespace graphveil::report
