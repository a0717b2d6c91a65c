#include "graphveil/budget/spend_log.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/base/error.h"

namespace graphveil::budget::spend_log_test {
namespace {

namespace fs = std::filesystem;
using File = SpendLog::File;

constexpr double kDelta = 1e-5;

Spending spending(double multiplier, bool disjoint = false, const std::string& about = "a") {
  return {"inference", {account::Event("sum", account::Gaussian{multiplier})}, kDelta, disjoint, about};
}

// Gaussian releases of these multipliers together.
double cost(std::initializer_list<double> multipliers) {
  account::Ledger ledger;
  for (const double m : multipliers) ledger.add(account::Event("sum", account::Gaussian{m}));
  return account::spent_epsilon(ledger, kDelta);
}

// What the log costs with one entry more.
double with(const SpendLog& log, const Spending& next) {
  std::vector<Spending> all = log.entries();
  all.push_back(next);
  return total_epsilon(all, kDelta);
}

class SpendLogTest : public testing::Test {
 protected:
  SpendLogTest() : path_((fs::temp_directory_path() / ("graphveil-log-" + std::to_string(getpid()))).string()) {
    remove();
  }
  ~SpendLogTest() override { remove(); }
  void remove() const {
    fs::remove(path_);
    fs::remove(path_ + ".head");
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> out;
    std::ifstream in(path_);
    for (std::string line; std::getline(in, line);) out.push_back(line + "\n");
    return out;
  }
  ErrorKind error_of(File file) {
    try {
      SpendLog log(path_, file);
    } catch (const Error& error) {
      return error.kind();
    }
    ADD_FAILURE() << "no error";
    return ErrorKind::Internal;
  }
  std::string path_;
};

TEST_F(SpendLogTest, RemembersEverythingInOrder) {
  {
    SpendLog log(path_, File::New);
    log.add({"training", {account::Event("t", account::Laplace{2}, {}, 3)}, 0, false, "x"});
    log.add(spending(1.5));
  }
  SpendLog log(path_, File::Existing);
  ASSERT_EQ(log.entries().size(), 2u);
  EXPECT_EQ(log.entries()[0].what, "training");
  EXPECT_EQ(log.entries()[0].people, "x");
  EXPECT_EQ(log.entries()[0].ledger, account::Ledger({account::Event("t", account::Laplace{2}, {}, 3)}));
  EXPECT_EQ(log.entries()[1].ledger, spending(1.5).ledger);
  EXPECT_EQ(log.entries()[1].delta, kDelta);
  EXPECT_EQ(read_spend_log(path_).size(), 2u);
  struct stat status {};
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(SpendLogTest, ALogThatIsGoneIsNotBegunAgain) {
  EXPECT_EQ(error_of(File::Existing), ErrorKind::Io);
  EXPECT_FALSE(fs::exists(path_));
  SpendLog(path_, File::New).add(spending(1));
  EXPECT_EQ(error_of(File::New), ErrorKind::Io);  // nor written over
  EXPECT_EQ(read_spend_log(path_).size(), 1u);
}

TEST_F(SpendLogTest, EverythingComposesUnlessDeclaredDisjoint) {
  SpendLog log(path_, File::New);
  EXPECT_EQ(total_epsilon(log.entries(), kDelta), 0);
  log.add(spending(2));
  log.add(spending(3, false, "b"));
  EXPECT_NEAR(total_epsilon(log.entries(), kDelta), cost({2, 3}), 1e-9);
  EXPECT_NEAR(with(log, spending(4, false, "c")), cost({2, 3, 4}), 1e-9);
  // A disjoint graph stands alone, but with itself.
  const Spending alone = spending(1, true, "d");
  EXPECT_NEAR(with(log, alone), cost({1}), 1e-9);
  log.add(alone);
  EXPECT_NEAR(with(log, alone), cost({1, 1}), 1e-9);
  EXPECT_NEAR(with(log, spending(1, true, "e")), cost({1}), 1e-9);
  log.add(alone);
  // In all: what it cost the person it cost most.
  EXPECT_GT(cost({1, 1}), cost({2, 3}));
  EXPECT_NEAR(total_epsilon(log.entries(), kDelta), cost({1, 1}), 1e-9);
  EXPECT_NEAR(with(log, spending(0.5)), cost({2, 3, 0.5}), 1e-9);
  // The same people, declared disjoint or not: all that was released about them adds up.
  EXPECT_NEAR(with(log, spending(1, false, "d")), cost({2, 3, 1, 1, 1}), 1e-9);
  EXPECT_NEAR(with(log, spending(0.6, true, "b")), cost({2, 3, 0.6}), 1e-9);
  EXPECT_TRUE(log.shares_people("b"));
  EXPECT_FALSE(log.shares_people("d"));
}

// What is known of nobody in particular may be about anybody: about the people of a disjoint graph too.
TEST_F(SpendLogTest, WhatIsAboutUnknownPeopleCountsForEverybody) {
  const std::vector<Spending> all{spending(3), spending(1, true, "d"), spending(2, false, "")};
  EXPECT_NEAR(total_epsilon(all, kDelta), cost({1, 2}), 1e-9);
  EXPECT_NEAR(total_epsilon(std::vector{spending(1, true, "d"), spending(2, true, "")}, kDelta), cost({1, 2}), 1e-9);
  EXPECT_NEAR(total_epsilon(std::vector{spending(2, false, "")}, kDelta), cost({2}), 1e-9);
}

// Two copies of a log that go on by themselves, with the same release.
TEST_F(SpendLogTest, ReleasesOfTwoCopiesAreToldApart) {
  SpendLog(path_, File::New).add(spending(1));
  const std::string copy = path_ + "-copy";
  fs::copy_file(path_, copy);
  fs::copy_file(path_ + ".head", copy + ".head");
  SpendLog(path_, File::Existing).add(spending(2));
  SpendLog(copy, File::Existing).add(spending(2));
  const std::vector<Spending> first = read_spend_log(path_), second = read_spend_log(copy);
  ASSERT_EQ(first.size(), 2u);
  ASSERT_EQ(second.size(), 2u);
  EXPECT_EQ(first[0].id, second[0].id);
  EXPECT_NE(first[1].id, second[1].id);
  EXPECT_EQ(first[1].id.size(), 32u);
  fs::remove(copy);
  fs::remove(copy + ".head");
}

TEST_F(SpendLogTest, TwoCannotSpendAtOnce) {
  auto first = std::make_unique<SpendLog>(path_, File::New);
  std::atomic<bool> opened{false};
  size_t seen = 0;
  std::thread other([&] {
    SpendLog second(path_, File::Existing);
    opened = true;
    seen = second.entries().size();
  });
  usleep(50'000);
  EXPECT_FALSE(opened);  // it waits
  first->add(spending(1));
  first.reset();
  other.join();
  EXPECT_EQ(seen, 1u);  // and knows what was spent meanwhile
}

TEST_F(SpendLogTest, ALostLineIsFound) {
  const auto named = [](double multiplier) {  // by the same name in every log
    Spending out = spending(multiplier);
    out.id = "one";
    return out;
  };
  {
    SpendLog log(path_, File::New);
    for (const double multiplier : {1.0, 2.0, 3.0}) log.add(named(multiplier));
  }
  const std::vector<std::string> whole = lines();
  ASSERT_EQ(whole.size(), 3u);
  const auto with = [&](const std::string& text) { std::ofstream(path_) << text; };
  const auto refused = [&](const std::string& text) {
    with(text);
    EXPECT_THROW(read_spend_log(path_), Error) << text;
    return error_of(File::Existing) == ErrorKind::BadInput;
  };
  EXPECT_TRUE(refused(whole[1] + whole[2]));
  EXPECT_TRUE(refused(whole[0] + whole[2]));
  EXPECT_TRUE(refused(whole[0] + whole[1]));  // the last: the file beside it knows
  EXPECT_TRUE(refused(whole[0] + whole[2] + whole[1]));
  EXPECT_TRUE(refused(""));
  // A process that was killed between the line and the file beside it leaves a log that is ahead.
  with(whole[0] + whole[1] + whole[2]);
  EXPECT_EQ(read_spend_log(path_).size(), 3u);
  fs::remove(path_ + ".head");
  EXPECT_EQ(error_of(File::Existing), ErrorKind::BadInput);
  SpendLog(path_ + "2", File::New).add(named(1));
  fs::rename(path_ + "2.head", path_ + ".head");  // as it was after the first line
  fs::remove(path_ + "2");
  EXPECT_EQ(read_spend_log(path_).size(), 3u);
  // By one line, and two are missing.
  EXPECT_EQ(error_of(File::Existing), ErrorKind::BadInput);
  with(whole[0] + whole[1]);
  EXPECT_NO_THROW(SpendLog(path_, File::Existing));
}

TEST_F(SpendLogTest, WhatIsNoLogIsRefused) {
  SpendLog(path_, File::New).add(spending(1));
  std::ifstream in(path_);
  std::string line;
  std::getline(in, line);
  const auto with = [&](const std::string& text) { std::ofstream(path_) << text; };
  for (const std::string& bad :
       {std::string("x\n"), line.substr(0, line.size() / 2), line + "\n\n", line + "\n{}\n", line + line + "\n",
        "{\"disjoint\": true, " + line.substr(1) + "\n",  // a field twice
        line.substr(0, line.size() - 1) + ", \"events\": []}\n"}) {
    with(bad);
    EXPECT_EQ(error_of(File::Existing), ErrorKind::BadInput) << bad;
  }
  with(line + "\n");
  EXPECT_NO_THROW(SpendLog(path_, File::Existing));
}

// A disk that is full in the middle of a line: no noise was drawn, and the log goes on as it was.
TEST_F(SpendLogTest, ALineThatDoesNotFitIsCutBack) {
  { SpendLog(path_, File::New).add(spending(3)); }
  const auto size = fs::file_size(path_);
  {
    SpendLog log(path_, File::Existing);
    struct rlimit before {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit full{size + 20, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
    EXPECT_THROW(log.add(spending(4)), Error);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(log.entries().size(), 1u);
    EXPECT_EQ(fs::file_size(path_), size);
    log.add(spending(5));
  }
  EXPECT_EQ(read_spend_log(path_).size(), 2u);
}

// As a process that was killed leaves it, in every place.
TEST_F(SpendLogTest, ATornLastLineIsCutBackWhereverItWasTorn) {
  {
    SpendLog log(path_, File::New);
    log.add(spending(3));
  }
  // The head follows a line that is whole: torn, it is still that of the line before.
  const std::string head_path = std::filesystem::path(path_).replace_extension(".head").string();
  std::ifstream head_in(head_path, std::ios::binary);
  const std::string head{std::istreambuf_iterator<char>(head_in), {}};
  SpendLog(path_, File::Existing).add(spending(4));
  std::ifstream in(path_, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const size_t first = text.find('\n') + 1;
  const auto tear = [&](size_t kept) {
    std::ofstream(path_, std::ios::binary) << text.substr(0, kept);
    std::ofstream(head_path, std::ios::binary) << head;
  };
  for (size_t kept = first; kept < text.size() - 1; kept += 7) {
    tear(kept);
    EXPECT_EQ(read_spend_log(path_).size(), 1u) << kept;
    SpendLog(path_, File::Existing).add(spending(5));
    EXPECT_EQ(read_spend_log(path_).size(), 2u) << kept;
  }
  // Whole but for the end of its line: it counts.
  tear(text.size() - 1);
  SpendLog(path_, File::Existing).add(spending(5));
  EXPECT_EQ(read_spend_log(path_).size(), 3u);
  // Only the last line can have been torn.
  std::ofstream(path_, std::ios::binary) << text.substr(0, first / 2) << "\n" << text.substr(first);
  EXPECT_EQ(error_of(File::Existing), ErrorKind::BadInput);
}

}  // namespace
}  // namespace graphveil::budget::spend_log_test
