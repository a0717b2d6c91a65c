// Runs and copies of runs beside a budget book, graphs that were declared disjoint, and people who are several nodes.
#include <cstdlib>

#include "tests/cli/journey.h"
#include "tests/files/tables.h"

namespace graphveil::cli::budget_runs_test {
namespace {

namespace fs = std::filesystem;

class BudgetRuns : public Journey {
 protected:
  BudgetRuns() : book_(folder_.path("a.book")) {}

  void open(double epsilon, const std::string& data, const std::string& more = "") {
    const Outcome made =
        run(folder_, fmt::format("budget open {} --data {} -e {} -d 1e-3 {}", book_, data, epsilon, more));
    ASSERT_EQ(made.exit_code, 0) << made.error;
  }
  std::string at(const std::string& name) const { return folder_.path(name); }
  nlohmann::json shown(const std::string& what) { return run(folder_, "budget show --json " + what).json(); }
  Outcome predicted(const std::string& name, const std::string& data, const std::string& out,
                    const std::string& more = "") {
    return run(folder_, fmt::format("predict {} --data {} --out {} -q --json --total-epsilon 90 {}", at(name), data,
                                    at(out), more));
  }
  void copy(const std::string& from, const std::string& to) { fs::copy(at(from), at(to), fs::copy_options::recursive); }

  std::string book_;
};

TEST_F(BudgetRuns, ShowAddsUpRunsWithoutABook) {
  ASSERT_EQ(train("lap", "lap", "-e 2 -d 1e-3").exit_code, 0);
  ASSERT_EQ(train("mlp-dp", "mlp", "-e 1 -d 1e-3").exit_code, 0);
  const std::string both = at("lap") + " " + at("mlp");
  ASSERT_EQ(predicted("lap", generated("other", 2), "a.csv").exit_code, 0);
  const nlohmann::json found = shown(both), wanted = run(folder_, "account --json " + both).json();
  EXPECT_EQ(found["spent"], wanted["epsilon"]);
  EXPECT_EQ(found["totals"], wanted["totals"]);
  EXPECT_EQ(found["releases"], 3);
  const Outcome text = run(folder_, "budget show " + both);
  // The dearest total fills its bar; every total has one.
  EXPECT_NE(text.out.find("[" + std::string(40, '#') + "]"), std::string::npos) << text.out;
  size_t bars = 0;
  for (size_t i = text.out.find('['); i != std::string::npos; i = text.out.find('[', i + 1)) ++bars;
  EXPECT_EQ(bars, wanted["totals"].size());
  ASSERT_EQ(train("gap-edp", "edges", "-e 1 -d 1e-3").exit_code, 0);
  EXPECT_EQ(run(folder_, "budget show " + both + " " + at("edges")).exit_code, 2);  // no relation covers all
  EXPECT_EQ(run(folder_, "budget show " + book_ + " " + both).exit_code, 2);
  open(3, graph_);
  EXPECT_EQ(run(folder_, "budget show " + book_ + " " + both).exit_code, 2);
  ASSERT_EQ(train("mlp-dp", "first", "-e 1 -d 1e-3 --budget " + book_).exit_code, 0);
  const Outcome of_book = run(folder_, "budget show " + book_);
  EXPECT_NE(of_book.out.find("] "), std::string::npos) << of_book.out;
  EXPECT_NE(of_book.out.find("  1"), std::string::npos) << of_book.out;
}

// Two copies of a run, each with predictions of its own: all of them are entered, and what they share once.
TEST_F(BudgetRuns, CopiesOfARunAreToldApart) {
  ASSERT_EQ(train("lap", "one", "-e 2 -d 1e-3").exit_code, 0);
  open(90, graph_);
  const std::string other = generated("other", 2);
  copy("one", "two");
  ASSERT_EQ(predicted("one", other, "a.csv").exit_code, 0);
  ASSERT_EQ(predicted("two", other, "b.csv").exit_code, 0);
  const auto enter = [&](const std::string& runs) {
    return run(folder_, "budget enter --json " + book_ + " " + runs + " --data " + graph_);
  };
  EXPECT_EQ(enter(at("one")).json()["entered"], 2);
  EXPECT_EQ(run(folder_, "budget check " + book_ + " " + at("two")).exit_code, 1);
  const Outcome second = enter(at("two"));
  ASSERT_EQ(second.exit_code, 0) << second.error;
  EXPECT_EQ(second.json()["entered"], 1);
  EXPECT_EQ(second.json()["for_everybody"], 1);  // nobody said whose the other graph is
  EXPECT_EQ(run(folder_, "budget check " + book_ + " " + at("one") + " " + at("two")).exit_code, 0);
  EXPECT_EQ(enter(at("two")).exit_code, 2);
  EXPECT_EQ(shown(book_)["releases"], 3);
}

// A book that was put back while the run folder was not: the next prediction is refused.
TEST_F(BudgetRuns, APredictionWantsABookThatKnowsTheRunsLog) {
  open(90, graph_);
  ASSERT_EQ(train("lap", "one", "-e 2 -d 1e-3 --budget " + book_).exit_code, 0);
  const std::string other = generated("other", 2);
  ASSERT_EQ(run(folder_, "budget admit " + book_ + " --data " + other).exit_code, 0);
  fs::copy_file(book_, at("old.book"));
  ASSERT_EQ(predicted("one", other, "a.csv").exit_code, 0);
  fs::copy_file(at("old.book"), book_, fs::copy_options::overwrite_existing);
  const Outcome refused = predicted("one", other, "b.csv");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.error.find("older state"), std::string::npos) << refused.error;
  EXPECT_EQ(run(folder_, "budget check " + book_ + " " + at("one")).exit_code, 1);
  ASSERT_EQ(
      run(folder_, fmt::format("budget enter {} {} --data {} --data {}", book_, at("one"), graph_, other)).exit_code,
      0);
  EXPECT_EQ(predicted("one", other, "b.csv").exit_code, 0);
}

// What one run declared to be disjoint from its own graphs may be another run's: together, everything composes.
TEST_F(BudgetRuns, ADisjointGraphOfOneRunMayBeAnotherRuns) {
  const std::string other = generated("other", 2);
  ASSERT_EQ(train("lap", "one", "-e 1 -d 1e-3").exit_code, 0);
  ASSERT_EQ(train("lap", "two", "-e 1 -d 1e-3").exit_code, 0);
  for (const char* name : {"one", "two"}) {
    ASSERT_EQ(predicted(name, other, std::string(name) + ".csv", "--disjoint").exit_code, 0);
  }
  const double alone = run(folder_, "account --json " + at("one")).json()["epsilon"],
               both = run(folder_, "account --json " + at("one") + " " + at("two")).json()["epsilon"];
  copy("one", "three");
  EXPECT_GT(both, alone);
  // The same events without a declaration.
  fs::remove_all(at("one.csv"));
  ASSERT_EQ(train("lap", "four", "-e 1 -d 1e-3").exit_code, 0);
  ASSERT_EQ(train("lap", "five", "-e 1 -d 1e-3").exit_code, 0);
  for (const char* name : {"four", "five"}) {
    ASSERT_EQ(predicted(name, other, std::string(name) + ".csv").exit_code, 0);
  }
  const double plain = run(folder_, "account --json " + at("four") + " " + at("five")).json()["epsilon"];
  EXPECT_NEAR(both, plain, 1e-6 * plain);
  // Entered into a book in which the other graph is apart: its people have paid for both predictions.
  open(90, graph_);
  ASSERT_EQ(run(folder_, "budget admit " + book_ + " --disjoint --data " + other).exit_code, 0);
  const std::string runs = at("one") + " " + at("two");
  ASSERT_EQ(run(folder_, fmt::format("budget enter {} {} --data {}", book_, runs, graph_)).exit_code, 0);
  const double unknown = shown(book_)["spent"];
  fs::remove(book_);
  open(90, graph_);
  ASSERT_EQ(run(folder_, "budget admit " + book_ + " --disjoint --data " + other).exit_code, 0);
  ASSERT_EQ(run(folder_, fmt::format("budget enter {} {} --data {} --data {}", book_, runs, graph_, other)).exit_code,
            0);
  const double known = shown(book_)["spent"];
  EXPECT_GT(unknown, known);  // with the graph at hand nobody pays for the other's
}

TEST_F(BudgetRuns, AnAuditOfTheDataIsALook) {
  open(3, graph_);
  const auto audit = [&](const std::string& more) {
    return run(folder_, "audit lap -q -s 1 --budget " + book_ + " " + more);
  };
  const Outcome trained = audit("--train --models 24 --steps 2 --data " + graph_);
  EXPECT_EQ(trained.exit_code, 0) << trained.error;
  EXPECT_EQ(shown(book_)["looks"].size(), 1u);
  EXPECT_EQ(shown(book_)["spent"], 0.0);
  EXPECT_EQ(audit("--train --models 24 --steps 2 --data " + generated("other", 2)).exit_code, 2);  // other people
  for (const char* made_up : {"--train --models 24 --steps 2", "--draws 1e4"}) {
    const Outcome nothing = audit(made_up);
    EXPECT_EQ(nothing.exit_code, 0) << nothing.error;
    EXPECT_NE(nothing.error.find("nothing is noted"), std::string::npos) << nothing.error;
  }
  EXPECT_EQ(shown(book_)["looks"].size(), 1u);
}

TEST_F(BudgetRuns, PeopleWhoAreSeveralNodes) {
  std::string people = "id,person,age,job\n", friends = "source,target\n";
  for (int i = 0; i < 60; ++i) {
    people += fmt::format("n{},p{},{},{}\n", i, i / 3, 20 + i % 40, i % 2 == 0 ? "nurse" : "pilot");
    friends += fmt::format("n{},n{}\n", i, (i + 7) % 60);
  }
  const std::string data = at("people.gvg");
  const Outcome made =
      run(folder_, fmt::format("data import --nodes {} --edges {} --id id --label job --entity person {}",
                               folder_.write("people.csv", people), folder_.write("friends.csv", friends), data));
  ASSERT_EQ(made.exit_code, 0) << made.error;
  EXPECT_EQ(run(folder_, fmt::format("data convert {} {}", data, at("b.gvg"))).exit_code, 2);  // would lose it
  const auto train_on = [&](const std::string& name, const std::string& more) {
    return run(folder_,
               fmt::format("train lap --data {} -q --json --steps 5 -e 1 -d 1e-3 --out {} {}", data, at(name), more));
  };
  const Outcome undeclared = train_on("a", "");
  EXPECT_EQ(undeclared.exit_code, 2);
  EXPECT_NE(undeclared.error.find("--entity-size"), std::string::npos) << undeclared.error;
  const Outcome few = train_on("a", "--entity-size 2");
  EXPECT_EQ(few.exit_code, 2);
  EXPECT_EQ(few.error.find('3'), std::string::npos) << few.error;
  const Outcome declared = train_on("a", "--entity-size 4");
  ASSERT_EQ(declared.exit_code, 0) << declared.error;
  double one = 0, person = 0;
  const nlohmann::json stated = declared.json()["statements"];
  for (const auto& s : stated) {
    if (s["what"] == "parameters" && s["relation"] == "node" && one == 0) one = s["epsilon"];
    if (s["what"] == "parameters, people who are at most 4 nodes each") person = s["epsilon"];
  }
  EXPECT_GT(person, 2 * one);
  EXPECT_EQ(run(folder_, "verify " + at("a")).exit_code, 0);

  EXPECT_EQ(run(folder_, fmt::format("budget open {} --data {} -e 9 -d 1e-3", book_, data)).exit_code, 2);
  EXPECT_EQ(run(folder_, fmt::format("budget open {} --data {} -e 9 -d 1e-3 --entity-size 2", book_, data)).exit_code,
            2);
  EXPECT_FALSE(there("a.book"));
  open(90, data, "--entity-size 3");
  ASSERT_EQ(run(folder_, fmt::format("budget enter {} {} --data {}", book_, at("a"), data)).exit_code, 0);
  EXPECT_GT(shown(book_)["spent"].get<double>(), 2 * one);
  fs::remove(book_);
  open(90, graph_);
  EXPECT_EQ(run(folder_, fmt::format("budget admit {} --data {}", book_, data)).exit_code, 2);
}

}  // namespace
}  // namespace graphveil::cli::budget_runs_test
