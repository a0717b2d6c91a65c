#include "graphveil/report/safetensors.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/kernels/noise_fill.h"
#include "graphveil/nn/batches.h"
#include "graphveil/nn/clipped_gradient.h"
#include "graphveil/nn/layers_dense.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/ops_shape.h"
#include "graphveil/nn/optimizer.h"

namespace graphveil::report {
namespace {

nn::State small_state() {
  Matrix m(2, 3);
  for (int64_t i = 0; i < 6; ++i) m.values()[i] = static_cast<Real>(i);
  nn::State state;
  state["layer.weight"] = nn::to_tensor(m);
  state["run.steps"] = nn::to_tensor(int64_t{42});
  state["empty"] = nn::to_tensor(Matrix(0, 3));
  return state;
}

std::vector<uint8_t> file_of(const std::string& header, size_t array_bytes) {
  std::vector<uint8_t> bytes(8 + header.size() + array_bytes);
  const uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  std::memcpy(bytes.data() + 8, header.data(), header.size());
  return bytes;
}

TEST(Safetensors, ComesBack) {
  const nn::State state = small_state();
  const std::vector<uint8_t> bytes = to_safetensors(state, {{"program", "graphveil"}});
  const TensorFile file = from_safetensors(bytes);
  EXPECT_EQ(file.metadata.at("program"), "graphveil");
  ASSERT_EQ(file.tensors.size(), 3u);
  for (const auto& [name, tensor] : state) {
    EXPECT_EQ(file.tensors.at(name).shape, tensor.shape);
    EXPECT_EQ(file.tensors.at(name).bytes, tensor.bytes);
  }
}

TEST(Safetensors, HasTheLayoutThatOthersRead) {
  nn::State state;
  state["x"] = nn::to_tensor(int64_t{7});
  const std::vector<uint8_t> bytes = to_safetensors(state);
  const std::string header = R"({"x":{"data_offsets":[0,8],"dtype":"I64","shape":[1]}})";
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  EXPECT_EQ(std::string(bytes.begin() + 8, bytes.begin() + 8 + static_cast<std::ptrdiff_t>(header.size())), header);
  EXPECT_EQ(bytes.size(), 8 + length + 8);
  EXPECT_EQ(bytes[8 + length], 7);
}

TEST(Safetensors, RefusesBrokenFiles) {
  const auto refused = [](const std::vector<uint8_t>& bytes) {
    try {
      from_safetensors(bytes);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::BadInput;
    }
    return false;
  };
  EXPECT_TRUE(refused({}));
  EXPECT_TRUE(refused({1, 2, 3}));
  EXPECT_TRUE(refused(std::vector<uint8_t>(8, 0xff))) << "a header longer than the file";
  EXPECT_TRUE(refused(file_of("[]", 0)));
  EXPECT_TRUE(refused(file_of("{", 0)));
  EXPECT_TRUE(refused(file_of(R"({"a":5})", 0)));
  EXPECT_TRUE(refused(file_of(R"({"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})", 2)));
  EXPECT_TRUE(refused(file_of(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4)));
  EXPECT_TRUE(refused(file_of(R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", 4)));
  EXPECT_TRUE(refused(file_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4)));
  EXPECT_TRUE(refused(file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 3))) << "beyond the end";
  EXPECT_TRUE(refused(file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4)));
  EXPECT_TRUE(refused(file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 8))) << "a gap";
  EXPECT_TRUE(refused(file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 8))) << "bytes left over";
  EXPECT_TRUE(refused(file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},
                                  "b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                              4)))
      << "overlap";
  EXPECT_TRUE(
      refused(file_of(R"({"a":{"dtype":"F32","shape":[1099511627776,1099511627776],"data_offsets":[0,0]}})", 0)))
      << "a product that overflows";
  EXPECT_TRUE(refused(file_of(R"({"__metadata__":{"a":1}})", 0)));
}

TEST(Safetensors, NoTruncationOrChangedHeaderByteCrashes) {
  const std::vector<uint8_t> good = to_safetensors(small_state(), {{"a", "b"}});
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_THROW(from_safetensors(std::span(good).first(size)), Error) << size;
  }
  for (size_t i = 0; i < good.size(); ++i) {
    for (const int flip : {1, 0x80, 0xff}) {
      std::vector<uint8_t> bad = good;
      bad[i] = static_cast<uint8_t>(bad[i] ^ flip);
      try {
        from_safetensors(bad);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      }
    }
  }
}

// A DP-SGD run that writes a checkpoint after every step. Batches, dropout and noise are named by seed and step.
class Training {
 public:
  explicit Training(std::string path) : path_(std::move(path)) {}

  // From the checkpoint when there is one, to `steps`; returns the parameters.
  std::vector<Real> train(int64_t steps) {
    nn::Parameters parameters;
    RandomStream init(Seed::from_number(1), "init");
    const nn::Mlp mlp(parameters, "mlp", {.widths = {6, 8, 3}, .dropout = 0.3}, init);
    Matrix x(40, 6);
    std::vector<int32_t> labels(40), ids(40);
    for (Real& v : x.values()) v = static_cast<Real>(init.gaussian());
    for (int32_t i = 0; i < 40; ++i) {
      ids[static_cast<size_t>(i)] = i;
      labels[static_cast<size_t>(i)] = i % 3;
    }
    const Seed seed = Seed::from_number(5);
    nn::Tape tape(seed);
    nn::Adam adam;
    nn::PoissonBatches batches(ids, 0.3, seed);
    nn::ClippedGradient clipped(parameters, {});
    int64_t step = 0;
    if (std::filesystem::exists(path_)) step = nn::load_run(read_safetensors(path_).tensors, parameters, adam, tape);
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
      kernels::fill_gaussian(parameters.gradients(), 0.5, {seed, "noise", static_cast<uint64_t>(step)},
                             kernels::Into::Add);
      adam.step(parameters, parameters.gradients(), 0.05, 1 / batches.expected_size());
      nn::State state;
      nn::save_run(parameters, adam, tape, step + 1, state);
      write_safetensors(path_, state);
    }
    return {parameters.values().values().begin(), parameters.values().values().end()};
  }

 private:
  std::string path_;
};

TEST(Safetensors, ARunKilledAndResumedGivesTheSameBits) {
  set_thread_count(1);  // the child process has no threads but its own
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("graphveil_resume_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  constexpr int64_t kSteps = 60;
  const std::vector<Real> whole = Training((folder / "whole").string()).train(kSteps);
  const std::string path = (folder / "killed").string();
  int kills = 0;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        Training(path).train(1'000'000);
      } catch (...) {
      }
      _exit(0);
    }
    // Let it write a few checkpoints, then pull the plug wherever it is.
    const auto steps_done = [&] {
      return std::filesystem::exists(path) ? nn::read_number(read_safetensors(path).tensors, "run.steps") : 0;
    };
    const int64_t start = steps_done();
    while (steps_done() < start + 5) usleep(200);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    kills += WIFSIGNALED(status) ? 1 : 0;
    if (steps_done() + 5 >= kSteps) break;
  }
  EXPECT_GE(kills, 1);
  ASSERT_LT(nn::read_number(read_safetensors(path).tensors, "run.steps"), kSteps) << "it was killed too late to tell";
  EXPECT_EQ(Training(path).train(kSteps), whole);
  std::filesystem::remove_all(folder);
}

TEST(Safetensors, MissingFile) {
  try {
    read_safetensors("/nowhere/model.safetensors");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Io);
  }
}

}  // namespace
}  // namespace graphveil::report
