#include "cli/budget_option.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "graphveil/run/book.h"

namespace graphveil::cli {

namespace fs = std::filesystem;

void add_budget_option(CLI::App& command, BudgetOption& option) {
  command.add_option("--budget", option.given,
                     "Budget book to reserve in (default: GRAPHVEIL_BUDGET, or graphveil.book beside the data)");
}

std::optional<std::string> find_book(const BudgetOption& option, const std::string& data_path) {
  if (option.typed()) return option.given;
  if (const char* named = std::getenv("GRAPHVEIL_BUDGET"); named != nullptr && *named != '\0') return named;
  std::error_code ignored;
  const fs::path folder =
      fs::is_directory(data_path, ignored) ? fs::path(data_path) : fs::path(data_path).parent_path();
  const fs::path beside = folder / "graphveil.book";
  if (fs::exists(beside, ignored)) return beside.string();
  return std::nullopt;
}

void note_look(const BudgetOption& option, const std::string& data_path, const std::string& what,
               const graph::Dataset& data) {
  if (const std::optional<std::string> book = find_book(option, data_path)) {
    run::BudgetBook(*book).look(what, artifact::fingerprint(data));
  }
}

}  // namespace graphveil::cli
