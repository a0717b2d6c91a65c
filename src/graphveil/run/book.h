// The budget book of some people: what runs on them reserve, draw and spend, and whether there is room for another.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graphveil/artifact/fingerprint.h"
#include "graphveil/budget/book.h"
#include "graphveil/run/totals.h"

namespace graphveil::run {

// The most that everything together may cost, for whom.
struct Cap {
  bound::Relation relation = bound::Relation::Node;
  std::optional<int64_t> degree;  // of the nodes that it speaks of, under node; none under other relations
  int64_t millionths = 0;         // of epsilon
  double delta = 0;
  int64_t entity = 1;  // nodes that one person is, at most: declared
};

// Epsilons in a book are whole millionths: what is allowed is rounded down, what is spent up.
int64_t millionths_down(double epsilon);
int64_t millionths_up(double epsilon);

enum class Stage {
  Reserved,  // planned: it counts, and nothing was drawn
  Drawing,   // noise may have been drawn: it counts for good
  Spent,     // a run folder or a file of predictions came of it
  Freed,     // was reserved, and nothing was ever drawn
};
const char* name(Stage stage);

// One release in a book.
struct Booked {
  int64_t id = 0;  // the number of its first entry
  std::string when, what;
  Stage stage = Stage::Reserved;
  Covered covered;
  std::string run;          // a name that a run keeps when it is killed and goes on; empty: it cannot go on
  std::string certificate;  // of a run that is done: the digest in its certificate
  std::string hash = {};    // of its first entry: tells it from one of the same number in a book that was put back
};

// A book as it was read: entries of other processes come with the next reading.
struct BookReading {
  std::string id;    // of the book, made by chance
  std::string name;  // what its owner calls the data
  std::string opened;
  Cap cap;
  artifact::FingerprintKey key{};
  std::vector<std::string> people;    // keyed, of the graphs that it is about
  std::vector<std::string> disjoint;  // those of them that were declared to share nobody with the others
  std::vector<Booked> releases;
  std::vector<std::string> looks;  // "2026-11-16T14:05:36Z attack membership mlp": for the holder's eyes alone
  budget::BookHead head;
};

// A release of a run that was made without the book.
struct Former {
  Covered covered;
  std::optional<artifact::Fingerprint> people;  // none: not known whose, so it counts for everybody in the book
};

// What all releases that were not freed cost under a relation; none: no finite epsilon holds, or one of them says
// nothing under it.
std::optional<double> spent_under(std::span<const Booked> releases, bound::Relation relation,
                                  std::optional<int64_t> degree, double delta, int64_t entity = 1);
// The same for a book's cap, in millionths.
std::optional<int64_t> spent_millionths(const BookReading& book);

// Which of a run's releases, in the order of its log, the book has not: by number, 0 is the training. A release is told
// by its id, which the copies of a run share only for what was released before they were copied.
std::vector<size_t> unbooked(const BookReading& book, const artifact::Certificate& certificate,
                             const std::string& digest, std::span<const Covered> releases);

// Guarantee: whatever process dies when, everything that was drawn under a book is in it, reserved or spent, and no
// reservation is made that takes the cost of all of them beyond the cap. Noise is drawn after draw() alone, which
// refuses a reservation that was freed.
class BudgetBook {
 public:
  // Throws as budget::Book does; InvalidArgument for a cap that is none.
  static BudgetBook create(const std::string& path, const std::string& name, const Cap& cap,
                           const artifact::Fingerprint& people);
  explicit BudgetBook(const std::string& path);

  const std::string& path() const { return book_.path(); }
  BookReading read() const;
  // Where the book has a release, for a certificate. Throws BadInput when it has it no more.
  artifact::BookMark mark(const Booked& release) const;
  // Why this mark is not of this book, or of a later state of it than this one; empty: it is.
  std::string missing(const artifact::BookMark& mark) const;
  // This graph's people too: those that are there already with newcomers, or with `disjoint` nobody of them.
  void admit(const artifact::Fingerprint& people, bool disjoint);

  // Room for a release about these people: `covered` says what it costs for whom, its people are filled in. Throws
  // BudgetExceeded, naming what is left, and BadInput for people that the book does not know. A run that goes on, told
  // by its name, gets what it had: it draws the same noise again.
  Booked reserve(const std::string& what, Covered covered, const artifact::Fingerprint& people,
                 const std::string& run = "");
  // Somebody looked at the data without any guarantee: nothing of it may leave, and nothing of it is added up. Throws
  // BadInput for people that the book does not know.
  void look(const std::string& what, const artifact::Fingerprint& people);
  // From here on noise is drawn. Throws InvalidArgument unless it is reserved, or already drawing; BadInput when the
  // book was replaced since it was reserved.
  void draw(const Booked& release);
  // A run folder or a file came of it.
  void spend(const Booked& release, const std::string& certificate);
  // Nothing was drawn. Throws InvalidArgument for one that may have drawn, or is not there.
  void free(int64_t id);
  // A run of before, or without the book: its releases, spent. Throws BudgetExceeded for none: what is spent is spent;
  // BadInput for people that the book does not know.
  void enter(const std::string& what, std::span<const Former> releases, const std::string& certificate);

 private:
  explicit BudgetBook(budget::Book book) : book_(std::move(book)) {}
  void follow(const Booked& release, Stage stage, const std::string& certificate);

  budget::Book book_;
};

// Throws BadInput, naming no number of theirs, when somebody in the data is more nodes than the book's cap declares;
// none: the data do not say who is who.
void check_entities(const BookReading& book, std::optional<int64_t> largest, const std::string& path);

// What is left under the cap and the cost with one more release, in words.
std::string room_text(const BookReading& book);

}  // namespace graphveil::run
