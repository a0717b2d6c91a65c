// What a run gave out, in order: enough to run it again without its noise.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "graphveil/base/integer_matrix.h"
#include "graphveil/base/matrix.h"

namespace graphveil::mechanism {

// The k largest entries of each of several rows, in order, row after row.
struct LargestEntries {
  std::vector<int32_t> columns;
  std::vector<double> values;
};

using Output = std::variant<Matrix, IntegerMatrix<int64_t>, std::vector<double>, int32_t, int64_t, std::vector<int32_t>,
                            std::vector<int64_t>, LargestEntries>;

struct RecordedOutput {
  std::string label;
  Output output;
};

using Recording = std::vector<RecordedOutput>;

}  // namespace graphveil::mechanism
