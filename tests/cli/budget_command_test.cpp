// graphveil budget, and train and predict under a book, run as a user would.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include "tests/cli/journey.h"

namespace graphveil::cli::budget_command_test {
namespace {

namespace fs = std::filesystem;

class BudgetCommand : public Journey {
 protected:
  BudgetCommand() : book_(folder_.path("a.book")) {}

  void open(double epsilon, const std::string& more = "") {
    const Outcome made =
        run(folder_, fmt::format("budget open {} --data {} -e {} -d 1e-3 {}", book_, graph_, epsilon, more));
    ASSERT_EQ(made.exit_code, 0) << made.error;
  }
  Outcome trained(const std::string& name, const std::string& options, const std::string& method = "mlp-dp") {
    return train(method, name, "-d 1e-3 --budget " + book_ + " " + options);
  }
  nlohmann::json shown() { return run(folder_, "budget show --json " + book_).json(); }
  nlohmann::json history() { return run(folder_, "budget history --json " + book_).json()["releases"]; }
  Outcome predicted(const std::string& name, const std::string& data, const std::string& out,
                    const std::string& more = "") {
    return run(folder_, fmt::format("predict {} --data {} --out {} -q --json --total-epsilon 50 {}", folder_.path(name),
                                    data, folder_.path(out), more));
  }
  std::string book_;
};

TEST_F(BudgetCommand, TrainingsComposeUnderTheCapAndOneTooManyIsRefused) {
  open(3);
  const Outcome first = trained("first", "-e 2");
  ASSERT_EQ(first.exit_code, 0) << first.error;
  EXPECT_NEAR(shown()["spent"].get<double>(), 2, 0.02);
  const Outcome second = trained("second", "-e 1");
  ASSERT_EQ(second.exit_code, 0) << second.error;
  const double spent = shown()["spent"];
  EXPECT_GT(spent, 2);
  EXPECT_LT(spent, 2.95);  // composed, not added up
  const Outcome refused = trained("third", "-e 2");
  EXPECT_EQ(refused.exit_code, 3) << refused.out;
  EXPECT_NE(refused.error.find("is left"), std::string::npos) << refused.error;
  EXPECT_NE(refused.error.find("it would fit"), std::string::npos) << refused.error;
  EXPECT_FALSE(there("third"));
  EXPECT_EQ(shown()["spent"].get<double>(), spent);
  EXPECT_EQ(history().size(), 2u);
  EXPECT_EQ(history()[0]["state"], "spent");
  // What fits is said so that it can be typed.
  const std::string words = refused.error.substr(refused.error.find("--epsilon ") + 10);
  EXPECT_EQ(trained("third", "-e " + words.substr(0, words.find(' '))).exit_code, 0) << refused.error;
  EXPECT_EQ(run(folder_, "verify " + folder_.path("first")).exit_code, 0);
  const Outcome checked =
      run(folder_, "budget check " + book_ + " " + folder_.path("first") + " " + folder_.path("second"));
  EXPECT_EQ(checked.exit_code, 0) << checked.out;
  const Outcome page = run(folder_, "budget export " + book_);
  EXPECT_NE(page.out.find("train mlp-dp"), std::string::npos) << page.out;
}

TEST_F(BudgetCommand, PredictionsAreInTheSameBookAndACopiedFolderRefundsNothing) {
  open(20);
  ASSERT_EQ(trained("first", "-e 2", "lap").exit_code, 0);
  const std::string other = generated("other", 2);
  EXPECT_EQ(predicted("first", other, "a.csv").exit_code, 2);  // people that the book does not know
  EXPECT_EQ(history().size(), 1u);
  ASSERT_EQ(run(folder_, "budget admit " + book_ + " --data " + other).exit_code, 0);
  fs::copy(folder_.path("first"), folder_.path("copy"), fs::copy_options::recursive);
  const double before = shown()["spent"];
  ASSERT_EQ(predicted("first", other, "a.csv").exit_code, 0);
  const double once = shown()["spent"];
  EXPECT_GT(once, before);
  const Outcome copied = predicted("copy", other, "b.csv");
  ASSERT_EQ(copied.exit_code, 0) << copied.error;
  EXPECT_GT(shown()["spent"].get<double>(), once);
  EXPECT_EQ(history().size(), 3u);
  // Where the book is gone nothing is predicted at a price.
  fs::rename(book_, folder_.path("b.book"));
  EXPECT_EQ(predicted("first", other, "c.csv").exit_code, 2);
  EXPECT_EQ(predicted("first", other, "c.csv", "--budget " + folder_.path("b.book")).exit_code, 0);
}

TEST_F(BudgetCommand, APredictionThatFailsLeavesTheBookAlone) {
  open(20);
  ASSERT_EQ(trained("first", "-e 2", "lap").exit_code, 0);
  const std::string other = generated("other", 2);
  ASSERT_EQ(run(folder_, "budget admit " + book_ + " --data " + other).exit_code, 0);
  const double before = shown()["spent"];
  folder_.write("there.csv", "x");
  EXPECT_EQ(predicted("first", other, "there.csv").exit_code, 2);
  EXPECT_EQ(predicted("first", other, "no/such/a.csv").exit_code, 2);
  EXPECT_EQ(predicted("first", folder_.write("narrow.npz", files::npz(files::good_arrays())), "a.csv").exit_code, 2);
  EXPECT_EQ(shown()["spent"].get<double>(), before);
  EXPECT_EQ(shown()["reserved"].get<double>(), 0);
  EXPECT_EQ(history().size(), 1u);
}

TEST_F(BudgetCommand, ARestoredBookIsNoticed) {
  open(20);
  fs::copy_file(book_, folder_.path("old.book"));
  ASSERT_EQ(trained("first", "-e 2").exit_code, 0);
  fs::copy_file(folder_.path("old.book"), book_, fs::copy_options::overwrite_existing);
  const Outcome checked = run(folder_, "budget check " + book_ + " " + folder_.path("first"));
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_NE(checked.out.find("older state"), std::string::npos) << checked.out;
  const Outcome verified = run(folder_, "verify " + folder_.path("first"));
  EXPECT_EQ(verified.exit_code, 1);
  EXPECT_NE(verified.out.find("older state"), std::string::npos) << verified.out;
  fs::remove(book_);
  const Outcome without = run(folder_, "verify " + folder_.path("first"));
  EXPECT_EQ(without.exit_code, 0) << without.out;
  EXPECT_NE(without.out.find("not at hand"), std::string::npos) << without.out;
}

TEST_F(BudgetCommand, AccountReadsTheLogsOfRuns) {
  ASSERT_EQ(train("lap", "lap", "-e 2 -d 1e-3").exit_code, 0);
  ASSERT_EQ(train("mlp-dp", "mlp", "-e 1 -d 1e-3").exit_code, 0);
  const std::string runs = folder_.path("lap") + " " + folder_.path("mlp");
  const Outcome before = run(folder_, "account --json " + runs);  // "at most 100" and "every degree" compare
  ASSERT_EQ(before.exit_code, 0) << before.error;
  EXPECT_GT(before.json()["epsilon"].get<double>(), 2);
  ASSERT_EQ(predicted("lap", generated("other", 2), "a.csv").exit_code, 0);
  EXPECT_GT(run(folder_, "account --json " + runs).json()["epsilon"].get<double>(),
            before.json()["epsilon"].get<double>() + 0.1);
}

TEST_F(BudgetCommand, RunsOfBeforeAreEnteredWithTheirLogs) {
  ASSERT_EQ(train("lap", "lap", "-e 2 -d 1e-3").exit_code, 0);
  ASSERT_EQ(predicted("lap", generated("other", 2), "a.csv").exit_code, 0);
  open(20);
  const std::string enter = "budget enter " + book_ + " " + folder_.path("lap") + " --data " + graph_;
  ASSERT_EQ(run(folder_, enter).exit_code, 0);
  EXPECT_EQ(history().size(), 2u);
  EXPECT_EQ(run(folder_, enter).exit_code, 2);  // once
  EXPECT_EQ(run(folder_, "budget check " + book_ + " " + folder_.path("lap")).exit_code, 0);
  // From then on the run's predictions go by the book, which does not know these people.
  const std::string another = generated("another", 3);
  EXPECT_EQ(predicted("lap", another, "b.csv").exit_code, 2);
  // One past the book shows, and is entered alone.
  fs::remove(folder_.path("lap/holder/budget.path"));
  ASSERT_EQ(predicted("lap", another, "b.csv").exit_code, 0);
  EXPECT_EQ(run(folder_, "budget check " + book_ + " " + folder_.path("lap")).exit_code, 1);
  ASSERT_EQ(run(folder_, enter).exit_code, 0);
  EXPECT_EQ(history().size(), 3u);
  EXPECT_EQ(run(folder_, "budget check " + book_ + " " + folder_.path("lap")).exit_code, 0);
}

TEST_F(BudgetCommand, ARunIsEnteredForThePeopleItWasTrainedOn) {
  ASSERT_EQ(train("mlp-dp", "mlp", "-e 1 -d 1e-3").exit_code, 0);
  open(20);
  const std::string other = generated("other", 2);
  ASSERT_EQ(run(folder_, "budget admit " + book_ + " --data " + other + " --disjoint").exit_code, 0);
  EXPECT_EQ(run(folder_, "budget enter " + book_ + " " + folder_.path("mlp") + " --data " + other).exit_code, 2);
  EXPECT_EQ(history().size(), 0u);
  for (const char* words : {"show ", "export "}) {
    EXPECT_NE(run(folder_, std::string("budget ") + words + book_).out.find("declared to share nobody"),
              std::string::npos);
  }
  const std::string twice = folder_.path("mlp") + " " + folder_.path("mlp");
  EXPECT_EQ(run(folder_, "budget enter " + book_ + " " + twice + " --data " + graph_).exit_code, 2);
  EXPECT_EQ(history().size(), 0u);
}

TEST_F(BudgetCommand, EightAtATimeWithRoomForThreeAreThree) {
  open(2.05);
  const Outcome tried = trained("alone", "-e 1");
  ASSERT_EQ(tried.exit_code, 0) << tried.error;
  const double one = tried.json()["epsilon"];
  fs::remove(book_);
  // Three of these fit and four do not: they compose to more than one and less than three times one.
  const Outcome three = run(
      folder_, "account --json " + folder_.path("alone") + " " + folder_.path("alone") + " " + folder_.path("alone"));
  ASSERT_EQ(three.exit_code, 0) << three.error;
  ASSERT_GT(three.json()["epsilon"].get<double>(), one);
  open(three.json()["epsilon"].get<double>() * 1.01);
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    children.push_back(
        start(fmt::format("train mlp-dp --data {} -q --steps 5 --threads 1 -e 1 -d 1e-3 --budget {} --out {}", graph_,
                          book_, folder_.path("p" + std::to_string(i)))));
  }
  int done = 0, refused = 0;
  for (const pid_t child : children) {
    const int code = ended(child);
    done += code == 0;
    refused += code == 3;
  }
  EXPECT_EQ(done, 3);
  EXPECT_EQ(refused, 5);
  EXPECT_EQ(history().size(), 3u);
}

// Moments within a run that takes so long, other ones in every run of the tests: from the time, or from the number in
// GRAPHVEIL_TEST_SEED, which is printed so that a failure can be had again.
class Moments {
 public:
  explicit Moments(std::chrono::duration<double> whole) : whole_(whole) {
    const char* given = std::getenv("GRAPHVEIL_TEST_SEED");
    const auto now = std::chrono::system_clock::now().time_since_epoch() / std::chrono::seconds(1);
    const uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : static_cast<uint64_t>(now);
    fmt::print("GRAPHVEIL_TEST_SEED={}\n", seed);
    random_.seed(seed);
  }
  void wait() { std::this_thread::sleep_for(whole_ * std::uniform_real_distribution<double>(0, 1.05)(random_)); }

 private:
  std::chrono::duration<double> whole_;
  std::mt19937_64 random_;
};

// Killed at moments all over a run: what was drawn is in the book, reserved or spent; the next run goes on.
TEST_F(BudgetCommand, AKilledTrainingIsCounted) {
  open(50);
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(trained("whole", "-e 1").exit_code, 0);
  const auto whole = std::chrono::steady_clock::now() - begin;
  Moments moments(whole);
  size_t folders = 1;
  for (int i = 0; i < 25; ++i) {
    const std::string name = "k" + std::to_string(i);
    const pid_t child = start(fmt::format("train mlp-dp --data {} -q --steps 5 -e 1 -d 1e-3 --budget {} --out {}",
                                          graph_, book_, folder_.path(name)));
    moments.wait();
    kill(child, SIGKILL);
    ended(child);
    folders += there(name + "/release");
    const nlohmann::json releases = history();
    size_t spent = 0;
    for (const auto& release : releases) spent += release["state"] != "freed";
    EXPECT_GE(spent, folders);  // a folder that is there is in the book
    const nlohmann::json now = shown();
    ASSERT_TRUE(now["spent"].is_number()) << now;
  }
  EXPECT_EQ(trained("after", "-e 1").exit_code, 0);
  // One that was reserved and drew nothing can be freed, another cannot.
  for (const auto& release : history()) {
    const Outcome freed = run(folder_, fmt::format("budget release {} {}", book_, release["id"].get<int>()));
    EXPECT_EQ(freed.exit_code, release["state"] == "reserved" ? 0 : 2) << release;
  }
}

// The same for predictions: whatever file of predictions is there is in the book.
TEST_F(BudgetCommand, AKilledPredictionIsCounted) {
  open(500);
  ASSERT_EQ(trained("run", "-e 1", "lap").exit_code, 0);
  const std::string other = generated("other", 2);
  ASSERT_EQ(run(folder_, "budget admit " + book_ + " --data " + other).exit_code, 0);
  const auto predict = [&](const std::string& out) {
    return fmt::format("predict {} --data {} --out {} -q --total-epsilon 400", folder_.path("run"), other,
                       folder_.path(out));
  };
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(ended(start(predict("whole.csv"))), 0);
  const auto whole = std::chrono::steady_clock::now() - begin;
  Moments moments(whole);
  size_t files = 2;  // the training, and this one
  for (int i = 0; i < 25; ++i) {
    const std::string out = fmt::format("p{}.csv", i);
    const pid_t child = start(predict(out));
    moments.wait();
    kill(child, SIGKILL);
    ended(child);
    files += there(out);
    size_t counted = 0;
    for (const auto& release : history()) counted += release["state"] != "freed";
    ASSERT_GE(counted, files) << i;
  }
  EXPECT_EQ(ended(start(predict("after.csv"))), 0);
  // What a killed one left of its file goes with the next that writes it.
  const auto left = [&](const std::string& out) {
    size_t found = 0;
    for (const auto& entry : fs::directory_iterator(folder_.path(""))) {
      found += entry.path().filename().string().starts_with(out + ".graphveil-");
    }
    return found;
  };
  for (int i = 0; i < 25; ++i) {
    const std::string out = fmt::format("p{}.csv", i);
    if (left(out) == 0 || there(out)) continue;
    EXPECT_EQ(ended(start(predict(out))), 0);
    EXPECT_EQ(left(out), 0u) << out;
    break;
  }
  EXPECT_EQ(run(folder_, "verify " + folder_.path("run")).exit_code, 0);
}

TEST_F(BudgetCommand, ABookIsFoundBesideTheDataOrInTheEnvironment) {
  book_ = folder_.path("graphveil.book");
  open(3);
  ASSERT_EQ(train("mlp-dp", "first", "-e 1 -d 1e-3").exit_code, 0);
  EXPECT_EQ(history().size(), 1u);
  fs::rename(book_, folder_.path("elsewhere.book"));
  book_ = folder_.path("elsewhere.book");
  setenv("GRAPHVEIL_BUDGET", book_.c_str(), 1);
  EXPECT_EQ(train("mlp-dp", "second", "-e 1 -d 1e-3").exit_code, 0);
  const Outcome nothing = train("gap-inf", "third");  // gives out nothing that may leave
  EXPECT_EQ(nothing.exit_code, 0);
  EXPECT_NE(nothing.error.find("nothing is reserved"), std::string::npos) << nothing.error;
  EXPECT_EQ(shown()["looks"].size(), 1u);
  unsetenv("GRAPHVEIL_BUDGET");
  EXPECT_EQ(history().size(), 2u);
  EXPECT_EQ(trained("fourth", "", "gap-inf").exit_code, 0);
  EXPECT_EQ(trained("fifth", "", "gap-edp").exit_code, 3);  // protects edges, the book is about nodes
  EXPECT_EQ(trained("sixth", "-e 1 --seed 3").exit_code, 0);
  EXPECT_EQ(
      run(folder_, fmt::format("attack membership mlp --quick -q --data {} --budget {}", graph_, book_)).exit_code, 0);
  EXPECT_EQ(shown()["looks"].size(), 4u);
  EXPECT_EQ(history().size(), 2u);
}

TEST_F(BudgetCommand, WhatIsNoBookIsRefused) {
  EXPECT_EQ(run(folder_, "budget show " + folder_.path("gone.book")).exit_code, 2);
  EXPECT_EQ(run(folder_, "budget show " + graph_).exit_code, 2);
  EXPECT_EQ(run(folder_, fmt::format("budget open {} --data {} -e 0 -d 1e-3", book_, graph_)).exit_code, 2);
  for (const char* cap :
       {"-e 1 -d 2", "-e 1 -d 0.5", "-e 1e300 -d 1e-3", "-e 1 -d 1e-3 --relation edge --entity-size 2"}) {
    EXPECT_EQ(run(folder_, fmt::format("budget open {} --data {} {}", book_, graph_, cap)).exit_code, 2) << cap;
  }
  EXPECT_FALSE(there("a.book"));
}

}  // namespace
}  // namespace graphveil::cli::budget_command_test
