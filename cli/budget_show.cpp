#include "cli/budget_show.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/events_file.h"
#include "graphveil/account/drawn.h"
#include "graphveil/artifact/certificate_page.h"
#include "graphveil/artifact/words.h"
#include "graphveil/base/error.h"

namespace graphveil::cli {
namespace {

using nlohmann::ordered_json;

// What a book holds, in numbers; none: no finite epsilon holds.
struct Room {
  std::optional<int64_t> spent, all;  // what may have been drawn; with what is reserved
  int64_t cap = 0;

  explicit Room(const run::BookReading& book) : all(run::spent_millionths(book)), cap(book.cap.millionths) {
    run::BookReading drawn = book;
    std::erase_if(drawn.releases, [](const run::Booked& release) { return release.stage == run::Stage::Reserved; });
    spent = run::spent_millionths(drawn);
  }
  int64_t reserved() const { return all && spent ? *all - *spent : 0; }
  int64_t left() const { return all ? std::max<int64_t>(0, cap - *all) : 0; }
};

constexpr int64_t kWidth = 40;  // of a bar, in cells

// `part` of `whole`, rounded up: what is spent shows.
int64_t cells(double part, double whole) {
  return whole > 0 ? std::clamp<int64_t>(static_cast<int64_t>(std::ceil(kWidth * part / whole)), 0, kWidth) : 0;
}

std::string bar(int64_t spent, int64_t reserved) {
  return fmt::format("[{:#<{}}{:+<{}}{:.<{}}]", "", spent, "", reserved, "", kWidth - spent - reserved);
}

// Where no finite epsilon holds.
std::string no_bar() { return fmt::format("[{}]", std::string(kWidth, '!')); }

std::string bar(const Room& room) {
  if (!room.all || !room.spent) return no_bar();
  const auto cap = static_cast<double>(room.cap);
  const int64_t spent = cells(static_cast<double>(*room.spent), cap);
  return bar(spent, std::max<int64_t>(0, cells(static_cast<double>(*room.all), cap) - spent));
}

// One line a total, with a bar whose end is `whole`.
std::string total_lines(const std::vector<run::Total>& totals, double whole) {
  std::string text;
  for (const run::Total& total : totals) {
    text += fmt::format("{}  {} for {}{}\n", total.epsilon ? bar(cells(*total.epsilon, whole), 0) : no_bar(),
                        artifact::epsilon_text(total.epsilon), total.what == "everything" ? "" : total.what + ", ",
                        run::covers(total));
  }
  return text;
}

ordered_json number(const std::optional<int64_t>& millionths) {
  return millionths ? ordered_json(epsilon_of(*millionths)) : ordered_json(nullptr);
}

// Under every relation that a release has, and under node at several degrees.
std::vector<run::Total> other_totals(const run::BookReading& book) {
  std::vector<run::Total> out;
  for (const bound::Relation relation :
       {bound::Relation::Node, bound::Relation::Record, bound::Relation::UndirectedEdge, bound::Relation::Edge}) {
    if (std::none_of(book.releases.begin(), book.releases.end(),
                     [&](const run::Booked& release) { return release.covered.predictions == relation; })) {
      continue;
    }
    std::vector<std::optional<int64_t>> degrees{std::nullopt};
    if (relation == bound::Relation::Node) {
      const int64_t k = book.cap.degree.value_or(100);
      degrees = {0, k / 4, k, 4 * k, 16 * k};
    }
    for (const auto& degree : degrees) {
      out.push_back({"everything", relation, degree,
                     run::spent_under(book.releases, relation, degree, book.cap.delta, book.cap.entity),
                     book.cap.delta});
    }
  }
  return out;
}

// What the figures take for granted.
std::string provisos(const run::BookReading& book) {
  std::string text =
      "These hold for runs that nothing seen of the data has decided on: neither what was released before, nor "
      "accuracies\n"
      "that only the holder knows (docs/guarantees.md).\n";
  if (!book.disjoint.empty()) {
    text += fmt::format(
        "Not checked: {} of its graphs were declared to share nobody with the others, and are counted apart.\n",
        book.disjoint.size());
  }
  if (book.cap.entity > 1) {
    text += "That nobody is more nodes than declared was checked where the data say who is who, and nowhere else.\n";
  }
  if (!book.looks.empty()) {
    text += fmt::format("The holder looked {} times without any guarantee; nothing of that may leave or decide.\n",
                        book.looks.size());
  }
  return text;
}

ordered_json release_json(const run::Booked& release, double delta) {
  return {{"id", release.id},
          {"when", release.when},
          {"what", release.what},
          {"state", run::name(release.stage)},
          {"relation", bound::name(release.covered.predictions)},
          {"degree", release.covered.degree ? ordered_json(*release.covered.degree) : ordered_json(nullptr)},
          {"epsilon", account::drawn_epsilon(release.covered.ledger, delta)},
          {"disjoint", release.covered.disjoint},
          {"certificate", release.certificate}};
}

}  // namespace

double epsilon_of(int64_t millionths) { return static_cast<double>(millionths) / 1e6; }

std::string cap_text(const run::Cap& cap) {
  return fmt::format("epsilon {:g} at delta {:g}: relation {}{}", epsilon_of(cap.millionths), cap.delta,
                     bound::name(cap.relation),
                     cap.degree ? fmt::format(", nodes with at most {} outgoing edges", *cap.degree) : "") +
         (cap.entity > 1 ? fmt::format(", people who are at most {} nodes each", cap.entity) : "");
}

int64_t left_millionths(const run::BookReading& book) { return Room(book).left(); }

void show_book(const std::string& path, const Session& session) {
  const run::BookReading book = run::BudgetBook(path).read();
  const Room room(book);
  const std::vector<run::Total> totals = other_totals(book);
  std::string text = fmt::format("book      {} ({}), opened {}\n", book.name, book.id, book.opened);
  text += fmt::format("allowed   {}\n", cap_text(book.cap));
  if (room.all && room.spent) {
    text += fmt::format("{}  spent {:g}, reserved {:g}, left {:g}\n", bar(room), epsilon_of(*room.spent),
                        epsilon_of(room.reserved()), epsilon_of(room.left()));
  } else {
    text += fmt::format("{}  no finite epsilon holds for what is in it\n", bar(room));
  }
  text += total_lines(totals, epsilon_of(book.cap.millionths));
  text += provisos(book);
  ordered_json object = {{"book", book.id},
                         {"name", book.name},
                         {"relation", bound::name(book.cap.relation)},
                         {"degree", book.cap.degree ? ordered_json(*book.cap.degree) : ordered_json(nullptr)},
                         {"epsilon", epsilon_of(book.cap.millionths)},
                         {"delta", book.cap.delta},
                         {"spent", number(room.spent)},
                         {"reserved", number(room.spent ? std::optional(room.reserved()) : std::nullopt)},
                         {"left", epsilon_of(room.left())},
                         {"releases", book.releases.size()},
                         {"looks", book.looks},
                         {"totals", totals_json(totals)}};
  print_result(session, object, text);
}

void show_runs(const std::vector<std::string>& folders, std::optional<double> delta, const Session& session) {
  const EventsFiles files = read_events(folders);
  if (!delta) delta = files.delta;
  require(delta.has_value(), "--delta is missing, and the runs do not name the same");
  require(!files.covered.empty(), "{}: holds no run", folders.front());
  const std::vector<run::Total> totals = run::totals(files.covered, *delta);
  double most = 0;
  for (const run::Total& total : totals) most = std::max(most, total.epsilon.value_or(0));
  std::string text = fmt::format("{} runs, {} releases: training and every prediction since, at delta {:.3g}\n",
                                 folders.size(), files.covered.size(), *delta);
  text += total_lines(totals, most);
  text += "No book allows or refuses more: `graphveil budget open` and `budget enter` would.\n";
  const std::optional<double> first = totals.front().epsilon;
  print_result(session,
               {{"runs", folders},
                {"releases", files.covered.size()},
                {"spent", first ? ordered_json(*first) : ordered_json(nullptr)},
                {"delta", *delta},
                {"protects", run::covers(totals.front())},
                {"totals", totals_json(totals)}},
               text);
}

void show_history(const std::string& path, const Session& session) {
  const run::BookReading book = run::BudgetBook(path).read();
  ordered_json list = ordered_json::array();
  std::string text;
  for (const run::Booked& release : book.releases) {
    list.push_back(release_json(release, book.cap.delta));
    text += fmt::format("{:>5}  {}  {:<8}  epsilon {:<10}  {}\n", release.id, release.when, run::name(release.stage),
                        artifact::epsilon_text(account::drawn_epsilon(release.covered.ledger, book.cap.delta)),
                        release.what);
  }
  if (text.empty()) text = "nothing was released yet\n";
  for (const std::string& look : book.looks) text += fmt::format("       {} (for the holder alone)\n", look);
  print_result(session, {{"book", book.id}, {"releases", list}}, text);
}

std::string budget_page(const run::BookReading& book) {
  const Room room(book);
  std::string text = fmt::format(
      "# Privacy budget of {}\n\nThe book was opened on {}. Everything together may cost {}.\n",
      book.name.empty() ? "these people" : artifact::escaped_on_page(book.name), book.opened, cap_text(book.cap));
  text += fmt::format("The neighbors that it speaks of: {}.\n\n", bound::in_words(book.cap.relation));
  text += room.all ? fmt::format("So far {} was spent or reserved; {:g} is left.\n\n", epsilon_of(*room.all),
                                 epsilon_of(room.left()))
                   : "For what was released so far no finite epsilon holds under that relation.\n\n";
  text += "| no. | when | what | state | epsilon by itself |\n| --- | --- | --- | --- | --- |\n";
  for (const run::Booked& release : book.releases) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", release.id, release.when,
                        artifact::escaped_on_page(release.what), run::name(release.stage),
                        artifact::epsilon_text(account::drawn_epsilon(release.covered.ledger, book.cap.delta)));
  }
  text +=
      "\nWhat is spent together is less than the sum: releases compose. \"reserved\" is planned and not drawn, "
      "\"drawing\" may have been drawn by a run that did not end: both count.\n";
  text += "\n" + provisos(book);
  text += fmt::format("\nEntry {} of the book, hash {}.\n", book.head.entries, book.head.hash);
  return text;
}

}  // namespace graphveil::cli
