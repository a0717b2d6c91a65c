// Convolutions: a node's new row from its own and its neighbors' rows. A first layer may read sparse features.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "graphveil/nn/edges.h"
#include "graphveil/nn/layers_dense.h"

namespace graphveil::nn {

enum class Aggregator { Sum, Mean, Max };

// out = x W_self + aggregate(x) W_neighbors + b (Hamilton et al. 2017). Sum and Mean read sparse features too;
// Max throws Unsupported on them. The edges carry inverse-degree weights for Mean and none for Sum and Max;
// throws InvalidArgument otherwise.
class SageLayer {
 public:
  SageLayer(Parameters& parameters, const std::string& name, int64_t in, int64_t out, Aggregator aggregator,
            RandomStream& random, bool bias = true);
  Var operator()(const Input& x, const Edges& edges) const;
  // The new rows of these nodes alone, which must outlive the step; for Sum and Mean.
  Var rows(Var x, const Edges& edges, std::span<const int32_t> nodes) const;

 private:
  void check(const Edges& edges) const;
  Aggregator aggregator_;
  Linear own_, neighbors_;
};

}  // namespace graphveil::nn
