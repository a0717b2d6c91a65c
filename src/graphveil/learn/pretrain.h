// Pre-training: a backbone learns from a public graph, without labels, and is then frozen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graphveil/base/options.h"
#include "graphveil/base/random.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/learn/backbone.h"
#include "graphveil/learn/feature_basis.h"
#include "graphveil/mechanism/audience.h"
#include "graphveil/nn/state.h"

namespace graphveil::learn {

enum class PretrainKind { Dgi, GraphMae, Edge, SimGrace };

// The names on the command line and in files: dgi, graphmae, edge, simgrace.
std::string to_string(PretrainKind kind);

// The defaults are sizes of the DP-GPL paper; the task is the best on cora.
struct PretrainOptions {
  BackboneKind architecture = BackboneKind::Gcn;
  PretrainKind task = PretrainKind::Edge;
  int64_t svd = 100;  // width that the features are brought to
  int64_t hidden = 128;
  int64_t layers = 3;
  int64_t heads = 1;
  int64_t epochs = 300;
  double learning_rate = 0.001;

  void declare(Options& options);
  BackboneShape shape() const { return {architecture, svd, hidden, layers, heads}; }
};

// All that is needed to embed nodes of another graph, and how it was made.
struct Pretrained {
  PretrainOptions options;
  FeatureBasis basis;
  Backbone backbone;                // frozen
  std::vector<double> losses = {};  // of each epoch; not saved

  // The basis for records of a graph whose public part is given: this one where the widths agree, or else one of the
  // same width fitted on that part.
  FeatureBasis basis_for(const graph::Features& public_features, const Seed& seed) const;

  void save(nn::State& state, const std::string& prefix) const;
  // Throws BadInput unless all arrays under the prefix are there, fit together and are finite, and there are no others.
  static Pretrained loaded(const nn::State& state, const std::string& prefix);
};

// Adam on the loss of the task, all nodes in each epoch. Throws InvalidArgument for a graph that the task cannot use,
// NotConverged when the loss runs away.
//
// Guarantee: reads public data in the clear, its labels not at all, and nothing else.
Pretrained pretrain(const mechanism::Public<graph::Dataset>& data, const PretrainOptions& options, const Seed& seed);

}  // namespace graphveil::learn
