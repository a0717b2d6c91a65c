#include "cli/budget_option.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/files/atomic_file.h"
#include "graphveil/run/book.h"

namespace graphveil::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kBeside = "graphveil.book";

}  // namespace

void add_budget_option(CLI::App& command, BudgetOption& option) {
  command.add_option("--budget", option.given,
                     "Budget book to reserve in (default: GRAPHVEIL_BUDGET, or graphveil.book beside the data)");
}

std::optional<std::string> find_book(const BudgetOption& option, const std::string& data_path) {
  if (option.typed()) return option.given;
  if (const char* named = std::getenv("GRAPHVEIL_BUDGET"); named != nullptr && *named != '\0') return named;
  std::error_code ignored;
  const fs::path given(data_path), real = fs::weakly_canonical(given, ignored);
  for (const fs::path& place : {given.parent_path(), real.parent_path(), given}) {
    const fs::path beside = place / kBeside;
    if (fs::exists(beside, ignored)) return beside.string();
  }
  return std::nullopt;
}

std::string other_book(const BudgetOption& option, const std::string& data_path) {
  if (find_book(option, data_path) || option.typed()) return "";
  std::error_code ignored;
  std::vector<std::string> found;
  for (fs::directory_iterator place(fs::weakly_canonical(data_path, ignored).parent_path(), ignored), end;
       !ignored && place != end; place.increment(ignored)) {
    if (place->path().extension() == ".book") found.push_back(place->path().filename().string());
  }
  if (found.empty()) return "";
  std::sort(found.begin(), found.end());
  return fmt::format(
      "{} beside the data is not used: this run is in no budget book. --budget BOOK reserves in one; one that is "
      "called "
      "{} is found by itself",
      found.front(), kBeside);
}

std::optional<std::string> kept_book(const std::string& run_folder) {
  const fs::path kept = fs::path(run_folder) / artifact::kHolder / artifact::kBudget;
  std::error_code ignored;
  if (!fs::exists(kept, ignored)) return std::nullopt;
  std::string path = artifact::read_text(kept.string());
  while (!path.empty() && path.back() == '\n') path.pop_back();
  return path;
}

void keep_book(const std::string& run_folder, const std::string& book) {
  if (kept_book(run_folder)) return;
  files::AtomicFile file((fs::path(run_folder) / artifact::kHolder / artifact::kBudget).string());
  const std::string text = fs::absolute(book).string() + "\n";
  file.write(std::as_bytes(std::span(text)));
  file.commit(0600);
}

void note_look(const BudgetOption& option, const std::string& data_path, const std::string& what,
               const graph::Dataset& data) {
  if (const std::optional<std::string> book = find_book(option, data_path)) {
    run::BudgetBook(*book).look(what, artifact::fingerprint(data));
  }
}

}  // namespace graphveil::cli
