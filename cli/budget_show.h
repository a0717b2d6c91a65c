// What a budget book, or runs without one, have spent: in numbers, as bars, and as a page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "graphveil/run/book.h"

namespace graphveil::cli {

double epsilon_of(int64_t millionths);
// "epsilon 8 at delta 1e-06: relation node, ..."
std::string cap_text(const run::Cap& cap);
// What is neither spent nor reserved.
int64_t left_millionths(const run::BookReading& book);

// Each total has a bar, whose end is the cap; `#` is spent, `+` reserved.
void show_book(const std::string& path, const Session& session);
// Run folders, with every prediction in their logs: what `account` says of them, at `delta` or the one that all of
// them name. The longest bar is the dearest total. Throws InvalidArgument where no relation covers all of them.
void show_runs(const std::vector<std::string>& folders, std::optional<double> delta, const Session& session);
// Every release with its state.
void show_history(const std::string& path, const Session& session);
// A page for people who read no JSON.
std::string budget_page(const run::BookReading& book);

}  // namespace graphveil::cli
