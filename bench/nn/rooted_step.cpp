// One DP-Adam step of a one-layer GCN on rooted samples, the hot path of dpgnn: Poisson batch of 10,000 roots, at most
// 7 edges kept per node, latent width 256, 128 features, on the generated citation graph. Prints one JSON object per
// line: milliseconds of a step and of its parts, rows per step, peak memory.
//
//   bench_rooted_step [--threads N] [--seconds S] [--batch M] [--piece ROOTS] [--export FOLDER]
//
// --export writes the bounded in-neighbor lists and the features as raw arrays, for bench/peers/rooted_step.py.
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/nn/timing.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/resources.h"
#include "graphveil/bound/out_degree.h"
#include "graphveil/graph/generate.h"
#include "graphveil/graph/split.h"
#include "graphveil/learn/fit_private.h"
#include "graphveil/learn/gnn_network.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/nn/batches.h"
#include "graphveil/nn/clipped_gradient.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/optimizer.h"
#include "tests/threads.h"

namespace graphveil::bench {
namespace {

struct Settings {
  double seconds = 5;
  int64_t batch = 10000;
  int64_t piece = 0;  // 0: the network's own
  std::string export_to;
};

template <typename T>
void write_array(const std::string& path, const T* data, size_t count) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), count * sizeof(T));
}

void write_inputs(const std::string& folder, const graph::Dataset& data, const graph::Graph& bounded,
                  const std::vector<int32_t>& train) {
  std::filesystem::create_directories(folder);
  const SparseView in = bounded.in_view();
  write_array(folder + "/offsets.i64", in.offsets.data(), in.offsets.size());
  write_array(folder + "/sources.i32", in.indices.data(), in.indices.size());
  write_array(folder + "/features.f32", data.features.dense().data, static_cast<size_t>(data.features.entries()));
  write_array(folder + "/labels.i32", data.labels.data(), data.labels.size());
  write_array(folder + "/train.i32", train.data(), train.size());
}

void measure(const Settings& settings) {
  const graph::Dataset data = graph::generate(graph::preset("citation"), Seed::from_number(1));
  const graph::Split split = graph::random_split(data, {0.54, 0.18, 0.28}, Seed::from_number(2));
  const bound::BoundedGraph bounded = bound::bound_out_degree(data.graph, 7, Seed::from_number(3));
  if (!settings.export_to.empty()) write_inputs(settings.export_to, data, bounded.graph(), split.train);

  learn::GnnArchitecture architecture;
  architecture.encoder_layers = 1;
  architecture.decoder_layers = 2;
  architecture.hidden_dim = 256;
  learn::GnnNetwork network(data, {data.graph, &bounded, 7}, architecture, Seed::from_number(4));
  nn::Parameters& parameters = network.parameters();
  const double rate = static_cast<double>(settings.batch) / static_cast<double>(split.train.size());
  const bound::SampleDraw draw = bounded.draw(rate, 1);
  nn::PoissonBatches batches(split.train, draw, Seed::from_number(5));
  nn::RootedLayers samples(bounded.graph(), 1, learn::edge_options(architecture.kind));
  nn::Tape tape(Seed::from_number(6));
  nn::Adam adam;
  const learn::PrivateFitOptions options{.steps = 10000, .batch_size = settings.batch};
  const auto train_nodes = static_cast<int64_t>(split.train.size());
  nn::ClippedGradient clipped(parameters, {.max_norms = {options.max_grad_norm}});
  const mechanism::Plan plan{learn::fit_line("step", options, 1.0, train_nodes, draw, bound::source::Reach::OneHop)};
  auto release = mechanism::Release::open(bounded.relation(), plan, {INFINITY, 1e-5}, Seed::from_number(7));
  const auto piece = static_cast<size_t>(settings.piece > 0 ? settings.piece : network.samples_at_once());
  std::vector<int32_t> labels;
  int64_t step = 0, rows = 0;

  const auto for_each_piece = [&](auto&& visit) {
    const std::span<const int32_t> batch = batches.batch(step++);
    for (size_t first = 0; first < batch.size(); first += piece) {
      visit(batch.subspan(first, std::min(piece, batch.size() - first)));
    }
  };
  const auto sampling = [&] {
    rows = 0;
    for_each_piece([&](std::span<const int32_t> roots) {
      samples.assign(roots);
      rows += static_cast<int64_t>(samples.nodes().size());
    });
  };
  const auto scores = [&](std::span<const int32_t> roots) {
    labels.clear();
    for (const int32_t v : roots) labels.push_back(data.labels[v]);
    tape.start_per_sample(static_cast<int64_t>(roots.size()));
    return nn::cross_entropy(network.sample_scores(tape, roots), labels, nn::Reduction::Sum);
  };
  const auto forward = [&] { for_each_piece([&](std::span<const int32_t> roots) { scores(roots); }); };
  const auto backward = [&] { for_each_piece([&](std::span<const int32_t> roots) { tape.backward(scores(roots)); }); };
  const auto dp_step = [&] {
    clipped.start();
    for_each_piece([&](std::span<const int32_t> roots) { clipped.add(scores(roots)); });
    auto noisy = release.gaussian("step", clipped.finish(batches, release.relation()));
    adam.step(parameters, noisy.value(), 1e-3, 1.0 / static_cast<double>(settings.batch));
    clipped.reuse(std::move(noisy).value());
  };
  // Processor time besides the clock's: it does not grow when other programs use the machine.
  const auto processor_seconds = [] {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  dp_step();
  const double before = processor_seconds();
  for (int i = 0; i < 10; ++i) dp_step();
  const double processor = (processor_seconds() - before) / 10;
  const auto [t_sampling, t_forward, t_backward, t_step] =
      times_in_turn<4>(settings.seconds, {sampling, forward, backward, dp_step});
  fmt::print(R"({{"batch": {}, "threads": {}, "piece": {}, "rows": {}, "sampling_ms": {:.1f}, "forward_ms": {:.1f}, )"
             R"("backward_ms": {:.1f}, "step_ms": {:.1f}, "step_processor_ms": {:.1f}, "peak_memory_mb": {:.0f}}})"
             "\n",
             settings.batch, thread_count(), piece, rows, 1e3 * t_sampling, 1e3 * t_forward, 1e3 * t_backward,
             1e3 * t_step, 1e3 * processor, static_cast<double>(peak_memory_bytes()) / (1024.0 * 1024.0));
}

}  // namespace
}  // namespace graphveil::bench

int main(int argc, char** argv) {
  graphveil::bench::Settings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--threads") graphveil::set_thread_count(std::atoi(argv[i + 1]));
    if (option == "--seconds") settings.seconds = std::atof(argv[i + 1]);
    if (option == "--batch") settings.batch = std::atoll(argv[i + 1]);
    if (option == "--piece") settings.piece = std::atoll(argv[i + 1]);
    if (option == "--export") settings.export_to = argv[i + 1];
  }
  graphveil::bench::measure(settings);
}
