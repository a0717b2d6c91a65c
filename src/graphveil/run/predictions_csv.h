// Predictions as text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "graphveil/base/matrix.h"

namespace graphveil::run {

// id, prediction, one column per class. Row i is about node ids[i], or node i when ids is empty.
std::string predictions_csv(const Matrix& probabilities, std::span<const int32_t> ids = {});

}  // namespace graphveil::run
