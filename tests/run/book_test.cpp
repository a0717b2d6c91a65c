#include "graphveil/run/book.h"

#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>

#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/bound/class_sums.h"
#include "graphveil/bound/neighbor_sum.h"
#include "tests/run/small_run.h"

namespace graphveil::run::book_test {
namespace {

namespace fs = std::filesystem;
using bound::Relation;

constexpr double kDelta = 1e-5;
const artifact::Fingerprint kPeople{"e", "f", "l", ""}, kOthers{"e", "g", "l", ""};

// A Gaussian sum for nodes of this degree; without one, class sums, which cover every degree.
Covered sum_for(double multiplier, std::optional<int64_t> degree, Relation relation = Relation::Node) {
  mechanism::Plan plan;
  plan.add({account::Event("sum", account::Gaussian{multiplier}),
            degree ? bound::neighbor_sum_bound({.protect_degree = *degree}) : bound::class_sums_bound(2)});
  return {.ledger = plan.ledger(), .plan = plan, .relation = relation, .predictions = relation, .degree = degree};
}

double epsilon_of(double mu_squared) { return gaussian_epsilon(std::sqrt(mu_squared), kDelta); }

class BookTest : public testing::Test {
 protected:
  BookTest() : path_((fs::temp_directory_path() / ("graphveil-run-book-" + std::to_string(getpid()))).string()) {
    fs::remove(path_);
  }
  ~BookTest() override { fs::remove(path_); }
  BudgetBook opened(double epsilon, int64_t degree = 100) const {
    return BudgetBook::create(path_, "people", {Relation::Node, degree, millionths_down(epsilon), kDelta}, kPeople);
  }
  static double spent(const BudgetBook& book) { return static_cast<double>(*spent_millionths(book.read())) / 1e6; }

  std::string path_;
};

TEST_F(BookTest, MillionthsAreRoundedAgainstUs) {
  EXPECT_EQ(millionths_down(8), 8'000'000);
  EXPECT_EQ(millionths_up(8), 8'000'000 + 1);
  EXPECT_EQ(millionths_down(0.12345678), 123'456);
  EXPECT_EQ(millionths_up(0.12345678), 123'457);
}

TEST_F(BookTest, ReleasesComposeAndEveryDegreeCounts) {
  BudgetBook book = opened(8);
  EXPECT_EQ(*spent_millionths(book.read()), 0);
  book.reserve("a", sum_for(2, std::nullopt), kPeople);
  book.reserve("b", sum_for(3, 100), kPeople);
  book.reserve("c", sum_for(3, 400), kPeople);  // at degree 100 half of what it was made for
  EXPECT_NEAR(spent(book), epsilon_of(1.0 / 4 + 1.0 / 9 + 1.0 / 36), 0.01);
  const BookReading reading = book.read();
  EXPECT_NEAR(*spent_under(reading.releases, Relation::Node, 0, kDelta), epsilon_of(1.0 / 4), 0.01);
  EXPECT_FALSE(spent_under(reading.releases, Relation::Record, {}, kDelta).has_value());
}

TEST_F(BookTest, WhatDoesNotFitIsRefusedAndLeavesNothing) {
  BudgetBook book = opened(epsilon_of(1.0 / 4) * 1.5);
  book.reserve("a", sum_for(2, 100), kPeople);
  try {
    book.reserve("b", sum_for(1, 100), kPeople);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BudgetExceeded);
    EXPECT_NE(std::string(error.what()).find("is left"), std::string::npos) << error.what();
  }
  EXPECT_THROW(book.reserve("c", sum_for(100, std::nullopt, Relation::Record), kPeople), Error);
  EXPECT_EQ(book.read().releases.size(), 1u);
  book.reserve("d", sum_for(10, 100), kPeople);
  EXPECT_EQ(book.read().releases.size(), 2u);
}

TEST_F(BookTest, AReservationCountsUntilItIsFreedAndIsFreedOnlyWhileNothingWasDrawn) {
  BudgetBook book = opened(8);
  const Booked first = book.reserve("a", sum_for(2, 100), kPeople),
               second = book.reserve("b", sum_for(2, 100), kPeople);
  EXPECT_NEAR(spent(book), epsilon_of(0.5), 0.01);
  book.free(first.id);
  EXPECT_NEAR(spent(book), epsilon_of(0.25), 0.01);
  EXPECT_THROW(book.draw(first), Error);  // freed meanwhile: no noise
  book.draw(second);
  EXPECT_THROW(book.free(second.id), Error);
  book.spend(second, "digest");
  EXPECT_THROW(book.free(second.id), Error);
  EXPECT_THROW(book.spend(second, "digest"), Error);
  EXPECT_THROW(book.free(77), Error);
  EXPECT_EQ(book.read().releases[1].certificate, "digest");
  EXPECT_NEAR(spent(book), epsilon_of(0.25), 0.01);
}

TEST_F(BookTest, ARunThatGoesOnHasItsPlaceAlready) {
  BudgetBook book = opened(8);
  const Booked held = book.reserve("a", sum_for(2, 100), kPeople, "run");
  const int64_t id = held.id;
  book.draw(held);
  const Booked again = BudgetBook(path_).reserve("a", sum_for(2, 100), kPeople, "run");
  EXPECT_EQ(again.id, id);
  book.draw(again);
  EXPECT_NEAR(spent(book), epsilon_of(0.25), 0.01);
  EXPECT_THROW(book.reserve("a", sum_for(3, 100), kPeople, "run"), Error);  // planned otherwise
  book.spend(held, "digest");
  EXPECT_NE(book.reserve("a", sum_for(2, 100), kPeople, "run").id, id);
}

TEST_F(BookTest, OtherPeopleAreRefusedUntilTheyAreAdmitted) {
  BudgetBook book = opened(8);
  book.reserve("a", sum_for(2, 100), kPeople);
  EXPECT_THROW(book.reserve("b", sum_for(2, 100), kOthers), Error);
  book.admit(kOthers, true);
  EXPECT_THROW(book.admit(kOthers, false), Error);
  EXPECT_THROW(book.admit(kPeople, true), Error);
  book.reserve("b", sum_for(2, 100), kOthers);
  EXPECT_NEAR(spent(book), epsilon_of(0.25), 0.01);  // nobody is in both
  fs::remove(path_);
  BudgetBook shared = opened(8);
  shared.admit(kOthers, false);
  shared.reserve("a", sum_for(2, 100), kPeople);
  shared.reserve("b", sum_for(2, 100), kOthers);
  EXPECT_NEAR(spent(shared), epsilon_of(0.5), 0.01);
}

TEST_F(BookTest, AMarkTellsABookThatWasPutBack) {
  BudgetBook book = opened(8);
  const Booked first = book.reserve("a", sum_for(2, 100), kPeople);
  const std::string old = path_ + ".old";
  fs::copy_file(path_, old, fs::copy_options::overwrite_existing);
  const Booked second = book.reserve("b", sum_for(2, 100), kPeople);
  const artifact::BookMark mark = book.mark(second);
  EXPECT_EQ(book.missing(mark), "");
  EXPECT_NE(BudgetBook(old).missing(mark), "");
  EXPECT_EQ(BudgetBook(old).missing(book.mark(first)), "");
  BudgetBook(old).reserve("other", sum_for(5, 100), kPeople);
  EXPECT_NE(BudgetBook(old).missing(mark), "");  // as many entries, others
  fs::remove(old);
  fs::remove(path_);
  EXPECT_NE(opened(8).missing(mark), "");
}

// Put back while a run is under way, and then used by another: that one's place is not taken for the first one's.
TEST_F(BookTest, APlaceInABookThatWasReplacedIsNoPlace) {
  std::optional<BudgetBook> book = opened(8);
  const std::string old = path_ + ".old";
  fs::copy_file(path_, old, fs::copy_options::overwrite_existing);
  const Booked held = book->reserve("a", sum_for(2, 100), kPeople);
  book.reset();
  fs::copy_file(old, path_, fs::copy_options::overwrite_existing);
  fs::remove(old);
  book.emplace(path_);
  EXPECT_THROW(book->draw(held), Error);
  const Booked other = book->reserve("b", sum_for(3, 100), kPeople);
  EXPECT_EQ(other.id, held.id);
  EXPECT_THROW(book->draw(held), Error);
  EXPECT_THROW(book->spend(held, "digest"), Error);
  EXPECT_THROW(book->mark(held), Error);
  EXPECT_EQ(book->read().releases.front().stage, Stage::Reserved);
  book->draw(other);
}

TEST_F(BookTest, SomebodyWhoIsMoreNodesThanDeclaredIsRefused) {
  const BudgetBook book = BudgetBook::create(path_, "", {Relation::Node, 100, 8'000'000, kDelta, 3}, kPeople);
  EXPECT_NO_THROW(check_entities(book.read(), std::nullopt, path_));
  EXPECT_NO_THROW(check_entities(book.read(), 3, path_));
  try {
    check_entities(book.read(), 123456789, path_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_EQ(std::string(error.what()).find("123456789"), std::string::npos) << error.what();
  }
}

TEST_F(BookTest, PeopleWhoAreSeveralNodesCostMore) {
  BudgetBook book = BudgetBook::create(path_, "", {Relation::Node, 100, millionths_down(50), kDelta, 3}, kPeople);
  book.reserve("a", sum_for(6, 100), kPeople);
  EXPECT_GE(spent(book), epsilon_of(9.0 / 36));  // three nodes move the sum three times as far
  EXPECT_LT(spent(book), 3 * epsilon_of(9.0 / 36));
}

TEST_F(BookTest, RunsOfBeforeAreEnteredWhateverTheyCost) {
  BudgetBook book = opened(0.1);
  const std::vector<Former> releases{{sum_for(1, 100), kPeople}, {sum_for(1, 100), kPeople}};
  book.enter("run of lap", releases, "digest");
  EXPECT_NEAR(spent(book), epsilon_of(2), 0.05);
  EXPECT_THROW(book.reserve("a", sum_for(1000, 100), kPeople), Error);
  EXPECT_THROW(book.enter("run of lap", std::vector<Former>{{sum_for(1, 100), kOthers}}, "digest"), Error);
}

// A run that predicted on a graph which is in the book as disjoint: that graph's people have paid for it too.
TEST_F(BookTest, AReleaseAboutAnUnknownGraphCountsForEverybody) {
  BudgetBook book = opened(8);
  book.admit(kOthers, true);
  book.reserve("other", sum_for(2, 100), kOthers);
  book.reserve("own", sum_for(4, 100), kPeople);
  book.enter("run of lap", std::vector<Former>{{sum_for(3, 100), std::nullopt}}, "digest");
  EXPECT_NEAR(spent(book), epsilon_of(1.0 / 4 + 1.0 / 9), 0.01);
}

// Two predictions were paid for with a training. Copies of its folder draw them twice over, or somebody draws them
// about people who are counted apart: that is more than was paid for.
TEST_F(BookTest, AReserveIsPaidForOnceAndForThePeopleOfItsTraining) {
  BudgetBook book = opened(8);
  book.admit(kOthers, true);
  book.spend(book.reserve("train", sum_for(2, 100), kPeople), "digest");
  Covered later = sum_for(3, 100);
  later.parameters = false;
  later.reserve_of = "digest";
  later.reserve_size = 2;
  for (int i = 0; i < 2; ++i) book.reserve("predict", later, kPeople);
  EXPECT_NEAR(spent(book), epsilon_of(1.0 / 4), 0.01);
  book.reserve("predict", later, kPeople);
  EXPECT_NEAR(spent(book), epsilon_of(1.0 / 4 + 1.0 / 9), 0.01);
  later.reserve_size = 9;
  for (int i = 0; i < 4; ++i) book.reserve("predict", later, kOthers);
  EXPECT_NEAR(spent(book), epsilon_of(4.0 / 9), 0.01);
  // Of a training that is not in the book nothing is known to be paid.
  later.reserve_of = "another";
  book.reserve("predict", later, kPeople);
  EXPECT_NEAR(spent(book), epsilon_of(1.0 / 4 + 2.0 / 9), 0.01);
}

// Next month's table of people who were declared apart, admitted without a word about them: they are in both.
TEST_F(BookTest, AGraphThatCameAfterADisjointOneCountsForEverybody) {
  const artifact::Fingerprint later{"e", "h", "l", ""};
  BudgetBook book = opened(8);
  book.admit(kOthers, true);
  book.admit(later, false);
  book.reserve("apart", sum_for(2, 100), kOthers);
  book.reserve("later", sum_for(3, 100), later);
  EXPECT_NEAR(spent(book), epsilon_of(1.0 / 4 + 1.0 / 9), 0.01);
  book.reserve("own", sum_for(2, 100), kPeople);  // the first graph's stay apart from the second's
  EXPECT_NEAR(spent(book), epsilon_of(1.0 / 4 + 1.0 / 9), 0.01);
}

TEST_F(BookTest, ReleasesOfARunAreToldByTheirIds) {
  BudgetBook book = opened(8);
  artifact::Certificate certificate;
  std::vector<Covered> log{sum_for(2, 100), sum_for(3, 100), sum_for(3, 100)};
  for (size_t i = 0; i < log.size(); ++i) log[i].id = "release " + std::to_string(i);
  const auto absent = [&] { return unbooked(book.read(), certificate, "digest", log); };
  EXPECT_EQ(absent(), (std::vector<size_t>{0, 1, 2}));
  book.enter("run", std::vector<Former>{{log[0], kPeople}, {log[2], std::nullopt}}, "digest");
  EXPECT_EQ(absent(), (std::vector<size_t>{1}));
  log[2].id = "that of a copy";
  EXPECT_EQ(absent(), (std::vector<size_t>{1, 2}));
  // One that was only reserved and then freed was never made.
  const int64_t freed = book.reserve("predict", log[1], kPeople).id;
  EXPECT_EQ(absent(), (std::vector<size_t>{2}));
  book.free(freed);
  EXPECT_EQ(absent(), (std::vector<size_t>{1, 2}));
  // A training under the book is there by its mark.
  log[0].id = "another";
  EXPECT_EQ(absent(), (std::vector<size_t>{1, 2}));
  EXPECT_EQ(unbooked(book.read(), certificate, "other digest", log).front(), 0u);
  certificate.budget = book.mark(book.reserve("train", sum_for(4, 100), kPeople));
  EXPECT_NE(unbooked(book.read(), certificate, "other digest", log).front(), 0u);
}

TEST_F(BookTest, TenThousandEntriesAreComposedInASecond) {
  BudgetBook book = opened(1000);
  const std::vector<Covered> kinds{sum_for(50, 100), sum_for(80, 50), sum_for(120, std::nullopt)};
  BookReading reading = book.read();
  for (int i = 0; i < 10'000; ++i) {
    reading.releases.push_back({i + 2, "", "x", Stage::Spent, kinds[static_cast<size_t>(i % 3)], "", ""});
    reading.releases.back().covered.people = reading.people.front();
  }
  const auto begin = std::chrono::steady_clock::now();
  const std::optional<int64_t> spent = spent_millionths(reading);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double mu2 = 3334 / 2500.0 + 3333 * 2 / 6400.0 + 3333 / 14400.0;  // made for 50, at degree 100 twice as dear
  EXPECT_NEAR(static_cast<double>(*spent) / 1e6, epsilon_of(mu2), 0.05);
  EXPECT_LT(seconds, 1);
}

// The same from the disk: read, checked, composed, and one more release decided.
TEST_F(BookTest, TenThousandEntriesOnDiskTakeAnotherInASecond) {
  {
    BudgetBook book = opened(1000);
    for (const Covered& kind : {sum_for(50, 100), sum_for(80, 50), sum_for(120, std::nullopt)}) {
      book.reserve("x", kind, kPeople);
    }
  }
  const std::vector<budget::BookEntry> begun = budget::Book(path_).entries();
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &raw), SQLITE_OK);
  sqlite3_exec(raw, "BEGIN", nullptr, nullptr, nullptr);
  std::string last = begun.back().hash;
  for (int64_t number = 5; number <= 10'000; ++number) {
    const int64_t turn = number % 3;
    std::string body = begun[static_cast<size_t>(1 + turn)].body;
    if (turn != 0) {
      body = fmt::format(R"({{"kind": "{}", "when": "now", "of": {}, "certificate": "c"}})",
                         turn == 1 ? "drawing" : "spent", number - turn);
    }
    // Entry 4 is no first of three.
    if (number < 6) body = begun[2].body;
    last = sha256_text(last + "\n" + body);
    const std::string text = fmt::format("INSERT INTO entry VALUES ({}, '{}', '{}')", number, body, last);
    ASSERT_EQ(sqlite3_exec(raw, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(raw);
  }
  sqlite3_exec(raw, "COMMIT", nullptr, nullptr, nullptr);
  sqlite3_close(raw);
#ifdef __SANITIZE_ADDRESS__
  constexpr double kAllowed = 20;
#else
  constexpr double kAllowed = 1;
#endif
  const std::clock_t begin = std::clock();  // of the processor: others may be busy
  BudgetBook book(path_);
  book.reserve("one more", sum_for(50, 100), kPeople);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_EQ(book.read().head.entries, 10'001);
  EXPECT_LT(seconds, kAllowed);
  RecordProperty("milliseconds", static_cast<int>(1000 * seconds));
}

}  // namespace
}  // namespace graphveil::run::book_test
