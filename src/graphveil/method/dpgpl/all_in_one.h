// All-in-one (Sun, Cheng, Li, Liu and Guan, "All in one: multi-task prompting for graph neural networks", 2023): a
// small graph of tokens, linked to the nodes of the graph it prompts.
#pragma once

#include <optional>

#include "graphveil/method/dpgpl/prompt.h"

namespace graphveil::method {

// Tokens with features of the backbone's width. Two tokens are linked where the sigmoid of their inner product reaches
// a threshold; a token sends to a node where that of their inner product reaches another. Links are found anew in every
// step, and carry no gradient. Nodes send nothing to tokens, so one set of tokens serves all nodes of a graph, each as
// if it had a copy of its own.
class AllInOne final : public Prompt {
 public:
  AllInOne(const PromptOptions& options, const Backbone& backbone, int32_t classes, const Seed& seed);
  nn::Var scores(nn::Tape& tape, const PromptGraph& graph, std::span<const int32_t> nodes) override;
  // Answer and tokens by turns, the other kept as it is; as many steps as --epochs says for each. An answer that it was
  // given stays as it is.
  void tune(const PromptGraph& graph, std::span<const int32_t> nodes, std::span<const int32_t> labels,
            const Seed& seed) override;
  void keep_answer(const LinearAnswer& answer) override;
  void save(nn::State& state, const std::string& prefix) const override;
  void load(const nn::State& state, const std::string& prefix) override;

 private:
  Standard standard_of(ConstMatrixView with_tokens, const PromptGraph& graph) const;
  Standard standard_without(const PromptGraph& graph) const;
  // The graph with the tokens before its nodes.
  nn::Edges linked(const PromptGraph& graph) const;
  PromptOptions options_;
  const Backbone& backbone_;
  nn::Parameters prompt_, answer_;
  nn::ParameterId tokens_, weight_, bias_;
  // What the last call of scores() left on the tape.
  nn::Edges edges_;
  // Tokens pull all embeddings to one place: these are read about their mean over the nodes of the graph at hand. A
  // shared answer was tuned without tokens, about the graph's own standard: for it that standard goes along with the
  // tokens' pull, the mean over the nodes at hand. Neither carries a gradient.
  Standard standard_;
  std::optional<Standard> without_tokens_;  // of the graph that it is tuned on, of a shared answer
  std::vector<int32_t> token_rows_, node_rows_, wanted_;
};

}  // namespace graphveil::method
