// A student for the public graph from noisy answers about some of its nodes: what privgnn and the PATE baselines
// release.
#pragma once

#include <cstdint>
#include <optional>

#include "graphveil/base/matrix.h"
#include "graphveil/learn/fit.h"
#include "graphveil/learn/public_embedding.h"
#include "graphveil/learn/student.h"
#include "graphveil/method/method.h"
#include "graphveil/method/pate/answers.h"

namespace graphveil::method {

// Denoise: ridge regression on the noisy answers in the public embedding labels public nodes anew, and GraphSAGE learns
// from those labels. Plain: GraphSAGE on the noisy answers and raw features, as in the paper.
enum class StudentKind { Denoise, Plain };

// For Method::variant.
inline constexpr const char* kDenoisingStudent = "ridge regression relabels public nodes before the student learns";

struct DistillOptions {
  StudentKind student = StudentKind::Denoise;
  std::optional<double> ridge;  // none: by the noise of the answers
  bool relabel_all = true;      // test nodes too; false: the pool alone
  int64_t pretrain_epochs = 0;  // without labels, on the public graph
  StudentArchitecture architecture;
  FitOptions fit{.epochs = 100, .learning_rate = 0.003, .weight_decay = 1e-3};

  void declare(Options& options);
  // The paper's student.
  void use_paper_settings();
};

// Guarantee: post-processing. Reads `answers`, which must be released, and the public graph, and nothing else.
Output distill(const Answers& answers, const PublicGraph& graph, const PublicEmbedding& embedding, int32_t classes,
               const DistillOptions& options, const Seed& seed);

// Class probabilities of the nodes of another graph, by the student that distill made.
Matrix ask_student(const nn::State& model, const graph::Dataset& data, const DistillOptions& options, const Seed& seed);

}  // namespace graphveil::method
