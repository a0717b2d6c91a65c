// A frozen backbone for the private and the public graph of one run, made from public data alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graphveil/base/options.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/learn/backbone.h"
#include "graphveil/learn/feature_basis.h"
#include "graphveil/learn/pretrain.h"
#include "graphveil/method/dpgpl/prompt.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

struct PublicBackboneOptions {
  std::string file;  // empty: pre-trained in the run, on the public graph
  PretrainOptions pretrain;
  bool center = true;  // embeddings are read about their mean on the public graph, each of norm 1; false: as they are

  void declare(Options& options);
  // Pre-trained by DGI.
  void use_paper_settings();
  // For Method::quick: of a backbone that is pre-trained in the run. One from a file is what it is.
  OptionValues quick(const QuickSize& size) const;
  std::vector<std::string> assumptions() const;
};

// Features of any graph by a basis fitted on the public one, embeddings by a backbone that was pre-trained on public
// data, and the public graph as that reads it.
//
// Guarantee: everything is made from public data, so a record's row depends on that record and nothing else.
class PublicBackbone {
 public:
  // The backbone of the task's public graph, and of the file where the options name one. Throws BadInput for a
  // file that holds no backbone.
  static PublicBackbone made(const Task& task, const PublicBackboneOptions& options);

  const Backbone& network() const { return network_; }
  // The public graph.
  const PromptGraph& graph() const { return graph_; }
  // Records in the backbone's width, each by itself.
  Matrix rows(const graph::Features& features) const { return basis_(features); }
  // How embeddings lie where a graph like the public one is cut into so many parts and edges between them are dropped.
  Standard standard(int64_t parts) const;
  // How embeddings lie without any edge.
  Standard standard_alone() const;
  // Rows of norm 1 of the graph's nodes for a linear student: features averaged twice over neighborhoods, about their
  // mean on the public graph.
  Matrix smoothed() const;

  void save(nn::State& state) const;
  // The backbone as saved, with `data` in place of the public graph.
  static PublicBackbone loaded(const nn::State& state, const graph::Dataset& data);
  // This backbone with other weights, say those of fine-tuning.
  PublicBackbone with(Backbone network) const;

 private:
  PublicBackbone(FeatureBasis basis, Backbone network, Matrix rows, const graph::Graph& graph, bool center);
  // How these embeddings are read.
  Standard standard_of(ConstMatrixView embeddings) const;
  Matrix averaged_twice() const;

  FeatureBasis basis_;
  Backbone network_;
  bool center_embeddings_ = true;
  PromptGraph graph_;
  Matrix center_;  // 1 x width: the mean of smoothed rows
};

}  // namespace graphveil::method
