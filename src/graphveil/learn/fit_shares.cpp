#include "graphveil/learn/fit_shares.h"

#include <utility>

#include "graphveil/base/curves.h"
#include "graphveil/base/error.h"
#include "graphveil/base/progress.h"
#include "graphveil/nn/ops_elementwise.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/ops_normalize.h"
#include "graphveil/nn/optimizer.h"

namespace graphveil::learn {

mechanism::Public<nn::State> fit_shares(Network& network, std::span<const int32_t> nodes, ConstMatrixView shares,
                                        const FitOptions& options, const Seed& seed, const std::string& name,
                                        const mechanism::PublicData& token, const std::string& prefix) {
  require(shares.rows >= 1 && shares.rows == std::ssize(nodes), "{} rows of shares for {} nodes", shares.rows,
          nodes.size());
  require(!options.batch_size, "--batch-size wants labels: shares are learned in full batches");
  nn::Tape tape(seed);
  nn::Adam adam({.weight_decay = options.weight_decay});
  Progress progress(name, options.epochs);
  for (int64_t epoch = 0; epoch < options.epochs; ++epoch) {
    tape.start();
    const nn::Var logs = nn::log_softmax(network.scores(tape, nodes));
    const nn::Var loss =
        nn::scale(nn::sum(nn::multiply(logs, tape.input(shares))), -1 / static_cast<Real>(shares.rows));
    network.parameters().zero_gradients();
    tape.backward(loss);
    adam.step(network.parameters(), options.learning_rate);
    tell_curve(name, "loss", epoch, loss.value()(0, 0));
    progress.advance();
  }
  nn::State state;
  network.save(state, prefix);
  return {std::move(state), token};
}

}  // namespace graphveil::learn
