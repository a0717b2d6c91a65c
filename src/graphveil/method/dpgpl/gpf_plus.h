// GPF-plus (Fang, Zhang, Yang, Wang and Chen, "Universal prompt tuning for graph neural networks", 2023): vectors that
// are added to the features of every node, mixed by attention.
#pragma once

#include "graphveil/method/dpgpl/prompt.h"

namespace graphveil::method {

// The parameters of a GPF-plus prompt with its answer, in a set that somebody else owns.
class GpfPlusLayers {
 public:
  GpfPlusLayers(nn::Parameters& parameters, int64_t tokens, const BackboneShape& shape, int32_t classes,
                const Seed& seed);
  // x + softmax(x A) P: what the backbone reads in place of x. Each row by itself.
  nn::Var prompted(nn::Var x) const;
  // Class scores of rows of standardized embeddings.
  nn::Var answer(nn::Var embeddings) const;
  // Writes the answer's numbers.
  void set_answer(const LinearAnswer& answer);

 private:
  nn::Parameters* parameters_;
  nn::ParameterId vectors_, attention_, weight_, bias_;
};

class GpfPlus final : public Prompt {
 public:
  GpfPlus(const PromptOptions& options, const Backbone& backbone, int32_t classes, const Seed& seed);
  nn::Var scores(nn::Tape& tape, const PromptGraph& graph, std::span<const int32_t> nodes) override;
  // Vectors, attention and answer together; an answer that it was given stays as it is.
  void tune(const PromptGraph& graph, std::span<const int32_t> nodes, std::span<const int32_t> labels,
            const Seed& seed) override;
  void keep_answer(const LinearAnswer& answer) override;
  void save(nn::State& state, const std::string& prefix) const override { save_under(parameters_, state, prefix); }
  void load(const nn::State& state, const std::string& prefix) override { load_under(state, parameters_, prefix); }

 private:
  PromptOptions options_;
  const Backbone& backbone_;
  nn::Parameters parameters_;
  GpfPlusLayers layers_;
  std::optional<LinearAnswer> kept_;
};

}  // namespace graphveil::method
