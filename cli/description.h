// A graph described, for people and for programs.
#pragma once

#include <string>

#include "cli/command.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::cli {

// 1234567 as 1,234,567.
std::string grouped(int64_t number);

nlohmann::ordered_json description_json(const graph::Dataset& dataset);
std::string description_text(const graph::Dataset& dataset);

}  // namespace graphveil::cli
