// Full-batch training (Adam, cross-entropy) of the MLP 501-16-16-6 on the training nodes of the `social` preset.
// Prints one JSON object: microseconds per epoch. With --write FILE.npz it also writes the dataset for the peer.
//
//   bench_social_mlp [--threads N] [--seconds S] [--write FILE.npz]
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/nn/timing.h"
#include "graphveil/base/parallel.h"
#include "graphveil/files/format.h"
#include "graphveil/graph/generate.h"
#include "graphveil/learn/dense_stack.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/optimizer.h"
#include "tests/threads.h"

int main(int argc, char** argv) {
  using namespace graphveil;
  using namespace graphveil::nn;
  double seconds = 2;
  std::string path;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--threads") set_thread_count(std::atoi(argv[i + 1]));
    if (option == "--seconds") seconds = std::atof(argv[i + 1]);
    if (option == "--write") path = argv[i + 1];
  }
  const graph::Dataset data = graph::generate(graph::preset("social"), Seed::from_number(1));
  if (!path.empty()) files::write_dataset(data, path);
  // The first three quarters train; which ones does not matter for speed.
  std::vector<int32_t> train, labels;
  for (int32_t v = 0; v < data.nodes() * 3 / 4; ++v) {
    train.push_back(v);
    labels.push_back(data.labels[static_cast<size_t>(v)]);
  }
  Parameters parameters;
  RandomStream random(Seed::from_number(1), "bench");
  learn::DenseStack mlp(parameters, "mlp",
                        {.widths = {data.features.cols(), 16, 16, data.classes}, .activation = Activation::Relu},
                        random);
  Tape tape(Seed::from_number(1));
  Adam adam;
  const auto [time] =
      bench::times_in_turn<1>(seconds, {[&] {
                                tape.start();
                                parameters.zero_gradients();
                                const SparseInput x{data.features.sparse().view(), std::span<const int32_t>(train)};
                                tape.backward(cross_entropy(mlp(Input(tape, x)), labels));
                                adam.step(parameters, 0.01);
                              }});
  fmt::print(R"({{"train_nodes": {}, "features": {}, "threads": {}, "epoch_us": {:.1f}}})"
             "\n",
             train.size(), data.features.cols(), thread_count(), 1e6 * time);
}
