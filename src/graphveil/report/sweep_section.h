// What a report shows of a sweep.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "graphveil/report/results_groups.h"

namespace graphveil::report {

// Groups with their means and intervals, every run with its seed and score, what attacks found, and the runs that
// failed. Scores read private labels: all of it is the data holder's unless the graphs are public. Throws BadInput.
nlohmann::ordered_json sweep_section(const ResultLines& file, const std::vector<ResultGroup>& groups);

}  // namespace graphveil::report
