#include "graphveil/nn/layers_batch_norm.h"

#include <algorithm>

namespace graphveil::nn {

BatchNorm::BatchNorm(Parameters& parameters, const std::string& name, int64_t columns)
    : parameters_(&parameters),
      name_(name),
      scale_(parameters.add(name + ".scale", 1, columns)),
      shift_(parameters.add(name + ".shift", 1, columns)),
      statistics_(columns) {
  std::ranges::fill(parameters.value(scale_).row(0), Real{1});
}

Var BatchNorm::operator()(Var x, std::optional<Activation> activation) {
  return batch_norm(x, x.tape->parameter(*parameters_, scale_), x.tape->parameter(*parameters_, shift_), statistics_,
                    activation);
}

void BatchNorm::save(State& state, const std::string& prefix) const {
  state[prefix + name_ + ".mean"] = to_tensor(statistics_.mean);
  state[prefix + name_ + ".variance"] = to_tensor(statistics_.variance);
}

void BatchNorm::load(const State& state, const std::string& prefix) {
  read_matrix(state, prefix + name_ + ".mean", statistics_.mean);
  read_matrix(state, prefix + name_ + ".variance", statistics_.variance);
}

}  // namespace graphveil::nn
