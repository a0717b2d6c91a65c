// --budget: which budget book a command reserves in.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace graphveil::cli {

struct BudgetOption {
  std::string given;  // what was typed; empty: nothing
  bool typed() const { return !given.empty(); }
};

void add_budget_option(CLI::App& command, BudgetOption& option);

// The book that was named, by the option or by GRAPHVEIL_BUDGET, or graphveil.book beside the data; none: there is
// none.
std::optional<std::string> find_book(const BudgetOption& option, const std::string& data_path);

}  // namespace graphveil::cli
