// `mpirun -n R graphveil ...`: the bytes of one process, and no trace of a run of which a rank was killed or disagreed.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "graphveil/base/version.h"
#include "tests/cli/journey.h"

namespace graphveil::cli::ranks_test {
namespace {

namespace fs = std::filesystem;

class RanksProgram : public Journey {
 protected:
  void SetUp() override {
    if (std::system("mpirun --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no mpirun (openmpi-bin)";
    if (run(folder_, "--version").out.find("with ") == std::string::npos) {
      GTEST_SKIP() << "the program was built without MPI (libopenmpi-dev)";
    }
    big_ = folder_.path("big.gvg");
    ASSERT_EQ(run(folder_, "data generate " + big_ + " --preset citation --nodes 1500 -q -s 3").exit_code, 0);
  }

  static std::string mpirun(const std::string& parts) { return "mpirun --oversubscribe --allow-run-as-root " + parts; }
  static std::string ranks(int count, const std::string& arguments) {
    return mpirun(fmt::format("-n {} {} {}", count, GRAPHVEIL_PROGRAM, arguments));
  }

  Outcome shell(const std::string& command) {
    Outcome result;
    const std::string out = folder_.path("stdout"), error = folder_.path("stderr");
    const int status = std::system(fmt::format("{} >{} 2>{}", command, out, error).c_str());
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.out = files::read_bytes(out);
    result.error = files::read_bytes(error);
    return result;
  }

  // Lines of ours, without those of mpirun.
  static int messages(const std::string& text) {
    std::istringstream lines(text);
    int count = 0;
    for (std::string line; std::getline(lines, line);) count += line.starts_with("graphveil: ");
    return count;
  }

  // All that is the same in two runs of one seed: a date, a secret key, what is signed with it and a time are not.
  void expect_same(const std::string& a, const std::string& b) {
    int compared = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path(a))) {
      if (!entry.is_regular_file()) continue;
      const fs::path name = fs::relative(entry.path(), folder_.path(a));
      const std::string file = name.filename().string();
      const std::string mine = files::read_bytes(entry.path().string());
      const std::string other = files::read_bytes((fs::path(folder_.path(b)) / name).string());
      ++compared;
      if (file == "certificate.json") {
        EXPECT_EQ(certificate(mine), certificate(other)) << a << " " << b;
      } else if (file == "metrics.jsonl") {
        EXPECT_EQ(metrics(mine), metrics(other)) << a << " " << b;
      } else if (!file.starts_with("certificate.") && !file.starts_with("fingerprint") &&
                 !file.starts_with("releases")) {
        EXPECT_TRUE(mine == other) << name << " of " << a << " and " << b;
      }
    }
    EXPECT_GE(compared, 11);
  }

  static nlohmann::json certificate(const std::string& text) {
    nlohmann::json object = nlohmann::json::parse(text);
    for (const char* field : {"created", "data_fingerprint", "digest"}) object.erase(field);
    return object;
  }
  static nlohmann::json metrics(const std::string& text) {
    nlohmann::json object = nlohmann::json::parse(text.substr(0, text.find('\n')));
    object.erase("seconds");
    return object;
  }

  // The processes of the program that work on this test's folder, mpirun not among them.
  std::vector<pid_t> processes() const {
    std::vector<pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename().string();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      std::ifstream file(entry.path() / "cmdline", std::ios::binary);
      const std::string words((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
      if (words.starts_with(GRAPHVEIL_PROGRAM) && words.find(folder_.path("")) != std::string::npos) {
        found.push_back(std::stoi(name));
      }
    }
    return found;
  }

  // mpirun with two ranks; what they say goes to the file `said`.
  pid_t start_ranks(const std::string& arguments) {
    const std::string command = fmt::format("exec {} >/dev/null 2>{}", ranks(2, arguments), folder_.path("said"));
    const pid_t job = fork();
    if (job == 0) {
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    return job;
  }
  std::vector<pid_t> both_ranks() const {
    std::vector<pid_t> found;
    for (int wait = 0; wait < 2000 && found.size() < 2; ++wait) {
      usleep(5000);
      found = processes();
    }
    return found;
  }

  std::string big_;
};

TEST_F(RanksProgram, RunFoldersAreThoseOfOneProcess) {
  const std::vector<std::string> runs{"mlp-dp",
                                      "lap --relation node",
                                      "lap --relation record --rounds 2",
                                      "gap-ndp --relation node",
                                      "gap-edp --dropout 0.2",
                                      "lap --relation undirected-edge -e 8 --rounds 2",
                                      "lap --relation edge --edge-noise gaussian"};
  for (size_t i = 0; i < runs.size(); ++i) {
    const auto words = [&](const std::string& name, int threads) {
      return fmt::format("train {} --quick -s 5 -q --threads {} --data {} --out {}", runs[i], threads, big_,
                         folder_.path(name));
    };
    const std::string alone = fmt::format("alone{}", i);
    ASSERT_EQ(run(folder_, words(alone, 1)).exit_code, 0);
    const Outcome verified = run(folder_, "verify --json " + folder_.path(alone));
    for (const int count : {1, 2, 3}) {
      const std::string name = fmt::format("run{}by{}", i, count);
      const Outcome made = shell(ranks(count, words(name, count == 2 ? 2 : 1)));
      ASSERT_EQ(made.exit_code, 0) << runs[i] << made.error;
      expect_same(alone, name);
      const Outcome again = run(folder_, "verify --json " + folder_.path(name));
      EXPECT_EQ(again.exit_code, verified.exit_code) << name;  // whoever has the seed can take the noise away: no
      EXPECT_EQ(again.json()["valid"], verified.json()["valid"]) << name;
    }
  }
}

TEST_F(RanksProgram, PredictionsAreThoseOfOneProcess) {
  const std::string other = generated("other", 8);
  int models = 0;
  for (const auto& [method, trained] : {std::pair{"lap", true},
                                        {"lap", false},
                                        {"gap-edp", true},
                                        {"gap-edp", false},
                                        {"lap --relation undirected-edge -e 4 --rounds 2", false},
                                        {"lap --relation edge --edge-noise gaussian", false}}) {
    const std::string model = folder_.path(fmt::format("model{}", ++models));
    ASSERT_EQ(run(folder_, fmt::format("train {} --quick -s 5 -q --data {} --out {}", method, graph_, model)).exit_code,
              0);
    std::string expected;
    for (const int count : {1, 2, 3}) {
      const std::string copy = fmt::format("{}by{}", model, count);
      fs::copy(model, copy, fs::copy_options::recursive);
      const std::string out = fmt::format("{}.csv", copy);
      const std::string words =
          fmt::format("predict {} --data {} --total-epsilon 10 -q --out {}", copy, trained ? graph_ : other, out);
      const Outcome made = count == 1 ? run(folder_, words) : shell(ranks(count, words));
      ASSERT_EQ(made.exit_code, 0) << made.error;
      const std::string csv = files::read_bytes(out);
      if (count == 1) expected = csv;
      EXPECT_GT(csv.size(), 1000u);
      EXPECT_TRUE(csv == expected) << method << count;
    }
  }
}

TEST_F(RanksProgram, RanksThatDisagreeDoNothing) {
  const auto words = [&](const std::string& data, const std::string& options) {
    return fmt::format("{} train lap --quick -q {} --data {} --out {}", GRAPHVEIL_PROGRAM, options, data,
                       folder_.path("never"));
  };
  const Outcome options = shell(mpirun(fmt::format("-n 1 {} : -n 1 {}", words(graph_, "-s 1"), words(graph_, "-s 2"))));
  EXPECT_EQ(options.exit_code, 2);
  EXPECT_NE(options.error.find("other options"), std::string::npos) << options.error;
  EXPECT_EQ(messages(options.error), 1) << options.error;

  // A bad option of one of them is told by rank 0, whoever has it.
  const Outcome one = shell(mpirun(fmt::format("-n 1 {} : -n 1 {}", words(graph_, ""), words(graph_, "-e -1"))));
  EXPECT_EQ(one.exit_code, 2);
  EXPECT_EQ(messages(one.error), 1) << one.error;

  // The same program, but for what it says its version is.
  std::string program = files::read_bytes(GRAPHVEIL_PROGRAM), version(graphveil::version());
  for (size_t at = program.find(version); at != std::string::npos; at = program.find(version, at + 1)) {
    program[at + version.size() - 1] ^= 1;
  }
  const std::string other = folder_.path("other");
  std::ofstream(other, std::ios::binary) << program;
  fs::permissions(other, fs::perms::owner_all);
  const Outcome older =
      shell(mpirun(fmt::format("-n 1 {0} {2} : -n 1 {1} {2}", GRAPHVEIL_PROGRAM, other,
                               fmt::format("train lap --quick -q --data {} --out {}", graph_, folder_.path("never")))));
  EXPECT_EQ(older.exit_code, 2);
  EXPECT_NE(older.error.find("another version of the program"), std::string::npos) << older.error;
  EXPECT_EQ(messages(older.error), 1) << older.error;
  EXPECT_FALSE(there("never"));

  const Outcome processor =
      shell(mpirun(fmt::format("-n 1 {} : -n 1 -x GRAPHVEIL_CPU=generic {}", words(graph_, ""), words(graph_, ""))));
  if (processor.exit_code != 0) {  // else this machine has no other level
    EXPECT_EQ(processor.exit_code, 2);
    EXPECT_NE(processor.error.find("another kind of processor"), std::string::npos) << processor.error;
    EXPECT_FALSE(there("never"));
  }
}

// Each rank sees a file of its own under one name, in a folder of its own.
TEST_F(RanksProgram, OtherDataAreFoundOut) {
  for (const char* place : {"a", "b", "c"}) fs::create_directory(folder_.path(place));
  fs::copy(graph_, folder_.path("a/people.gvg"));
  fs::copy(big_, folder_.path("b/people.gvg"));
  // The same kind of graph, of another seed.
  ASSERT_EQ(run(folder_, "data generate " + folder_.path("c/people.gvg") + " --preset tiny -q -s 99").exit_code, 0);
  const auto words = [&](const char* place) {
    return fmt::format("-n 1 -wdir {} {} train mlp-dp --quick -q --data people.gvg --out {}", folder_.path(place),
                       GRAPHVEIL_PROGRAM, folder_.path("never"));
  };
  for (const char* other : {"b", "c"}) {
    const Outcome refused = shell(mpirun(fmt::format("{} : {}", words("a"), words(other))));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(messages(refused.error), 1) << refused.error;
    EXPECT_NE(refused.error.find("people.gvg"), std::string::npos) << refused.error;
    EXPECT_FALSE(there("never"));
  }
}

// The same words, which name other files: each rank draws noise of its own rows, so one that has another epsilon would
// publish them nearly bare.
TEST_F(RanksProgram, OtherOptionsInAFileAreFoundOut) {
  for (const char* place : {"a", "b"}) {
    fs::create_directory(folder_.path(place));
    const bool first = *place == 'a';
    std::ofstream(folder_.path(std::string(place) + "/options.toml")) << (first ? "epsilon = 0.1" : "epsilon = 1000");
  }
  const auto both = [&](const std::string& words) {
    const auto in = [&](const char* place) {
      return fmt::format("-n 1 -wdir {} {} {}", folder_.path(place), GRAPHVEIL_PROGRAM, words);
    };
    return shell(mpirun(fmt::format("{} : {}", in("a"), in("b"))));
  };
  const std::string never = folder_.path("never");
  for (const char* method : {"lap", "gap-edp"}) {
    const Outcome refused =
        both(fmt::format("train {} --quick -q --config options.toml --data {} --out {}", method, graph_, never));
    EXPECT_EQ(refused.exit_code, 2) << refused.error;
    EXPECT_NE(refused.error.find("other options"), std::string::npos) << refused.error;
    EXPECT_EQ(messages(refused.error), 1) << refused.error;
  }
  EXPECT_FALSE(there("never"));
}

// Each rank sees its own part and nothing else; rank 0 alone has a run folder.
TEST_F(RanksProgram, PartsAreTheGraphThatWasSplit) {
  const std::string other = folder_.path("other.gvg");
  ASSERT_EQ(run(folder_, "data generate " + other + " --preset citation --nodes 900 -q -s 8").exit_code, 0);
  for (const int count : {2, 3}) {
    for (const std::string& graph : {big_, other}) {
      const Outcome split = run(folder_, fmt::format("data split {} --parts {} --json", graph, count));
      ASSERT_EQ(split.exit_code, 0) << split.error;
      ASSERT_EQ(std::ssize(split.json()["parts"]), count);
      for (int r = 0; r < count; ++r) {
        const fs::path file(split.json()["parts"][static_cast<size_t>(r)]["file"].get<std::string>());
        const fs::path place = folder_.path(fmt::format("{}.{}", count, r));
        fs::create_directory(place);
        fs::rename(file, place / file.filename());
      }
    }
  }
  const auto on_parts = [&](int count, const std::string& words) {
    std::string all;
    for (int r = 0; r < count; ++r) {
      all += fmt::format("{}-n 1 -wdir {} {} {}", r == 0 ? "" : " : ", folder_.path(fmt::format("{}.{}", count, r)),
                         GRAPHVEIL_PROGRAM, words);
    }
    return shell(mpirun(all));
  };
  for (const std::string training : {"mlp-dp", "lap --relation node", "gap-edp --dropout 0.2"}) {
    const std::string name = training.substr(0, training.find(' '));
    ASSERT_EQ(
        run(folder_, fmt::format("train {} --quick -s 5 -q --data {} --out {}", training, big_, folder_.path(name)))
            .exit_code,
        0);
    const std::string expected = folder_.path(name + ".csv");
    fs::copy(folder_.path(name), folder_.path(name + "-asked"), fs::copy_options::recursive);
    ASSERT_EQ(run(folder_, fmt::format("predict {}-asked --data {} --total-epsilon 10 -q --out {}", folder_.path(name),
                                       other, expected))
                  .exit_code,
              0);
    for (const int count : {2, 3}) {
      const std::string place = fmt::format("{}.0/", count);
      const Outcome made = on_parts(
          count, fmt::format("train {} --quick -s 5 -q --data big.part-%-of-{}.gvg --out {}", training, count, name));
      ASSERT_EQ(made.exit_code, 0) << training << made.error;
      expect_same(name, place + name);
      const Outcome asked = on_parts(
          count,
          fmt::format("predict {0} --data other.part-%-of-{1}.gvg --total-epsilon 10 -q --out {0}.csv", name, count));
      ASSERT_EQ(asked.exit_code, 0) << training << asked.error;
      EXPECT_TRUE(files::read_bytes(expected) == files::read_bytes(folder_.path(place + name + ".csv"))) << training;
    }
  }
}

TEST_F(RanksProgram, OtherPartsAreFoundOut) {
  const std::string other = generated("other", 8);
  for (const std::string& graph : {big_, other}) {
    ASSERT_EQ(run(folder_, fmt::format("data split {} --parts 2", graph)).exit_code, 0);
  }
  const std::string first = folder_.path("big.part-0-of-2.gvg"), second = folder_.path("big.part-1-of-2.gvg"),
                    foreign = folder_.path("other.part-1-of-2.gvg");
  const auto refused = [&](const std::string& zero, const std::string& one, int code, const std::string& said) {
    const std::string place = folder_.path("place");
    fs::create_directory(place);
    if (!zero.empty()) fs::copy(zero, place + "/p0.gvg");
    if (!one.empty()) fs::copy(one, place + "/p1.gvg");
    const Outcome outcome =
        shell(ranks(2, fmt::format("train mlp-dp --quick -q --data {}/p%.gvg --out {}", place, folder_.path("never"))));
    fs::remove_all(place);
    EXPECT_EQ(outcome.exit_code, code) << outcome.error;
    EXPECT_EQ(messages(outcome.error), 1) << outcome.error;
    EXPECT_NE(outcome.error.find(said), std::string::npos) << outcome.error;
    EXPECT_FALSE(there("never"));
  };
  refused(first, "", 2, "rank 1 has no such file");
  refused(second, first, 2, "of 2 of a graph, for rank");  // either says so
  refused(first, foreign, 2, "a part of another graph");
  refused(big_, second, 2, "rank 1 has");
  refused(first, big_, 2, "rank 1 has");
  // A number may be anywhere in the path, and parts may have the same name on each machine.
  for (int r = 0; r < 2; ++r) {
    const fs::path place = folder_.path(fmt::format("machine{}", r));
    fs::create_directory(place);
    fs::copy(r == 0 ? first : second, place / "people.gvg");
  }
  const Outcome made =
      shell(ranks(2, fmt::format("train mlp-dp --quick -q --data {}", folder_.path("machine%/people.gvg"))));
  EXPECT_EQ(made.exit_code, 0) << made.error;
  // A book lies beside what rank 0 reads; one that another rank sees is not passed over.
  const std::string book = folder_.path("machine1/graphveil.book");
  ASSERT_EQ(run(folder_, fmt::format("budget open {} --data {} -e 9 -d 1e-4", book, big_)).exit_code, 0);
  const std::string under_book = fmt::format("train mlp-dp --quick -q -e 1 -d 1e-4 --data {} --out {}",
                                             folder_.path("machine%/people.gvg"), folder_.path("booked"));
  const Outcome unseen = shell(ranks(2, under_book));
  EXPECT_EQ(unseen.exit_code, 2) << unseen.error;
  EXPECT_NE(unseen.error.find("rank 1 has a budget book"), std::string::npos) << unseen.error;
  EXPECT_FALSE(there("booked"));
  fs::rename(book, folder_.path("machine0/graphveil.book"));
  const Outcome booked = shell(ranks(2, under_book));
  EXPECT_EQ(booked.exit_code, 0) << booked.error;
  const Outcome history = run(folder_, "budget history --json " + folder_.path("machine0/graphveil.book"));
  EXPECT_EQ(history.json()["releases"].size(), 1u) << history.out;
  // Of a part there is no other use.
  const Outcome alone = run(folder_, fmt::format("train mlp-dp --quick -q --data {}", first));
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_NE(alone.error.find("part 0 of 2"), std::string::npos) << alone.error;
  const Outcome number =
      run(folder_, fmt::format("train mlp-dp --quick -q --data {}", folder_.path("big.part-%-of-2.gvg")));
  EXPECT_EQ(number.exit_code, 2);
  EXPECT_NE(number.error.find("stands for the number of a rank"), std::string::npos) << number.error;
  const Outcome again = run(folder_, fmt::format("data split {} --parts 2", big_));
  EXPECT_NE(again.exit_code, 0);
  EXPECT_NE(again.error.find("--force"), std::string::npos) << again.error;
}

// What is refused leaves nothing, no seed in particular.
TEST_F(RanksProgram, ARefusedRunLeavesNothing) {
  const Outcome refused = shell(ranks(
      2, fmt::format("train gap-edp --quick -q --metric roc-auc --data {} --out {}", graph_, folder_.path("refused"))));
  EXPECT_EQ(refused.exit_code, 2) << refused.error;
  for (const auto& entry : fs::directory_iterator(folder_.path(""))) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("refused")) << entry.path();
  }
}

TEST_F(RanksProgram, WhatRunsOnOneMachineSaysSo) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"train gap-edp --batch-size 10 --data " + graph_, "--batch-size"},
      {"train sage-edp --data " + graph_, "one machine"},
      {"train auto --data " + graph_, "one machine"},
      {"train lap --relation edge --class-weights balanced --edge-noise gaussian --data " + graph_, "--class-weights"},
      {"train mlp-dp --tune 3 --data " + graph_, "--tune"},
      {"train --resume " + folder_.path("none"), "one machine"},
      {"verify " + folder_.path("none"), "one machine"},
      {"train mlp-dp --data " + folder_.path("people.npz"), ".gvg"}};
  for (const auto& [words, said] : cases) {
    const Outcome refused = shell(ranks(2, words));
    EXPECT_EQ(refused.exit_code, 2) << words;
    EXPECT_EQ(messages(refused.error), 1) << words << refused.error;
    EXPECT_NE(refused.error.find(said), std::string::npos) << words << refused.error;
  }
}

TEST_F(RanksProgram, ABudgetThatIsUsedUpEndsAllRanks) {
  const std::string book = folder_.path("a.book");
  ASSERT_EQ(run(folder_, fmt::format("budget open {} --data {} -e 0.5 -d 1e-3", book, graph_)).exit_code, 0);
  const Outcome refused = shell(ranks(2, fmt::format("train lap --quick -q -e 1 -d 1e-3 --budget {} --data {} --out {}",
                                                     book, graph_, folder_.path("never"))));
  EXPECT_EQ(refused.exit_code, 3) << refused.error;
  EXPECT_EQ(messages(refused.error), 1) << refused.error;
  EXPECT_FALSE(there("never"));
}

TEST_F(RanksProgram, AKilledRankPublishesNothingAndGivesNothingBack) {
  const std::string book = folder_.path("a.book");
  ASSERT_EQ(run(folder_, fmt::format("budget open {} --data {} -e 40 -d 1e-3", book, graph_)).exit_code, 0);
  std::mt19937 random(7);
  int kills = 0, drawn = 0;
  // Before and after the first noise of gap-edp, which its encoder does not wait for.
  const std::vector<std::string> runs{"lap --steps 1000000", "gap-edp --relation undirected-edge --epochs 1000000"};
  for (int i = 0; i < 12; ++i) {
    const std::string name = fmt::format("killed{}", i);
    const pid_t job = start_ranks(fmt::format("train {} -q -e 1 -d 1e-3 --threads 1 --budget {} --data {} --out {}",
                                              runs[i % 2], book, graph_, folder_.path(name)));
    const std::vector<pid_t> found = both_ranks();
    ASSERT_EQ(found.size(), 2u);
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 1000));
    kills += ::kill(found[random() % 2], SIGKILL) == 0;
    EXPECT_NE(ended(job), 0);
    EXPECT_TRUE(processes().empty());
    EXPECT_FALSE(there(name));
    const std::string said = files::read_bytes(folder_.path("said"));
    EXPECT_LE(messages(said), 1);
    EXPECT_FALSE(said.empty());  // mpirun has a message of its own
    for (const pid_t left : processes()) ::kill(left, SIGKILL);
  }
  EXPECT_EQ(kills, 12);
  const nlohmann::json releases = run(folder_, "budget history --json " + book).json()["releases"];
  for (const auto& release : releases) {
    EXPECT_NE(release["state"], "spent");
    EXPECT_NE(release["state"], "freed");
    drawn += release["state"] == "drawing";
  }
  EXPECT_GT(drawn, 0);
}

TEST_F(RanksProgram, ARunOfKilledRanksGoesOnOnOneMachine) {
  const auto words = [&](const std::string& run, const std::string& name) {
    return fmt::format("train {} -s 5 -q --threads 1 --checkpoint-every 0 --data {} --out {}", run, graph_,
                       folder_.path(name));
  };
  for (const auto& [training, predictions] :
       {std::pair{std::string("lap --steps 3000"), "owners/predictions.csv"},
        {std::string("gap-edp --encoder-epochs 1000 --dropout 0.2"), "draft/predictions.csv"}}) {
    const std::string method = training.substr(0, training.find(' ')), whole = method, killed = method + "-killed";
    ASSERT_EQ(run(folder_, words(training, whole)).exit_code, 0);
    const pid_t job = start_ranks(words(training, killed));
    for (int wait = 0; wait < 2000 && !there(killed + ".unfinished.stages/0.stage"); ++wait) usleep(5000);
    const std::vector<pid_t> found = processes();
    ASSERT_FALSE(found.empty());
    ::kill(found.back(), SIGKILL);
    EXPECT_NE(ended(job), 0);
    ASSERT_FALSE(there(killed));
    ASSERT_TRUE(there(killed + ".unfinished"));
    const Outcome resumed = run(folder_, "train -q --threads 1 --resume " + folder_.path(killed));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.error;
    for (const char* file : {"draft/model.safetensors", predictions, "holder/sums.safetensors"}) {
      const std::string expected = files::read_bytes(folder_.path(whole + "/") + file);
      EXPECT_GT(expected.size(), 100u);
      EXPECT_TRUE(expected == files::read_bytes(folder_.path(killed + "/") + file)) << method << file;
    }
  }
}

TEST_F(RanksProgram, ARankThatIsNotHeardOfEndsAll) {
  for (const std::string training : {"lap --steps 1000000", "gap-edp --epochs 1000000"}) {
    const std::string name = training.substr(0, training.find(' '));
    const pid_t job = start_ranks(fmt::format("train {} -q --threads 1 --stall-timeout 2 --data {} --out {}", training,
                                              graph_, folder_.path(name)));
    const std::vector<pid_t> found = both_ranks();
    ASSERT_EQ(found.size(), 2u);
    usleep(1000000);
    ::kill(found[1], SIGSTOP);
    EXPECT_EQ(ended(job), 2);
    for (const pid_t left : processes()) ::kill(left, SIGKILL);  // what is stopped hears no other signal
    const std::string said = files::read_bytes(folder_.path("said"));
    EXPECT_NE(said.find("no word from another rank for 2 seconds"), std::string::npos) << said;
    EXPECT_EQ(messages(said), 1) << said;
    EXPECT_FALSE(there(name));
  }
}

// MPI itself waits for a process that never begins to talk.
TEST_F(RanksProgram, ARankThatNeverBeginsEndsAll) {
  const Outcome refused =
      shell(mpirun(fmt::format("-n 1 {} train lap -q --stall-timeout 2 --data {} --out {} : -n 1 sleep 60",
                               GRAPHVEIL_PROGRAM, graph_, folder_.path("never"))));
  EXPECT_EQ(refused.exit_code, 2) << refused.error;
  EXPECT_NE(refused.error.find("did not begin for 2 seconds"), std::string::npos) << refused.error;
  EXPECT_EQ(messages(refused.error), 1) << refused.error;
  EXPECT_FALSE(there("never"));
}

// MPI_Finalize waits for all as well. By then the work is done and written, and says so.
TEST_F(RanksProgram, ARankThatNeverTakesLeaveEndsAll) {
  for (const int stays : {0, 1}) {
    const std::string name = fmt::format("stays{}", stays);
    const std::string words = fmt::format("{} train mlp-dp --quick -q --stall-timeout 4 --data {} --out {}",
                                          GRAPHVEIL_PROGRAM, graph_, folder_.path(name));
    const auto one = [&](int rank) {
      // Sanitizers want to be loaded first, unless they are told.
      return fmt::format(
          "-n 1 {} {}",
          rank == stays ? "-x ASAN_OPTIONS=verify_asan_link_order=0 -x LD_PRELOAD=" GRAPHVEIL_NEVER_LEAVES : "", words);
    };
    const auto begin = std::chrono::steady_clock::now();
    const Outcome left = shell("timeout 60 " + mpirun(fmt::format("{} : {}", one(0), one(1))));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(40)) << stays;
    EXPECT_NE(left.error.find("another rank did not take leave for 4 seconds"), std::string::npos) << left.error;
    EXPECT_EQ(messages(left.error), 1) << left.error;
    EXPECT_TRUE(processes().empty());
    EXPECT_TRUE(there(name));
    EXPECT_EQ(run(folder_, "verify --json " + folder_.path(name)).json()["valid"], true);
  }
}

}  // namespace
}  // namespace graphveil::cli::ranks_test
