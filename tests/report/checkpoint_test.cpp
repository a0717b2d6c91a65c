#include "graphveil/report/checkpoint.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/learn/dense_stack.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/nn/batches.h"
#include "graphveil/nn/clipped_gradient.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/optimizer.h"
#include "tests/mechanism/access.h"
#include "tests/threads.h"

namespace graphveil::report::checkpoint_test {
namespace {

bound::Bounded<int64_t> counted(int64_t value) {
  return bound::TestVoucher::bounded(std::move(value),
                                     {.amount = 1, .norm = bound::Norm::L1, .relation = bound::Relation::Node});
}

constexpr double kNoise = 0.5;
constexpr int64_t kPlanned = 1'000'000;

// A DP-SGD run that writes a checkpoint after every step. Batches, dropout and noise are named by seed and step.
class Training {
 public:
  explicit Training(std::string path) : path_(std::move(path)) {}

  struct Result {
    std::vector<Real> parameters;
    mechanism::Plan spent;
    bool operator==(const Result&) const = default;
  };

  // From the checkpoint when there is one, to `steps`.
  Result train(int64_t steps) {
    nn::Parameters parameters;
    RandomStream init(Seed::from_number(1), "init");
    learn::DenseStack mlp(parameters, "mlp", {.widths = {6, 8, 3}, .dropout = 0.3}, init);
    Matrix x(40, 6);
    std::vector<int32_t> labels(40), ids(40);
    for (Real& v : x.values()) v = static_cast<Real>(init.gaussian());
    for (int32_t i = 0; i < 40; ++i) {
      ids[static_cast<size_t>(i)] = i;
      labels[static_cast<size_t>(i)] = i % 3;
    }
    const bool resuming = std::filesystem::exists(path_);
    const Seed seed = resuming ? load_seed(read_checkpoint(path_)) : Seed::from_number(5);
    const bound::SampleDraw draw{.rate = 0.3};
    mechanism::Release release =
        mechanism::Release::open(bound::Relation::Node,
                                 {{account::Event("step", account::Gaussian{kNoise}, account::Poisson{0.3}, kPlanned),
                                   bound::clipped_sum_bound({}, draw, bound::source::Reach::OwnSample)}},
                                 {std::numeric_limits<double>::infinity(), 1e-5}, seed);
    nn::Tape tape(seed);
    nn::Adam adam;
    nn::PoissonBatches batches(ids, {.rate = 0.3}, seed);
    nn::ClippedGradient clipped(parameters, {});
    int64_t step = 0;
    if (resuming) {
      const nn::State state = read_checkpoint(path_);
      step = nn::load_run(state, parameters, adam, tape);
      load_release(state, release);
    }
    for (; step < steps; ++step) {
      const std::span<const int32_t> batch = batches.batch(step);
      std::vector<int32_t> batch_labels;
      Matrix rows(static_cast<int64_t>(batch.size()), 6);
      for (size_t i = 0; i < batch.size(); ++i) {
        batch_labels.push_back(labels[static_cast<size_t>(batch[i])]);
        std::copy_n(x.row(batch[i]).data(), 6, rows.row(static_cast<int64_t>(i)).data());
      }
      clipped.start();
      tape.start_per_sample(static_cast<int64_t>(batch.size()));
      clipped.add(nn::cross_entropy(mlp(tape.input(rows)), batch_labels, nn::Reduction::Sum));
      auto gradient = release.gaussian("step", clipped.finish(batches, bound::Relation::Node));
      adam.step(parameters, gradient.value(), 0.05, 1 / batches.expected_size());
      clipped.reuse(std::move(gradient).value());
      nn::State state;
      nn::save_run(parameters, adam, tape, step + 1, state);
      save_release(release, state);
      save_seed(seed, state);
      write_checkpoint(path_, state);
    }
    return {{parameters.values().values().begin(), parameters.values().values().end()}, release.spent()};
  }

 private:
  std::string path_;
};

TEST(Checkpoint, ARunKilledAndResumedGivesTheSameBits) {
  set_thread_count(1);  // the child process has no threads but its own
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("graphveil_resume_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  constexpr int64_t kSteps = 300;  // far more than the child can do before it is killed, on any machine
  const Training::Result whole = Training((folder / "whole").string()).train(kSteps);
  const std::string path = (folder / "killed").string();
  int kills = 0;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        Training(path).train(kPlanned);
      } catch (...) {
      }
      _exit(0);
    }
    // Let it write a few checkpoints, then pull the plug wherever it is.
    const auto steps_done = [&] {
      return std::filesystem::exists(path) ? nn::read_number(read_checkpoint(path), "run.steps") : 0;
    };
    const int64_t start = steps_done();
    while (steps_done() < start + 5) usleep(200);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    kills += WIFSIGNALED(status) ? 1 : 0;
    if (steps_done() >= kSteps / 4) break;
  }
  EXPECT_GE(kills, 1);
  ASSERT_LT(nn::read_number(read_checkpoint(path), "run.steps"), kSteps) << "it was killed too late to tell";
  const Training::Result resumed = Training(path).train(kSteps);
  EXPECT_EQ(resumed.parameters, whole.parameters);
  // Nothing was spent twice: one ledger line of exactly as many events as steps.
  EXPECT_EQ(resumed.spent, whole.spent);
  ASSERT_EQ(resumed.spent.lines().size(), 1u);
  EXPECT_EQ(resumed.spent.lines()[0].event.count(), kSteps);
  std::filesystem::remove_all(folder);
}

TEST(Checkpoint, AReleaseGoesOnOnlyWithItsOwnPlan) {
  using mechanism::PlanLine, mechanism::Release;
  const auto line = [](const char* label) {
    return PlanLine{account::Event(label, account::DiscreteLaplace{20}, {}, 3),
                    bound::Bound::as_documented(bound::source::EdgeCount{}, 1, bound::Norm::L1)};
  };
  const mechanism::Budget cap{std::numeric_limits<double>::infinity(), 1e-5};
  const auto opened = [&](mechanism::Plan plan) {
    return Release::open(bound::Relation::Node, std::move(plan), cap, Seed::from_number(1));
  };
  Release first = opened({line("a")});
  first.discrete_laplace("a", counted(7));
  nn::State state;
  save_release(first, state);

  Release same = opened({line("a")});
  load_release(state, same);
  EXPECT_EQ(same.spent(), first.spent());
  EXPECT_EQ(same.discrete_laplace("a", counted(7)).value(), first.discrete_laplace("a", counted(7)).value());
  EXPECT_THROW(load_release(state, same), Error);  // it has spent something

  Release longer = opened({line("a"), line("b")});
  EXPECT_THROW(load_release(state, longer), Error);
  state["release.0.count"] = nn::to_tensor(int64_t{4});
  Release fresh = opened({line("a")});
  EXPECT_THROW(load_release(state, fresh), Error);
}

TEST(Checkpoint, IsReadByItsOwnerAlone) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("graphveil_checkpoint_" + std::to_string(getpid()))).string();
  const mode_t before = umask(0);
  write_checkpoint(path, {{"steps", nn::to_tensor(int64_t{3})}});
  umask(before);
  EXPECT_EQ(nn::read_number(read_checkpoint(path), "steps"), 3);
  EXPECT_EQ(std::filesystem::status(path).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::remove(path);
}

TEST(Checkpoint, MissingFile) {
  try {
    read_checkpoint("/nowhere/checkpoint.safetensors");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Io);
  }
}

}  // namespace
}  // namespace graphveil::report::checkpoint_test
