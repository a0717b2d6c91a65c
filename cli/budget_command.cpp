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

#include "cli/budget_option.h"
#include "cli/budget_show.h"
#include "cli/command.h"
#include "graphveil/account/drawn.h"
#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/words.h"
#include "graphveil/base/error.h"
#include "graphveil/files/format.h"
#include "graphveil/run/book.h"
#include "graphveil/run/certify.h"
#include "graphveil/run/verify.h"

namespace graphveil::cli {
namespace {

struct BudgetCommand {
  std::string book, data_path, target = "year", name, relation = "node";
  std::vector<std::string> paths, graphs;
  double epsilon = 0, delta = 0;
  std::optional<double> at_delta;
  int64_t degree = 100, entity = 1, id = 0;
  bool disjoint = false;
};

// Of a graph that the book takes in. Throws BadInput where somebody in it is more nodes than the book declares,
// or there are more people than its delta is for.
artifact::Fingerprint people_of(const std::string& path, const std::string& target, const run::BookReading& book) {
  run::check_entities(book, files::largest_entity(path), path);
  const graph::Dataset data = files::read_dataset(path, {files::facebook_target(target)});
  if (const std::optional<std::string> why = run::exposed_outright(book.cap.delta, data.nodes())) {
    fail(ErrorKind::BadInput, "{}: the book's {}; open one with a smaller --delta", path, *why);
  }
  return artifact::fingerprint(data);
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
  for (const run::Booked& release : reading.releases) {
    if (c.budget && release.id == c.budget->entry && release.stage == run::Stage::Spent &&
        release.certificate != digest) {
      problems.push_back(fmt::format("{}: entry {} of the book is of another certificate", folder, release.id));
    }
  }
  const std::vector<run::Covered> releases =
      verdict.log ? run::covered_folder(folder, c) : std::vector{run::covered(c)};
  for (const size_t absent : run::unbooked(reading, c, digest, releases)) {
    problems.push_back(absent == 0 ? fmt::format("{}: its training is not in the book", folder)
                                   : fmt::format("{}: release {} of its log is not in the book", folder, absent + 1));
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

// What of a run is not in the book yet: all of it, or what its log has since. Throws BadInput unless it is a run on one
// of these graphs.
struct Missing {
  std::string method, digest;
  std::vector<run::Former> releases;
};
Missing missing_of(const run::BookReading& book, const std::string& folder,
                   const std::vector<artifact::Fingerprint>& graphs) {
  const run::Verdict verdict = run::verify_path(folder);
  if (!verdict.holds()) {
    fail(ErrorKind::BadInput, "{}: its certificate does not hold: {}", folder, fmt::join(verdict.reasons, "; "));
  }
  const artifact::Certificate& c = verdict.certificate;
  const std::string path = (std::filesystem::path(folder) / artifact::kHolder / artifact::kKey).string();
  const artifact::FingerprintKey key = artifact::key_from_hex(artifact::read_secret(path).text(), path);
  if (std::none_of(graphs.begin(), graphs.end(),
                   [&](const artifact::Fingerprint& g) { return artifact::keyed(key, g) == c.data_fingerprint; })) {
    fail(ErrorKind::BadInput, "{}: was trained on other data than --data", folder);
  }
  Missing out{c.method, to_json(c).at("digest").get<std::string>(), {}};
  const std::vector<run::Covered> releases = run::covered_folder(folder, c);
  for (const size_t number : run::unbooked(book, c, out.digest, releases)) {
    const auto about = std::find_if(graphs.begin(), graphs.end(), [&](const artifact::Fingerprint& g) {
      return artifact::keyed(key, g.features) == releases[number].people;
    });
    out.releases.push_back({releases[number], about == graphs.end() ? std::nullopt : std::optional(*about)});
  }
  return out;
}

void enter(const BudgetCommand& command, Session& session) {
  run::BudgetBook book(command.book);
  std::vector<artifact::Fingerprint> graphs;
  for (const std::string& path : command.graphs) graphs.push_back(people_of(path, command.target, book.read()));
  std::vector<Missing> all;
  std::set<std::string> ids;  // copies of a run share what was released before they were copied
  size_t entered = 0, unknown = 0;
  for (const std::string& folder : command.paths) {
    all.push_back(missing_of(book.read(), folder, graphs));
    std::erase_if(all.back().releases,
                  [&](const run::Former& release) { return !ids.insert(release.covered.id).second; });
    require(!all.back().releases.empty(), "{}: is in the book already, or is named twice", folder);
    for (const run::Former& release : all.back().releases) {
      ++entered;
      unknown += !release.people;
    }
  }
  for (const Missing& run : all) book.enter("run of " + run.method, run.releases, run.digest);
  for (const std::string& folder : command.paths) keep_book(folder, command.book);
  const run::BookReading after = book.read();
  print_result(session,
               {{"book", after.id},
                {"entered", entered},
                {"for_everybody", unknown},
                {"left", epsilon_of(left_millionths(after))}},
               fmt::format("{} releases entered\n{}{}\n", entered,
                           unknown == 0 ? ""
                                        : fmt::format("{} of them are about graphs that --data does not name: they "
                                                      "count for everybody in the book\n",
                                                      unknown),
                           run::room_text(after)));
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
  if (!bound::edge_level(cap.relation) && files::largest_entity(command.data_path).value_or(1) > cap.entity) {
    fail(ErrorKind::BadInput, "{}: somebody is more nodes than --entity-size {} declares; declare more",
         command.data_path, cap.entity);
  }
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

  auto shown = fresh();
  sub = add(*budget, "show", "What is spent, reserved and left; or what run folders without a book have spent together",
            session, shown, [](const BudgetCommand& c, Session& s) {
              std::vector<std::string> runs = c.paths;
              runs.insert(runs.begin(), c.book);
              if (!std::filesystem::is_directory(c.book)) {
                require(c.paths.empty(), "{}: is no run folder; name one book, or run folders", c.book);
                require(!c.at_delta, "--delta is for run folders: a book has its own");
                show_book(c.book, s);
              } else {
                show_runs(runs, c.at_delta, s);
              }
            });
  sub->add_option("runs", shown->paths, "Instead of a book: run folders");
  sub->add_option("-d,--delta", shown->at_delta, "Of run folders: at this delta, where theirs differ");
  add(*budget, "history", "Every release, with its state", session, fresh(),
      [](const BudgetCommand& c, Session& s) { show_history(c.book, s); });
  add(*budget, "export", "The book as a page for people (Markdown)", session, fresh(),
      [](const BudgetCommand& c, Session& s) {
        const std::string text = budget_page(run::BudgetBook(c.book).read());
        print_result(s, {{"markdown", text}}, text);
      });

  auto checked = fresh();
  sub = add(*budget, "check", "Whether an entry is lost, and whether these runs are in it", session, checked, check);
  sub->add_option("runs", checked->paths, "Run folders");

  auto entered = fresh();
  sub = add(*budget, "enter", "Take in runs that were made without the book, with all that their logs say", session,
            entered, enter);
  sub->add_option("runs", entered->paths, "Run folders")->required();
  sub->add_option("--data", entered->graphs,
                  "Graphs that they were trained on, and predicted on: a release about another counts for everybody")
      ->required()
      ->allow_extra_args(false);
  sub->add_option("--target", entered->target, "Facebook100: the column to predict")->capture_default_str();

  auto admitted = fresh();
  sub = add(*budget, "admit",
            "Take in another graph: of the same people and newcomers, or with --disjoint of none of them", session,
            admitted, [](const BudgetCommand& c, Session& s) {
              run::BudgetBook book(c.book);
              book.admit(people_of(c.data_path, c.target, book.read()), c.disjoint);
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
