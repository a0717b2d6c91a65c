// A plain SGD step against a DP-SGD step (per-sample clipping and noise) of the same network on the same batch.
// Prints one JSON object per line: widths, batch, microseconds of both and of the DP step without its noise, their
// ratio.
//
//   bench_training_step [--threads N] [--seconds S]
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/nn/timing.h"
#include "graphveil/base/parallel.h"
#include "graphveil/learn/dense_stack.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/nn/clipped_gradient.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/optimizer.h"
#include "tests/threads.h"

namespace graphveil::bench {
namespace {

using namespace nn;

void measure(const std::vector<int64_t>& widths, int64_t batch, double seconds) {
  Parameters parameters;
  RandomStream random(Seed::from_number(1), "bench");
  learn::DenseStack mlp(parameters, "mlp", {.widths = widths, .activation = Activation::Relu}, random);
  Matrix x(batch, widths.front());
  for (Real& v : x.values()) v = static_cast<Real>(random.gaussian());
  std::vector<int32_t> labels;
  for (int64_t i = 0; i < batch; ++i)
    labels.push_back(static_cast<int32_t>(random.below(static_cast<uint64_t>(widths.back()))));
  Tape tape(Seed::from_number(1));
  Sgd sgd;
  const auto plain = [&] {
    tape.start();
    parameters.zero_gradients();
    tape.backward(cross_entropy(mlp(tape.input(x)), labels));
    sgd.step(parameters, 1e-3);
  };
  ClippedGradient clipped(parameters, {});
  std::vector<int32_t> ids(static_cast<size_t>(batch));
  std::iota(ids.begin(), ids.end(), 0);
  const FullBatch batches(ids);
  const mechanism::Plan plan{{account::Event("step", account::Gaussian{1.0}, account::NoSampling{}, 1000000),
                              bound::clipped_sum_bound({}, batches.draw(), bound::source::Reach::OwnSample)}};
  auto release = mechanism::Release::open(bound::Relation::Node, plan, {INFINITY, 1e-5}, Seed::from_number(2));
  const auto clipped_sum = [&] {
    clipped.start();
    tape.start_per_sample(batch);
    clipped.add(cross_entropy(mlp(tape.input(x)), labels, Reduction::Sum));
    return clipped.finish(batches, bound::Relation::Node);
  };
  std::vector<double> zero(static_cast<size_t>(parameters.size()), 0.0);
  const auto clip = [&] {
    clipped_sum();
    sgd.step(parameters, zero, 1e-3, 1.0 / static_cast<double>(batch));
  };
  const auto dp = [&] {
    auto noisy = release.gaussian("step", clipped_sum());
    sgd.step(parameters, noisy.value(), 1e-3, 1.0 / static_cast<double>(batch));
    clipped.reuse(std::move(noisy).value());
  };
  const auto [plain_time, clip_time, dp_time] = times_in_turn<3>(seconds, {plain, clip, dp});
  fmt::print(
      R"({{"widths": "{}", "batch": {}, "threads": {}, "sgd_us": {:.1f}, "clip_us": {:.1f}, "dp_us": {:.1f}, "ratio": {:.3f}}})"
      "\n",
      fmt::join(widths, "-"), batch, thread_count(), 1e6 * plain_time, 1e6 * clip_time, 1e6 * dp_time,
      dp_time / plain_time);
  std::fflush(stdout);
}

}  // namespace
}  // namespace graphveil::bench

int main(int argc, char** argv) {
  double seconds = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--threads") graphveil::set_thread_count(std::atoi(argv[i + 1]));
    if (option == "--seconds") seconds = std::atof(argv[i + 1]);
  }
  for (const std::vector<int64_t>& widths : {std::vector<int64_t>{501, 16, 16, 6}, {128, 256, 256, 40}}) {
    for (const int64_t batch : {256, 2048}) graphveil::bench::measure(widths, batch, seconds);
  }
}
