// The student of DP-GPL: what noisy answers about public nodes make of a frozen backbone, and what is released.
#pragma once

#include <optional>

#include "graphveil/method/dpgpl/prompt.h"
#include "graphveil/method/dpgpl/public_backbone.h"
#include "graphveil/method/method.h"
#include "graphveil/method/pate/answers.h"

namespace graphveil::method {

// Ridge: regression of the answers on smoothed features. Prompt: a prompt of the teachers' kind.
enum class PromptStudentKind { Ridge, Prompt };

struct PromptStudentOptions {
  PromptStudentKind kind = PromptStudentKind::Prompt;
  std::optional<double> ridge = std::nullopt;  // none: by the noise of the answers
  bool relabel = true;  // of a prompt: tuned on the labels that the regression gives to all public nodes; false:
                        // on the noisy labels of the queries, as in the paper

  void declare(Options& options);
};

// Guarantee: post-processing. Reads `answers`, which must be released, what is public, and `answer`, which must be
// public too (prompts of --answer shared).
Output teach(const Answers& answers, const PublicBackbone& backbone, const PublicData& token, int32_t classes,
             const PromptOptions& prompt, const PromptStudentOptions& options, const Seed& seed,
             const std::optional<LinearAnswer>& answer = std::nullopt);

// All that asking a tuned prompt needs.
nn::State prompt_state(const Prompt& prompt, const PublicBackbone& backbone);

// Class probabilities of the nodes of another graph, by a student that teach or prompt_state made.
Matrix ask_prompt_student(const nn::State& model, const graph::Dataset& data, const PromptOptions& prompt,
                          const PromptStudentOptions& options);

}  // namespace graphveil::method
