// One answer for all prompts of a run: what teachers have in common that differ by nothing but their prompts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graphveil/method/dpgpl/prompt.h"
#include "graphveil/method/dpgpl/public_backbone.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// The linear layer of an answer, while it is tuned.
class AnswerLayer {
 public:
  AnswerLayer(const BackboneShape& shape, int32_t classes);
  nn::Var operator()(nn::Var embeddings);
  // Random, as networks start.
  void draw(const Seed& seed);
  LinearAnswer value() const;
  void set(const LinearAnswer& answer);
  nn::Parameters& parameters() { return parameters_; }

 private:
  nn::Parameters parameters_;
  nn::ParameterId weight_, bias_;
};

// Private records with a label, at most `shots` of each class, the first by id. Throws InvalidArgument for none.
std::vector<int32_t> few_of_each_class(const Task& task, const std::optional<int64_t>& shots);
std::vector<int32_t> labels_of(const Task& task, const std::vector<int32_t>& records);

// The private graph whole: few records may have their labels read, but all send messages.
PromptGraph private_graph(const Task& task, const PublicBackbone& backbone, const Backbone& network);

// Tuned on `shots` private records of each class, to the backbone's embeddings without a prompt.
//
// Guarantee: none. Reads private records in the clear.
LinearAnswer shared_answer(const Task& task, const PublicBackbone& backbone, const PromptOptions& options,
                           const std::optional<int64_t>& shots);

// The same where the options ask for it; none otherwise.
std::optional<LinearAnswer> answer_for(const Task& task, const PublicBackbone& backbone, const PromptOptions& options,
                                       const std::optional<int64_t>& shots);

}  // namespace graphveil::method
