// A graph described, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::cli {

// 1234567 as 1,234,567.
std::string grouped(int64_t number);

nlohmann::ordered_json description_json(const graph::Dataset& dataset);
std::string description_text(const graph::Dataset& dataset);

// What the data has and a file of this name does not: .npz has no names and no schema. Empty without a name.
std::vector<std::string> left_behind(const graph::Dataset& dataset, const std::string& path);
// One line about it, or nothing.
std::string left_behind_text(const std::vector<std::string>& lost);

}  // namespace graphveil::cli
