// graphveil budget: the durable book of all that was released about some people.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "graphveil/account/drawn.h"
#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/words.h"
#include "graphveil/base/error.h"
#include "graphveil/files/format.h"
#include "graphveil/run/book.h"
#include "graphveil/run/verify.h"

namespace graphveil::cli {
namespace {

using nlohmann::ordered_json;

struct BudgetCommand {
  std::string book, data_path, target = "year", name, relation = "node";
  std::vector<std::string> paths;
  double epsilon = 0, delta = 0;
  int64_t degree = 100, entity = 1, id = 0;
  bool disjoint = false;
};

artifact::Fingerprint people_of(const BudgetCommand& command) {
  return artifact::fingerprint(files::read_dataset(command.data_path, {files::facebook_target(command.target)}));
}

double epsilon_of(int64_t millionths) { return static_cast<double>(millionths) / 1e6; }

std::string cap_text(const run::Cap& cap) {
  return fmt::format("epsilon {:g} at delta {:g}: relation {}{}", epsilon_of(cap.millionths), cap.delta,
                     bound::name(cap.relation),
                     cap.degree ? fmt::format(", nodes with at most {} outgoing edges", *cap.degree) : "") +
         (cap.entity > 1 ? fmt::format(", people who are at most {} nodes each", cap.entity) : "");
}

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

std::string bar(const Room& room) {
  constexpr int64_t kWidth = 40;
  if (!room.all || !room.spent) return fmt::format("[{}]", std::string(kWidth, '!'));
  const auto cells = [&](int64_t millionths) {
    return std::clamp<int64_t>(
        static_cast<int64_t>(std::ceil(static_cast<double>(kWidth * millionths) / static_cast<double>(room.cap))), 0,
        kWidth);
  };
  const int64_t spent = cells(*room.spent), all = std::max(spent, cells(*room.all));
  return fmt::format("[{}{}{}]", std::string(static_cast<size_t>(spent), '#'),
                     std::string(static_cast<size_t>(all - spent), '+'),
                     std::string(static_cast<size_t>(kWidth - all), '.'));
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
  if (book.cap.entity > 1) text += "Not checked: that nobody is more nodes than declared.\n";
  if (!book.looks.empty()) {
    text += fmt::format("The holder looked {} times without any guarantee; nothing of that may leave or decide.\n",
                        book.looks.size());
  }
  return text;
}

void show(const BudgetCommand& command, Session& session) {
  const run::BookReading book = run::BudgetBook(command.book).read();
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
  for (const run::Total& total : totals) {
    text += fmt::format("  {} for {}\n", artifact::epsilon_text(total.epsilon), run::covers(total));
  }
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

void history(const BudgetCommand& command, Session& session) {
  const run::BookReading book = run::BudgetBook(command.book).read();
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

// A page for people who read no JSON.
std::string page(const run::BookReading& book) {
  const Room room(book);
  std::string text =
      fmt::format("# Privacy budget of {}\n\nThe book was opened on {}. Everything together may cost {}.\n",
                  book.name.empty() ? "these people" : book.name, book.opened, cap_text(book.cap));
  text += fmt::format("The neighbors that it speaks of: {}.\n\n", bound::in_words(book.cap.relation));
  text += room.all ? fmt::format("So far {} was spent or reserved; {:g} is left.\n\n", epsilon_of(*room.all),
                                 epsilon_of(room.left()))
                   : "For what was released so far no finite epsilon holds under that relation.\n\n";
  text += "| no. | when | what | state | epsilon by itself |\n| --- | --- | --- | --- | --- |\n";
  for (const run::Booked& release : book.releases) {
    text +=
        fmt::format("| {} | {} | {} | {} | {} |\n", release.id, release.when, release.what, run::name(release.stage),
                    artifact::epsilon_text(account::drawn_epsilon(release.covered.ledger, book.cap.delta)));
  }
  text +=
      "\nWhat is spent together is less than the sum: releases compose. \"reserved\" is planned and not drawn, "
      "\"drawing\" may have been drawn by a run that did not end: both count.\n";
  text += "\n" + provisos(book);
  text += fmt::format("\nEntry {} of the book, hash {}.\n", book.head.entries, book.head.hash);
  return text;
}

// A run that is in the book, with all that its log says.
std::vector<std::string> problems_of(const run::BudgetBook& book, const run::BookReading& reading,
                                     const std::string& folder) {
  std::vector<std::string> problems;
  const run::Verdict verdict = run::verify_path(folder);
  for (const std::string& reason : verdict.reasons) problems.push_back(fmt::format("{}: {}", folder, reason));
  const artifact::Certificate& c = verdict.certificate;
  const std::string digest = to_json(c).at("digest").get<std::string>();
  if (c.budget) {
    const std::string why = book.missing(*c.budget);
    if (!why.empty()) problems.push_back(fmt::format("{}: {}", folder, why));
  }
  // A run that was killed between its folder and its last entry is there by its mark.
  const auto known = std::count_if(reading.releases.begin(), reading.releases.end(), [&](const run::Booked& release) {
    return release.certificate == digest || (c.budget && release.id == c.budget->entry);
  });
  for (const run::Booked& release : reading.releases) {
    if (c.budget && release.id == c.budget->entry && release.stage == run::Stage::Spent &&
        release.certificate != digest) {
      problems.push_back(fmt::format("{}: entry {} of the book is of another certificate", folder, release.id));
    }
  }
  if (known == 0) problems.push_back(fmt::format("{}: its training is not in the book", folder));
  if (verdict.log && known > 0 && known < verdict.log->releases) {
    problems.push_back(
        fmt::format("{}: its log has {} releases, the book {} of them", folder, verdict.log->releases, known));
  }
  return problems;
}

void check(const BudgetCommand& command, Session& session) {
  const run::BudgetBook book(command.book);
  const run::BookReading reading = book.read();
  std::vector<std::string> problems;
  for (const std::string& folder : command.paths) {
    const std::vector<std::string> found = problems_of(book, reading, folder);
    problems.insert(problems.end(), found.begin(), found.end());
  }
  std::string text =
      fmt::format("{} entries, each follows the one before; {}\n", reading.head.entries, run::room_text(reading));
  for (const std::string& problem : problems) text += problem + "\n";
  if (command.paths.empty()) {
    text += "A copy that was put back to an older state shows beside a run of the newer one: name run folders too.\n";
  }
  if (!problems.empty()) session.exit_code = kAnswerIsNo;
  print_result(session, {{"holds", problems.empty()}, {"entries", reading.head.entries}, {"problems", problems}}, text);
}

// What of a run is not in the book yet: all of it, or what its log has since. Throws BadInput unless it is a run on
// these data, InvalidArgument when nothing is missing.
struct Missing {
  std::string method, digest;
  std::vector<run::Covered> releases;
};
Missing missing_of(const run::BookReading& book, const std::string& folder, const artifact::Fingerprint& people) {
  const run::Verdict verdict = run::verify_path(folder);
  if (!verdict.holds()) {
    fail(ErrorKind::BadInput, "{}: its certificate does not hold: {}", folder, fmt::join(verdict.reasons, "; "));
  }
  const artifact::Certificate& c = verdict.certificate;
  const std::string path = (std::filesystem::path(folder) / artifact::kHolder / artifact::kKey).string();
  if (artifact::keyed(artifact::key_from_hex(artifact::read_text(path), path), people) != c.data_fingerprint) {
    fail(ErrorKind::BadInput, "{}: was trained on other data than --data", folder);
  }
  Missing out{c.method, to_json(c).at("digest").get<std::string>(), run::covered_folder(folder, c)};
  const auto known = std::count_if(book.releases.begin(), book.releases.end(), [&](const run::Booked& release) {
    return release.certificate == out.digest && release.stage == run::Stage::Spent;
  });
  require(known < std::ssize(out.releases), "{}: is in the book already", folder);
  out.releases.erase(out.releases.begin(), out.releases.begin() + known);
  return out;
}

void enter(const BudgetCommand& command, Session& session) {
  run::BudgetBook book(command.book);
  const artifact::Fingerprint people = people_of(command);
  std::vector<Missing> all;
  std::set<std::string> digests;
  for (const std::string& folder : command.paths) {
    all.push_back(missing_of(book.read(), folder, people));
    require(digests.insert(all.back().digest).second, "{}: is named twice", folder);
  }
  size_t entered = 0;
  for (const Missing& run : all) {
    book.enter("run of " + run.method, run.releases, people, run.digest);
    entered += run.releases.size();
  }
  const run::BookReading after = book.read();
  print_result(session, {{"book", after.id}, {"entered", entered}, {"left", epsilon_of(Room(after).left())}},
               fmt::format("{} releases entered\n{}\n", entered, run::room_text(after)));
}

using Action = void (*)(const BudgetCommand&, Session&);

// One subcommand, which runs `action`.
CLI::App* add(CLI::App& budget, const char* name, const char* help, Session& session,
              const std::shared_ptr<BudgetCommand>& command, Action action) {
  CLI::App* sub = budget.add_subcommand(name, help);
  sub->add_option("book", command->book, "The book's file")->required();
  add_common_options(*sub, session);
  sub->callback([command, action, &session] { action(*command, session); });
  return sub;
}

void add_data(CLI::App& sub, BudgetCommand& command) {
  sub.add_option("--data", command.data_path, "Graph of the people: file or folder, see docs/formats.md")->required();
  sub.add_option("--target", command.target, "Facebook100: the column to predict")->capture_default_str();
}

void open_book(const BudgetCommand& command, Session& session) {
  constexpr double kMostEpsilon = 1e9;
  require(command.epsilon > 0 && command.epsilon <= kMostEpsilon,
          "--epsilon is {}, want a positive number, at most {:g}", command.epsilon, kMostEpsilon);
  run::Cap cap{bound::relation_from_name(command.relation), std::nullopt, run::millionths_down(command.epsilon),
               command.delta, command.entity};
  if (cap.relation == bound::Relation::Node) cap.degree = command.degree;
  const graph::Dataset data = files::read_dataset(command.data_path, {files::facebook_target(command.target)});
  require(command.delta * static_cast<double>(data.nodes()) <= 1,
          "--delta is {:g}, want at most one in the number of nodes, {:.3g}", command.delta,
          1.0 / static_cast<double>(data.nodes()));
  const run::BudgetBook book = run::BudgetBook::create(command.book, command.name, cap, artifact::fingerprint(data));
  const run::BookReading reading = book.read();
  print_result(session, {{"book", reading.id}, {"path", command.book}, {"epsilon", epsilon_of(cap.millionths)}},
               fmt::format("opened {} ({}): {}\n", command.book, reading.id, cap_text(cap)));
}

}  // namespace

void add_budget_command(CLI::App& app, Session& session) {
  CLI::App* budget = app.add_subcommand(
      "budget", "The book of all that is released about some people: train and predict reserve in it, never beyond it");
  budget->require_subcommand(1);
  const auto fresh = [] { return std::make_shared<BudgetCommand>(); };

  auto opened = fresh();
  CLI::App* sub = add(*budget, "open", "Begin a book: whom it is about, and what everything together may cost", session,
                      opened, open_book);
  add_data(*sub, *opened);
  sub->add_option("--relation", opened->relation, "edge, undirected-edge, node or record")->capture_default_str();
  sub->add_option("--protect-degree", opened->degree, "node: for nodes with at most so many outgoing edges")
      ->check(CLI::Range(int64_t{0}, int64_t{INT32_MAX}))
      ->capture_default_str();
  sub->add_option("-e,--epsilon", opened->epsilon, "What everything together may cost")->required();
  sub->add_option("-d,--delta", opened->delta, "At this delta")->required();
  sub->add_option("--entity-size", opened->entity, "Nodes that one person is, at most; the cap then holds for people")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  sub->add_option("--name", opened->name, "What the data are called, for pages");

  add(*budget, "show", "What is spent, reserved and left", session, fresh(), show);
  add(*budget, "history", "Every release, with its state", session, fresh(), history);
  add(*budget, "export", "The book as a page for people (Markdown)", session, fresh(),
      [](const BudgetCommand& c, Session& s) {
        const std::string text = page(run::BudgetBook(c.book).read());
        print_result(s, {{"markdown", text}}, text);
      });

  auto checked = fresh();
  sub = add(*budget, "check", "Whether an entry is lost, and whether these runs are in it", session, checked, check);
  sub->add_option("runs", checked->paths, "Run folders");

  auto entered = fresh();
  sub = add(*budget, "enter", "Take in runs that were made without the book, with all that their logs say", session,
            entered, enter);
  sub->add_option("runs", entered->paths, "Run folders")->required();
  add_data(*sub, *entered);

  auto admitted = fresh();
  sub = add(*budget, "admit",
            "Take in another graph: of the same people and newcomers, or with --disjoint of none of them", session,
            admitted, [](const BudgetCommand& c, Session& s) {
              run::BudgetBook book(c.book);
              book.admit(people_of(c), c.disjoint);
              print_result(s, {{"book", book.read().id}, {"disjoint", c.disjoint}},
                           fmt::format("{}: takes releases about this graph now{}\n", c.book,
                                       c.disjoint ? ", apart from the others: nobody is in both, you said" : ""));
            });
  add_data(*sub, *admitted);
  sub->add_flag("--disjoint", admitted->disjoint, "Nobody of this graph is in any other graph of the book: your word");

  auto freed = fresh();
  sub = add(*budget, "release", "Free a reservation whose run drew no noise", session, freed,
            [](const BudgetCommand& c, Session& s) {
              run::BudgetBook book(c.book);
              book.free(c.id);
              print_result(s, {{"freed", c.id}}, run::room_text(book.read()) + "\n");
            });
  sub->add_option("id", freed->id, "Its number in `budget history`")->required();
}

}  // namespace graphveil::cli
