// A sweep's results as tables of text.
#pragma once

#include <string>
#include <vector>

#include "graphveil/report/results_groups.h"

namespace graphveil::report {

// Markdown: one table for every graph, a row for every series, a column for every epsilon. A cell is the mean in
// percent with half of its 95% interval; the best of a column, where several are comparable, is bold, and so is what
// cannot be told from it. A dagger is at what is not shown to be better than the largest class of everybody.
std::string results_markdown(const ResultLines& file, const std::vector<ResultGroup>& groups);

// One row for every run that is done, with a line of names above. Cells that a program would take for a formula begin
// with a quote.
std::string results_csv(const ResultLines& file, const std::vector<ResultGroup>& groups);

}  // namespace graphveil::report
