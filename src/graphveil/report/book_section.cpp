#include "graphveil/report/book_section.h"

#include <algorithm>
#include <set>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/account/drawn.h"
#include "graphveil/artifact/words.h"
#include "graphveil/report/json_values.h"
#include "graphveil/run/book.h"

namespace graphveil::report {
namespace {

using nlohmann::ordered_json;

constexpr size_t kMostTotals = 40;  // each is a composition of all releases before

double from_millionths(int64_t millionths) { return static_cast<double>(millionths) / 1e6; }

// Numbers of releases after which the total is shown: all, or some of many, the last among them.
std::set<size_t> shown_totals(size_t releases) {
  std::set<size_t> out;
  const size_t count = std::min(releases, kMostTotals);
  for (size_t i = 1; i <= count; ++i) out.insert(i * releases / count);
  return out;
}

}  // namespace

ordered_json book_section(const std::string& path) {
  const run::BookReading book = run::BudgetBook(path).read();
  const run::Cap& cap = book.cap;
  run::BookReading drawn = book;
  std::erase_if(drawn.releases, [](const run::Booked& release) { return release.stage == run::Stage::Reserved; });
  const std::optional<int64_t> all = run::spent_millionths(book), spent = run::spent_millionths(drawn);
  ordered_json out{{"name", book.name},
                   {"path", path},
                   {"id", book.id},
                   {"opened", book.opened},
                   {"relation", bound::name(cap.relation)},
                   {"neighbors", bound::in_words(cap.relation)},
                   {"degree", or_null(cap.degree)},
                   {"entity", cap.entity},
                   {"cap", from_millionths(cap.millionths)},
                   {"delta", cap.delta},
                   {"spent", spent ? ordered_json(from_millionths(*spent)) : ordered_json(nullptr)},
                   {"all", all ? ordered_json(from_millionths(*all)) : ordered_json(nullptr)},
                   {"left", all ? from_millionths(std::max<int64_t>(0, cap.millionths - *all)) : 0.0},
                   {"words", run::room_text(book)},
                   {"disjoint", book.disjoint.size()},
                   {"looks", book.looks},
                   {"entries", book.head.entries},
                   {"hash", book.head.hash},
                   {"releases", ordered_json::array()}};
  const std::set<size_t> totals = shown_totals(book.releases.size());
  for (size_t i = 0; i < book.releases.size(); ++i) {
    const run::Booked& release = book.releases[i];
    const double alone = account::drawn_epsilon(release.covered.ledger, cap.delta);
    ordered_json row{{"id", release.id},
                     {"when", release.when},
                     {"what", release.what},
                     {"stage", run::name(release.stage)},
                     {"relation", bound::name(release.covered.predictions)},
                     {"degree", or_null(release.covered.degree)},
                     {"epsilon", or_null(std::optional(alone))},
                     {"epsilon_text", artifact::epsilon_text(alone)},
                     {"total", nullptr}};
    if (totals.contains(i + 1)) {
      row["total"] = or_null(
          run::spent_under(std::span(book.releases).first(i + 1), cap.relation, cap.degree, cap.delta, cap.entity));
    }
    out["releases"].push_back(std::move(row));
  }
  return out;
}

}  // namespace graphveil::report
