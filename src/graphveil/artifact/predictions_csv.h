// Predictions as text.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/graph/names.h"

namespace graphveil::artifact {

// What rows and classes are called; by number where there are no names.
struct PredictionNames {
  graph::Names ids{};                  // row i is about ids[i]
  std::span<const int32_t> numbers{};  // without ids, row i is about node numbers[i]; empty: node i
  graph::Names classes{};
};

// id, prediction, one column per class: quoted where a name asks for it.
std::string predictions_csv(const Matrix& probabilities, const PredictionNames& names = {});
// The same text in pieces, in order: each is shown to all of `readers` at once, while the next is made.
using TextReader = std::function<void(std::string_view)>;
void predictions_csv(const Matrix& probabilities, const PredictionNames& names, std::span<const TextReader> readers);

// The probabilities in such a text, to six digits. Throws BadInput, naming the line, for anything else.
Matrix probabilities_from_csv(const std::string& csv);

// Whom the rows of such a text are about, in their order. Throws BadInput for a row without an id.
std::vector<std::string> prediction_ids(const std::string& csv);

// The rows of such a text, its header not counted.
int64_t prediction_rows(const std::string& csv);

}  // namespace graphveil::artifact
