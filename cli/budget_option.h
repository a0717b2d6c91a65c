// --budget: which budget book a command reserves in.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "graphveil/graph/dataset.h"

namespace graphveil::cli {

struct BudgetOption {
  std::string given;  // what was typed; empty: nothing
  bool typed() const { return !given.empty(); }
};

void add_budget_option(CLI::App& command, BudgetOption& option);

// The book that was named, by the option or by GRAPHVEIL_BUDGET, or graphveil.book beside the data; none: there is
// none.
std::optional<std::string> find_book(const BudgetOption& option, const std::string& data_path);

// Where find_book has none: what to say of a book beside the data that goes by another name; empty: there is none.
std::string other_book(const BudgetOption& option, const std::string& data_path);

// Where the book of a run lay when it was trained; none: it has none, or only release/ is at hand.
std::optional<std::string> kept_book(const std::string& run_folder);
// Writes that there, so that later predictions of a run that was entered reserve in the book; one that is there stays.
void keep_book(const std::string& run_folder, const std::string& book);

// Notes in the book, where there is one, that these data were looked at for the holder's eyes alone.
void note_look(const BudgetOption& option, const std::string& data_path, const std::string& what,
               const graph::Dataset& data);

}  // namespace graphveil::cli
