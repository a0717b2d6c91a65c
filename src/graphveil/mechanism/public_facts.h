// The public numbers of a graph.
#pragma once

#include <cstdint>

namespace graphveil::mechanism {

// What a plan may know: public under every relation.
struct PublicFacts {
  int64_t nodes = 0;
  int64_t train_nodes = 0;
  int64_t features = 0;
  int32_t classes = 0;
  int64_t public_pool = 0;  // nodes of the public graph that may be given labels, where there is one

  bool operator==(const PublicFacts&) const = default;
};

}  // namespace graphveil::mechanism
