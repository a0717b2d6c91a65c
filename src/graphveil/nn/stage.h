// A training loop that can go on after its process was killed.
#pragma once

#include <optional>
#include <string>

#include "graphveil/base/checkpoints.h"
#include "graphveil/nn/state.h"

namespace graphveil::nn {

// Between two of its steps a loop asks whether it is time and then keeps all that the next step reads; at its begin it
// asks for what an earlier process kept. Without checkpoints in the calling thread's context nothing is kept and
// nothing costs time: so in threads that a loop starts.
class Stage {
 public:
  explicit Stage(const std::string& kind);

  // What an earlier process of the same run kept last. Throws BadInput when it is damaged.
  std::optional<State> kept() const;
  bool due() const { return store_ != nullptr && store_->due(); }
  void keep(const State& state) const;

 private:
  Checkpoints* store_;
  std::string name_;
};

// The arrays one after the other with their names, types and shapes, and back. Throws BadInput, naming `what`.
std::vector<uint8_t> to_bytes(const State& state);
State state_from_bytes(std::span<const uint8_t> bytes, const std::string& what);

}  // namespace graphveil::nn
