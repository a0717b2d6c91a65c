#include "graphveil/run/book.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/artifact/plan_json.h"
#include "graphveil/artifact/words.h"
#include "graphveil/base/error.h"
#include "graphveil/base/json_fields.h"
#include "graphveil/base/strict_json.h"
#include "graphveil/base/utc_time.h"

namespace graphveil::run {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kMostMillionths = int64_t{1} << 53;

Json degree_json(const std::optional<int64_t>& degree) { return degree ? Json(*degree) : Json(nullptr); }

std::optional<int64_t> degree_field(const nlohmann::json& object, const std::string& what) {
  if (field(object, "degree", what).is_null()) return std::nullopt;
  return whole_field(object, "degree", what, kMostMillionths);
}

Json to_json(const Cap& cap) {
  return {{"relation", bound::name(cap.relation)},
          {"degree", degree_json(cap.degree)},
          {"epsilon_millionths", cap.millionths},
          {"delta", cap.delta},
          {"entity", cap.entity}};
}

Cap cap_from_json(const nlohmann::json& object, const std::string& what) {
  return {bound::relation_from_name(string_field(object, "relation", what)), degree_field(object, what),
          whole_field(object, "epsilon_millionths", what, kMostMillionths), number_field(object, "delta", what),
          std::max<int64_t>(1, whole_field(object, "entity", what))};
}

Json to_json(const Covered& covered) {
  Json out = {{"relation", bound::name(covered.relation)},
              {"predictions", bound::name(covered.predictions)},
              {"degree", degree_json(covered.degree)},
              {"parameters", covered.parameters},
              {"people", covered.people},
              {"id", covered.id}};
  if (!covered.reserve_of.empty()) {
    out["reserve_of"] = covered.reserve_of;
    out["reserve_size"] = covered.reserve_size;
  }
  out.update(artifact::to_json(covered.plan.value()));
  return out;
}

Covered covered_from_json(const nlohmann::json& object, const std::string& what) {
  Covered out;
  out.plan = artifact::plan_from_json(object, what);
  out.ledger = out.plan->ledger();
  out.relation = bound::relation_from_name(string_field(object, "relation", what));
  out.predictions = bound::relation_from_name(string_field(object, "predictions", what));
  out.degree = degree_field(object, what);
  out.parameters = bool_field(object, "parameters", what);
  out.people = string_field(object, "people", what);
  if (object.contains("id")) out.id = string_field(object, "id", what);
  if (object.contains("reserve_of")) {
    out.reserve_of = string_field(object, "reserve_of", what);
    out.reserve_size = whole_field(object, "reserve_size", what);
  }
  return out;
}

Stage stage_from_name(const std::string& text, const std::string& what) {
  for (const Stage stage : {Stage::Reserved, Stage::Drawing, Stage::Spent, Stage::Freed}) {
    if (text == name(stage)) return stage;
  }
  fail(ErrorKind::BadInput, "{}: kind is '{}', which this program does not know", what, text);
}

// Whether a release may go from one stage to the next.
bool follows(Stage before, Stage after) {
  switch (after) {
    case Stage::Drawing: return before == Stage::Reserved || before == Stage::Drawing;  // again, of a run that goes on
    case Stage::Freed: return before == Stage::Reserved;
    case Stage::Spent: return before == Stage::Reserved || before == Stage::Drawing;
    case Stage::Reserved: break;
  }
  return false;
}

// Releases come in the order of their numbers.
template <typename Releases>
auto* find(Releases& releases, int64_t id) {
  const auto found = std::lower_bound(releases.begin(), releases.end(), id,
                                      [](const Booked& release, int64_t wanted) { return release.id < wanted; });
  return found == releases.end() || found->id != id ? nullptr : &*found;
}

// Throws BadInput unless what the book has now is what was reserved.
void check_is(const Booked& reserved, const Booked* found, const std::string& path) {
  if (found != nullptr && found->hash == reserved.hash) return;
  fail(ErrorKind::BadInput, "{}: was replaced or put back to an older state: release {} is not in it any more", path,
       reserved.id);
}

// One entry after the others.
void take(BookReading& book, const budget::BookEntry& entry, const std::string& path) {
  const std::string what = fmt::format("{}: entry {}", path, entry.number);
  const nlohmann::json body = parse_strict_json(entry.body, what);
  const std::string kind = string_field(body, "kind", what), when = string_field(body, "when", what);
  if ((kind == "open") != (entry.number == 1)) fail(ErrorKind::BadInput, "{}: is out of place", what);
  if (kind == "open") {
    book.id = string_field(body, "id", what);
    book.name = string_field(body, "name", what);
    book.opened = when;
    book.cap = cap_from_json(field(body, "cap", what), what);
    book.key = artifact::key_from_hex(string_field(body, "key", what), what);
    book.people.push_back(string_field(body, "people", what));
  } else if (kind == "people") {
    book.people.push_back(string_field(body, "people", what));
    if (bool_field(body, "disjoint", what)) book.disjoint.push_back(book.people.back());
  } else if (kind == "look") {
    book.looks.push_back(when + " " + string_field(body, "what", what));
  } else if (body.contains("of")) {
    const Stage stage = stage_from_name(kind, what);
    Booked* release = find(book.releases, whole_field(body, "of", what));
    if (release == nullptr || !follows(release->stage, stage)) {
      fail(ErrorKind::BadInput, "{}: follows no release that can become {}", what, kind);
    }
    release->stage = stage;
    if (stage == Stage::Spent) release->certificate = string_field(body, "certificate", what);
  } else {
    Booked release{entry.number,
                   when,
                   string_field(body, "what", what),
                   stage_from_name(kind, what),
                   covered_from_json(field(body, "covers", what), what),
                   string_field(body, "run", what),
                   "",
                   entry.hash};
    if (release.stage == Stage::Spent) release.certificate = string_field(body, "certificate", what);
    book.releases.push_back(std::move(release));
  }
}

// With whom a release is counted: with the people that are apart, with the others, or with all. A graph that came in
// after some were declared apart, without a word that they are not in it, may have them.
void place(const BookReading& book, Covered& covered) {
  const auto is_apart = [&](const std::string& people) {
    return std::find(book.disjoint.begin(), book.disjoint.end(), people) != book.disjoint.end();
  };
  const auto own = std::find(book.people.begin(), book.people.end(), covered.people);
  covered.disjoint = is_apart(covered.people);
  covered.everybody = !covered.disjoint && own != book.people.end() && std::any_of(book.people.begin(), own, is_apart);
}

BookReading reading(const std::vector<budget::BookEntry>& entries, const std::string& path) {
  BookReading book;
  for (const budget::BookEntry& entry : entries) take(book, entry, path);
  for (Booked& release : book.releases) place(book, release.covered);
  book.head = budget::head_of(entries);
  return book;
}

std::string body_of(const char* kind, Json fields) {
  Json body = {{"kind", kind}, {"when", utc_now()}};
  body.update(fields);
  return body.dump();
}

std::string people_in(const BookReading& book, const artifact::Fingerprint& people) {
  return artifact::keyed(book.key, people.features);
}

bool knows(const BookReading& book, const std::string& people) {
  return std::find(book.people.begin(), book.people.end(), people) != book.people.end();
}

std::string epsilon_of(int64_t millionths) { return fmt::format("{:g}", static_cast<double>(millionths) / 1e6); }

std::string cap_text(const Cap& cap) {
  return fmt::format("relation {}{}{}", bound::name(cap.relation),
                     cap.degree ? fmt::format(", at most {} outgoing edges", *cap.degree) : "",
                     cap.entity > 1 ? fmt::format(", people who are {} nodes each", cap.entity) : "");
}

}  // namespace

int64_t millionths_down(double epsilon) { return static_cast<int64_t>(std::floor(epsilon * 1e6)); }
int64_t millionths_up(double epsilon) { return static_cast<int64_t>(std::ceil(epsilon * 1e6 * (1 + 1e-15))); }

const char* name(Stage stage) {
  switch (stage) {
    case Stage::Reserved: return "reserved";
    case Stage::Drawing: return "drawing";
    case Stage::Spent: return "spent";
    case Stage::Freed: return "freed";
  }
  return "";
}

namespace {

// Whether the training that reserved this prediction is in the book, and counts for the same people.
bool paid_with_training(std::span<const Booked> releases, const Booked& prediction) {
  const Covered& covered = prediction.covered;
  if (covered.reserve_of.empty()) return false;
  const auto training = std::find_if(releases.begin(), releases.end(), [&](const Booked& release) {
    return release.covered.parameters && release.stage != Stage::Freed && release.certificate == covered.reserve_of;
  });
  if (training == releases.end()) return false;
  // A graph that nobody knows may be one of those that are counted apart.
  if (covered.people.empty() || covered.everybody) {
    return std::none_of(releases.begin(), releases.end(),
                        [](const Booked& release) { return release.covered.disjoint; });
  }
  return training->covered.people == covered.people || (!training->covered.disjoint && !covered.disjoint);
}

}  // namespace

std::optional<double> spent_under(std::span<const Booked> releases, bound::Relation relation,
                                  std::optional<int64_t> degree, double delta, int64_t entity) {
  std::vector<budget::Spending> entries;
  Reserves reserves;
  for (const Booked& release : releases) {
    if (release.stage == Stage::Freed) continue;
    if (release.covered.predictions != relation) return std::nullopt;
    // What is paid for still says whose graph it was.
    const bool paid = paid_with_training(releases, release) && reserves.paid(release.covered);
    const std::optional<account::Ledger> ledger =
        paid ? std::optional(account::Ledger()) : ledger_at(release.covered, degree);
    if (!ledger) return std::nullopt;
    add_spending(release.covered, *ledger, delta, entries);
  }
  if (entries.empty()) return 0.0;
  const double epsilon = budget::total_epsilon(entries, delta, account::Accountant::Pld, entity);
  return std::isfinite(epsilon) ? std::optional(epsilon) : std::nullopt;
}

std::vector<size_t> unbooked(const BookReading& book, const artifact::Certificate& c, const std::string& digest,
                             std::span<const Covered> releases) {
  std::set<std::string> ids;
  bool trained = false;
  for (const Booked& release : book.releases) {
    if (release.stage == Stage::Freed) continue;
    if (!release.covered.id.empty()) ids.insert(release.covered.id);
    // A training under the book is in it before its log is; one that was killed before its last entry has its mark.
    const bool marked = c.budget && c.budget->book == book.id && c.budget->entry == release.id;
    trained = trained || (release.covered.parameters && (release.certificate == digest || marked));
  }
  std::vector<size_t> out;
  for (size_t i = 0; i < releases.size(); ++i) {
    if (!ids.contains(releases[i].id) && !(i == 0 && trained)) out.push_back(i);
  }
  return out;
}

std::optional<int64_t> spent_millionths(const BookReading& book) {
  const std::optional<double> epsilon =
      spent_under(book.releases, book.cap.relation, book.cap.degree, book.cap.delta, book.cap.entity);
  if (!epsilon || *epsilon * 1e6 > static_cast<double>(kMostMillionths)) return std::nullopt;
  return millionths_up(*epsilon);
}

void check_entities(const BookReading& book, std::optional<int64_t> largest, const std::string& path) {
  if (bound::edge_level(book.cap.relation) || largest.value_or(1) <= book.cap.entity) return;
  fail(ErrorKind::BadInput,
       "{}: somebody in these data is more nodes than the book declares ({}); open one with a larger --entity-size",
       path, book.cap.entity);
}

std::string room_text(const BookReading& book) {
  const std::optional<int64_t> spent = spent_millionths(book);
  if (!spent) return fmt::format("no finite epsilon holds for what is in it under {}", cap_text(book.cap));
  return fmt::format("epsilon {} of {} is spent or reserved, {} is left ({}, delta {:g})", epsilon_of(*spent),
                     epsilon_of(book.cap.millionths), epsilon_of(std::max<int64_t>(0, book.cap.millionths - *spent)),
                     cap_text(book.cap), book.cap.delta);
}

BudgetBook BudgetBook::create(const std::string& path, const std::string& name, const Cap& cap,
                              const artifact::Fingerprint& people) {
  require(cap.millionths > 0, "the cap is epsilon {}, want at least a millionth", epsilon_of(cap.millionths));
  require(cap.delta >= 0 && cap.delta < 1, "the cap's delta is {}, want one in [0, 1)", cap.delta);
  require(cap.millionths <= kMostMillionths, "the cap is epsilon {}, want at most {}", epsilon_of(cap.millionths),
          epsilon_of(kMostMillionths));
  require(cap.entity == 1 || !bound::edge_level(cap.relation),
          "people who are several nodes have a meaning under relations node and record, not {}",
          bound::name(cap.relation));
  require(cap.entity >= 1, "a person is {} nodes, want at least 1", cap.entity);
  require(cap.degree.has_value() == (cap.relation == bound::Relation::Node),
          "a cap names a degree under relation node and nowhere else");
  const artifact::FingerprintKey key = artifact::new_fingerprint_key();
  const std::string id = artifact::to_hex(artifact::new_fingerprint_key()).substr(0, 32);
  return BudgetBook(budget::Book::create(path, body_of("open", {{"id", id},
                                                                {"name", name},
                                                                {"key", artifact::to_hex(key)},
                                                                {"people", artifact::keyed(key, people.features)},
                                                                {"cap", to_json(cap)}})));
}

BudgetBook::BudgetBook(const std::string& path) : book_(path) { read(); }

BookReading BudgetBook::read() const { return reading(book_.entries(), book_.path()); }

artifact::BookMark BudgetBook::mark(const Booked& release) const {
  const BookReading book = read();
  check_is(release, find(book.releases, release.id), path());
  return {book.id, release.id, release.hash};
}

std::string BudgetBook::missing(const artifact::BookMark& mark) const {
  const std::vector<budget::BookEntry> entries = book_.entries();
  if (const std::string id = reading(entries, path()).id; id != mark.book) {
    return fmt::format("is in book {}, this one is {}", mark.book, id);
  }
  if (mark.entry < 1 || mark.entry > std::ssize(entries)) {
    return fmt::format("is entry {} of the book, which has {}: it was put back to an older state", mark.entry,
                       entries.size());
  }
  if (entries[static_cast<size_t>(mark.entry - 1)].hash != mark.hash) {
    return fmt::format("is not entry {} of the book: entries were replaced", mark.entry);
  }
  return "";
}

void BudgetBook::admit(const artifact::Fingerprint& people, bool disjoint) {
  book_.append([&](const auto& entries) {
    const BookReading book = reading(entries, path());
    const std::string keyed = people_in(book, people);
    require(!knows(book, keyed), "{}: the people of this graph are in the book already", path());
    return body_of("people", {{"people", keyed}, {"disjoint", disjoint}});
  });
}

Booked BudgetBook::reserve(const std::string& what, Covered covered, const artifact::Fingerprint& people,
                           const std::string& run) {
  if (!run.empty()) {
    for (Booked& release : read().releases) {
      if (release.run != run || (release.stage != Stage::Reserved && release.stage != Stage::Drawing)) continue;
      require(release.covered.ledger == covered.ledger, "{}: release {} of this run was planned otherwise", path(),
              release.id);
      return release;
    }
  }
  if (covered.id.empty()) covered.id = budget::new_release_id();  // no two entries are alike
  Booked booked;
  booked.what = what;
  booked.run = run;
  const budget::BookEntry entry = book_.append([&](const auto& entries) {
    BookReading book = reading(entries, path());
    covered.people = people_in(book, people);
    if (!knows(book, covered.people)) {
      fail(ErrorKind::BadInput,
           "{}: is about other people than this graph's; `graphveil budget admit` takes in a graph that shares some of "
           "them or, with --disjoint, none; or open a book for these",
           path());
    }
    place(book, covered);
    const std::string room = room_text(book);
    booked.covered = covered;
    book.releases.push_back(booked);
    const std::optional<int64_t> with = spent_millionths(book);
    if (!with || *with > book.cap.millionths) {
      fail(ErrorKind::BudgetExceeded, "{}: {}; with this run it would be {}", path(), room,
           with ? "epsilon " + epsilon_of(*with)
                : fmt::format("no finite epsilon: it is covered under relation {}{}", bound::name(covered.predictions),
                              covered.degree ? fmt::format(", at most {} outgoing edges", *covered.degree) : ""));
    }
    return body_of(name(Stage::Reserved), {{"what", what}, {"run", run}, {"covers", to_json(covered)}});
  });
  booked.id = entry.number;
  booked.hash = entry.hash;
  return booked;
}

void BudgetBook::look(const std::string& what, const artifact::Fingerprint& people) {
  book_.append([&](const auto& entries) {
    const BookReading book = reading(entries, path());
    if (!knows(book, people_in(book, people))) {
      fail(ErrorKind::BadInput, "{}: is about other people than this graph's", path());
    }
    return body_of("look", {{"what", what}});
  });
}

void BudgetBook::follow(const Booked& reserved, Stage stage, const std::string& certificate) {
  book_.append([&](const auto& entries) {
    const BookReading book = reading(entries, path());
    const int64_t id = reserved.id;
    const Booked* release = find(book.releases, id);
    check_is(reserved, release, path());
    if (!follows(release->stage, stage)) {
      fail(ErrorKind::InvalidArgument, "{}: release {} is {}, so it cannot become {}{}", path(), id,
           name(release->stage), name(stage), stage == Stage::Spent ? ": another process has finished this run" : "");
    }
    Json fields = {{"of", id}};
    if (stage == Stage::Spent) fields["certificate"] = certificate;
    return body_of(name(stage), fields);
  });
}

void BudgetBook::draw(const Booked& release) { follow(release, Stage::Drawing, ""); }
void BudgetBook::spend(const Booked& release, const std::string& certificate) {
  follow(release, Stage::Spent, certificate);
}

void BudgetBook::free(int64_t id) {
  const BookReading book = read();
  const Booked* release = find(book.releases, id);
  require(release != nullptr, "{}: has no release {}", path(), id);
  follow(*release, Stage::Freed, "");
}

void BudgetBook::enter(const std::string& what, std::span<const Former> releases, const std::string& certificate) {
  for (const Former& release : releases) {
    book_.append([&](const auto& entries) {
      const BookReading book = reading(entries, path());
      Covered covered = release.covered;
      covered.people = release.people ? people_in(book, *release.people) : "";
      if (release.people && !knows(book, covered.people)) {
        fail(ErrorKind::BadInput, "{}: is about other people than this run", path());
      }
      return body_of(name(Stage::Spent),
                     {{"what", what}, {"run", ""}, {"covers", to_json(covered)}, {"certificate", certificate}});
    });
  }
}

}  // namespace graphveil::run
