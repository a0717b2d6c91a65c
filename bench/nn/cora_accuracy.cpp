// Accuracy of a GCN, a GAT and an MLP on Cora with its public split and the settings of the papers, without
// privacy: the epoch with the best validation accuracy is kept, ten seeds.
//
//   bench_cora_accuracy PATH/cora.npz [seeds]
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "graphveil/base/resources.h"
#include "graphveil/graph/normalize.h"
#include "graphveil/files/format.h"
#include "graphveil/nn/layers_attention.h"
#include "graphveil/nn/layers_convolution.h"
#include "graphveil/nn/metrics.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/ops_shape.h"
#include "graphveil/nn/optimizer.h"
#include "graphveil/nn/schedule.h"

namespace graphveil::bench {
namespace {

using namespace nn;

struct Setting {
  std::string name;
  double learning_rate;
  int64_t epochs;
  int64_t patience;
  // Logits of all nodes; adds the penalty on weights to `penalty` in training steps.
  std::function<std::function<Var(Tape&, std::vector<Var>& penalties)>(Parameters&, RandomStream&)> build;
};

double test_accuracy(const graph::Dataset& data, const Setting& setting, uint64_t seed) {
  Parameters parameters;
  RandomStream random(Seed::from_number(seed), "init");
  const auto logits = setting.build(parameters, random);
  Tape tape(Seed::from_number(seed));
  Adam adam;
  const auto masked = [&](const std::vector<int32_t>& nodes) {
    std::vector<int32_t> labels(static_cast<size_t>(data.nodes()), kNoLabel);
    for (const int32_t v : nodes) labels[static_cast<size_t>(v)] = data.labels[static_cast<size_t>(v)];
    return labels;
  };
  const std::vector<int32_t> train = masked(data.split->train), val = masked(data.split->val),
                             test = masked(data.split->test);
  EarlyStopping stopping(PublicData("all of Cora: this is a benchmark without privacy"), setting.patience);
  const auto evaluate = [&](const std::vector<int32_t>& labels) {
    tape.start(Tape::Mode::Evaluate);
    std::vector<Var> none;
    return accuracy(predictions(logits(tape, none).value()), labels);
  };
  for (int64_t epoch = 0; epoch < setting.epochs; ++epoch) {
    tape.start();
    parameters.zero_gradients();
    std::vector<Var> penalties;
    Var loss = cross_entropy(logits(tape, penalties), train);
    for (const Var& penalty : penalties) loss = add(loss, penalty);
    tape.backward(loss);
    adam.step(parameters, setting.learning_rate);
    if (stopping.observe(evaluate(val), parameters)) break;
  }
  stopping.restore(parameters);
  return evaluate(test);
}

std::vector<Setting> settings(const graph::Dataset& data, const Edges& normalized, const Edges& loops) {
  const int64_t in = data.features.cols(), classes = data.classes;
  const auto features = [&data](Tape& tape) { return Input(tape, {data.features.sparse().view()}); };
  constexpr Real kDecay = Real(5e-4);
  const auto decay_all = [](Tape& tape, Parameters& p, std::vector<Var>& penalties) {
    for (ParameterId id = 0; id < p.count(); ++id) penalties.push_back(l2_penalty(tape.parameter(p, id), kDecay));
  };
  std::vector<Setting> list;
  // Kipf and Welling 2017: 16 hidden units, dropout 0.5, weight decay on the first layer.
  list.push_back({"gcn", 0.01, 200, 200, [=, &normalized](Parameters& p, RandomStream& r) {
                    auto first = std::make_shared<GcnLayer>(p, "first", in, 16, r);
                    auto second = std::make_shared<GcnLayer>(p, "second", 16, classes, r);
                    return [=, &p, &normalized](Tape& tape, std::vector<Var>& penalties) {
                      const Var h = relu((*first)(features(tape).dropped(0.5), normalized));
                      if (tape.training()) {
                        penalties.push_back(l2_penalty(tape.parameter(p, first->weight_id()), kDecay));
                      }
                      return (*second)(dropout(h, 0.5), normalized);
                    };
                  }});
  // Velickovic et al. 2018: 8 heads of 8, dropout 0.6 on inputs and attention, weight decay on everything.
  list.push_back({"gat", 0.005, 400, 100, [=, &loops](Parameters& p, RandomStream& r) {
                    auto first = std::make_shared<GatLayer>(
                        p, "first", GatOptions{.in = in, .width = 8, .heads = 8, .attention_dropout = 0.6}, r);
                    auto second = std::make_shared<GatLayer>(
                        p, "second", GatOptions{.in = 64, .width = classes, .attention_dropout = 0.6}, r);
                    return [=, &p, &loops](Tape& tape, std::vector<Var>& penalties) {
                      const Var h = elu((*first)(features(tape).dropped(0.6), loops));
                      if (tape.training()) decay_all(tape, p, penalties);
                      return (*second)(dropout(h, 0.6), loops);
                    };
                  }});
  list.push_back({"mlp", 0.01, 200, 200, [=](Parameters& p, RandomStream& r) {
                    auto mlp = std::make_shared<Mlp>(
                        p, "mlp", MlpOptions{.widths = {in, 16, classes}, .dropout = 0.5, .input_dropout = 0.5}, r);
                    return [=, &p](Tape& tape, std::vector<Var>& penalties) {
                      if (tape.training()) decay_all(tape, p, penalties);
                      return (*mlp)(features(tape));
                    };
                  }});
  return list;
}

void run(const std::string& path, int seeds) {
  graph::Dataset data = files::read_dataset(path);
  data.features = graph::row_normalized(data.features, graph::RowNorm::L1);
  require(data.split.has_value(), "{} has no split", path);
  const Edges normalized(data.graph.in_view(), {true, EdgeWeights::Symmetric});
  const Edges loops(data.graph.in_view(), {true, EdgeWeights::None});
  for (const Setting& setting : settings(data, normalized, loops)) {
    std::vector<double> accuracies;
    const Timer timer;
    for (int seed = 0; seed < seeds; ++seed)
      accuracies.push_back(test_accuracy(data, setting, static_cast<uint64_t>(seed)));
    const MeanInterval m = mean_interval(accuracies, Seed::from_number(0));
    fmt::print("{}: {:.2f}% +- {:.2f} (95% interval of the mean {:.2f} to {:.2f}), {} seeds, {:.1f} s\n", setting.name,
               100 * m.mean, 100 * m.std, 100 * m.low, 100 * m.high, seeds, timer.seconds());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace graphveil::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: {} PATH/cora.npz [seeds]\n", argv[0]);
    return 2;
  }
  graphveil::bench::run(argv[1], argc > 2 ? std::atoi(argv[2]) : 10);
}
