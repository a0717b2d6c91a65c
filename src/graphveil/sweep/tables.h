// The tables of a sweep, for people, Markdown, LaTeX and spreadsheets.
#pragma once

#include <map>
#include <string>

#include "graphveil/sweep/plan.h"
#include "graphveil/sweep/result.h"
#include "graphveil/sweep/summary.h"

namespace graphveil::sweep {

// Every graph: a row for each label, a column for each budget; percent, half the width of the 95% interval; a star at
// what is best within noise. Nothing where there is no cell.
std::string text_table(const Summary& summary);
// How the others differ from the best or the baseline, seed by seed.
std::string text_differences(const Summary& summary);
// What stars and intervals mean, and what keeps rows from being compared.
std::string text_notes(const Summary& summary);

// All that a plan asks for, with its title.
std::string markdown_page(const Plan& plan, const Summary& summary, const std::map<std::string, Result>& results);
std::string latex_table(const Plan& plan, const Summary& summary, const std::map<std::string, Result>& results);
// A paper's rows beside ours.
std::string text_rows(const Plan& plan, const std::map<std::string, Result>& results);
// One row for each run that has ended, in the order of the plan.
std::string csv_table(const Plan& plan, const std::map<std::string, Result>& results);

// "test accuracy", "macro F1".
std::string metric_name(const std::string& metric);

}  // namespace graphveil::sweep
