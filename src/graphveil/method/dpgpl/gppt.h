// GPPT (Sun, Zhou, He, Wang and Wang, "GPPT: graph pre-training and prompt tuning", 2022): classifying a node is
// predicting its link to the prototype of a class.
#pragma once

#include "graphveil/method/dpgpl/prompt.h"

namespace graphveil::method {

// A node is seen as its embedding beside the mean of its neighbors'. Structure tokens are centers of clusters of the
// nodes that it is tuned on; each has task tokens of its own, one for every class. A node's score for a class is the
// inner product with the task token of the class at the node's nearest structure token.
class Gppt final : public Prompt {
 public:
  Gppt(const PromptOptions& options, const Backbone& backbone, int32_t classes);
  nn::Var scores(nn::Tape& tape, const PromptGraph& graph, std::span<const int32_t> nodes) override;
  // Structure tokens by k-means, which stay since the embeddings do; task tokens start as the classes' means, and learn
  // by cross-entropy and a penalty that keeps the tokens of a cluster apart.
  void tune(const PromptGraph& graph, std::span<const int32_t> nodes, std::span<const int32_t> labels,
            const Seed& seed) override;
  void keep_answer(const LinearAnswer& answer) override;
  void save(nn::State& state, const std::string& prefix) const override;
  void load(const nn::State& state, const std::string& prefix) override;

 private:
  using Clusters = std::vector<std::vector<int32_t>>;
  // Rows of norm 1 of these nodes: own embedding and neighbors' mean, side by side.
  nn::Var seen(nn::Tape& tape, const PromptGraph& graph, std::span<const int32_t> nodes);
  // The classes' scores of such rows, in their order. The clusters must outlive the step.
  nn::Var by_cluster(nn::Var rows, const Clusters& clusters);
  // Which rows are nearest to each structure token.
  Clusters clusters_of(ConstMatrixView rows) const;

  PromptOptions options_;
  const Backbone& backbone_;
  int32_t classes_;
  Matrix structure_;  // classes x width: as many clusters as classes
  nn::Parameters parameters_;
  std::vector<nn::ParameterId> tasks_;  // of each cluster: width x classes, a token in every column
  // What the last call of scores() left on the tape.
  nn::Edges neighbors_;
  Clusters clusters_;
};

}  // namespace graphveil::method
