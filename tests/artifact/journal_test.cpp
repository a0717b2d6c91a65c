#include "graphveil/artifact/journal.h"

#include <sys/stat.h>

#include "graphveil/artifact/read_file.h"
#include "graphveil/base/version.h"
#include "tests/run/small_run.h"

namespace graphveil::artifact::journal_test {
namespace {

using run::quick;
using run::TrainOutcome;

const run::OptionList kOptions{{"queries", "60"}, {"seed", "7"}, {"noise-multiplier", "0.3"}};

class JournalTest : public run::SmallRun {
 protected:
  JournalHead head(uint64_t seed = 7) const {
    return {std::string(version()),  "privgnn", {{"queries", "60"}}, {{"data", "/x"}}, {artifact::fingerprint(data_)},
            Seed::from_number(seed), "generic"};
  }
  TrainOutcome train(mechanism::AnswerLog* log, const run::OptionList& more = {}) const {
    run::OptionList options = kOptions;
    options.insert(options.end(), more.begin(), more.end());
    return run::train(*quick("privgnn", options), {data_, std::nullopt}, {.seed = Seed::from_number(7), .log = log});
  }
  std::string text() const { return artifact::read_text(Journal::path_of(folder_)); }
  void put(const std::string& text) const { std::ofstream(Journal::path_of(folder_), std::ios::binary) << text; }
};

// Ends the process, so to speak, after so many labels.
class Killed final : public mechanism::AnswerLog {
 public:
  Killed(Journal& journal, int64_t labels) : journal_(journal), left_(labels) {}
  std::vector<int32_t> begin(const std::string& training, const std::string& plan) override {
    return journal_.begin(training, plan);
  }
  void add(int32_t label) override {
    if (left_-- == 0) throw std::runtime_error("killed");
    journal_.add(label);
  }

 private:
  Journal& journal_;
  int64_t left_;
};

bool same_model(const TrainOutcome& a, const TrainOutcome& b) {
  const nn::State &x = a.trained.output.model.value(), &y = b.trained.output.model.value();
  return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), [](const auto& p, const auto& q) {
           return p.first == q.first && p.second.bytes == q.second.bytes;
         });
}

TEST_F(JournalTest, AKilledRunGoesOnAsIfNothingHadHappened) {
  const TrainOutcome whole = train(nullptr, {{"repeats", "2"}});
  std::string written;
  {
    Journal journal(folder_, head());
    train(&journal, {{"repeats", "2"}});
    written = text();
    struct stat status {};
    ASSERT_EQ(stat(Journal::path_of(folder_).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
    journal.finish();
    EXPECT_FALSE(std::filesystem::exists(Journal::path_of(folder_)));
  }
  for (const int64_t labels : {0, 1, 33, 60, 61, 100, 120}) {
    {
      Journal journal(folder_, head());
      Killed killed(journal, labels);
      if (labels < 120) {
        EXPECT_THROW(train(&killed, {{"repeats", "2"}}), std::runtime_error);
      } else {
        train(&killed, {{"repeats", "2"}});
      }
    }
    Journal journal(folder_);
    journal.check({artifact::fingerprint(data_)}, "generic");
    EXPECT_EQ(journal.head().options, head().options);
    EXPECT_EQ(journal.head().inputs, head().inputs);
    const TrainOutcome resumed = train(&journal, {{"repeats", "2"}});
    EXPECT_TRUE(same_model(whole, resumed)) << labels;
    EXPECT_EQ(whole.test_accuracy.mean, resumed.test_accuracy.mean);
    EXPECT_EQ(whole.certificate.plan, resumed.certificate.plan);
    EXPECT_EQ(text(), written) << labels;
    journal.finish();
  }
}

TEST_F(JournalTest, WhatWasBeingWrittenIsWrittenAgain) {
  {
    Journal journal(folder_, head());
    train(&journal);
  }
  const std::string written = text();
  // Cut anywhere after the head: the labels before the cut stay, the rest comes out the same.
  const size_t head_end = written.find('\n') + 1;
  for (const size_t cut : {head_end, head_end + 5, written.size() - 40, written.size() - 1}) {
    put(written.substr(0, cut));
    Journal journal(folder_);
    train(&journal);
    EXPECT_EQ(text(), written) << cut;
  }
}

TEST_F(JournalTest, RefusesToGoOnWithAnythingElse) {
  {
    Journal journal(folder_, head());
    Killed killed(journal, 20);
    EXPECT_THROW(train(&killed), std::runtime_error);
    EXPECT_THROW(Journal{folder_}, Error);  // locked
  }
  const std::string written = text();
  EXPECT_THROW(Journal(folder_, head()), Error);  // a new run would lose it
  {
    Journal journal(folder_);
    graph::Dataset other = data_;
    other.graph = run::without_edge(data_.graph, 0, data_.graph.out(0)[0]);
    EXPECT_NO_THROW(journal.check({artifact::fingerprint(data_)}, "generic"));
    EXPECT_THROW(journal.check({artifact::fingerprint(other)}, "generic"), Error);
    EXPECT_THROW(journal.check({}, "generic"), Error);
    EXPECT_THROW(journal.check({artifact::fingerprint(data_)}, "avx2"), Error);  // which rounds otherwise
    EXPECT_THROW(train(&journal, {{"noise-multiplier", "0.4"}}), Error);         // another plan
  }
  EXPECT_EQ(text(), written);
  const auto refused = [&](const std::string& changed) {
    put(changed);
    try {
      Journal journal(folder_);
      journal.check({artifact::fingerprint(data_)}, "generic");
      train(&journal);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::BadInput;
    }
    return false;
  };
  EXPECT_TRUE(refused(""));
  EXPECT_TRUE(refused("{}\n"));
  EXPECT_TRUE(refused(written + "x\n"));
  EXPECT_TRUE(refused(written + "99\n"));
  EXPECT_TRUE(refused(written + "-1\n"));
  EXPECT_TRUE(refused(written.substr(0, written.find('\n') + 1) + "3\n"));
  std::string many = written;
  for (int i = 0; i < 60; ++i) many += "1\n";
  EXPECT_TRUE(refused(many));
  std::string old = written;
  old.replace(old.find(version()), version().size(), "0");
  EXPECT_TRUE(refused(old));
  std::filesystem::remove(Journal::path_of(folder_));
  EXPECT_THROW(Journal{folder_}, Error);
}

// A process that is killed has no destructors: the files are as they were at that moment.
TEST_F(JournalTest, ARunCanGoOnFromTheFirstMoment) {
  const TrainOutcome whole = train(nullptr);
  std::string at_once;
  {
    Journal journal(folder_, head());
    at_once = text();
  }
  EXPECT_FALSE(std::filesystem::exists(Journal::path_of(folder_)));  // nothing had begun
  put(at_once);
  {
    Journal journal(folder_);
    journal.check({fingerprint(data_)}, "generic");
    EXPECT_TRUE(same_model(whole, train(&journal)));
    journal.finish();
  }
  // Killed before the first line was whole: nothing to go on with, and nothing in the way of another run.
  for (const size_t cut : {size_t{0}, size_t{1}, at_once.size() - 1}) {
    put(at_once.substr(0, cut));
    EXPECT_THROW(Journal{folder_}, Error) << cut;
    Journal journal(folder_, head());
    EXPECT_EQ(text(), at_once) << cut;
    EXPECT_THROW(Journal(folder_, head()), Error);  // locked
  }
}

TEST_F(JournalTest, WhatIsNoTextIsRefusedBeforeTheRun) {
  JournalHead odd = head();
  odd.inputs = {{"data", "/x\xff"}};
  EXPECT_THROW(Journal(folder_, odd), Error);
  EXPECT_FALSE(std::filesystem::exists(Journal::path_of(folder_)));
}

}  // namespace
}  // namespace graphveil::artifact::journal_test
