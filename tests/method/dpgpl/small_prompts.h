// A small frozen backbone, the private and the public graph of privgnn's tests as it reads them.
#pragma once

#include <algorithm>
#include <vector>

#include "graphveil/method/dpgpl/prompt_teachers.h"
#include "tests/method/privgnn/public_task.h"

namespace graphveil::method {

inline constexpr int32_t kClasses = 3;  // of the graphs

inline const graph::Dataset& unlabeled_public() {
  static const graph::Dataset data = graph::without_labels(parts().public_data);
  return data;
}

inline PublicBackboneOptions small_backbone(BackboneKind kind = BackboneKind::Gcn,
                                            PretrainKind task = PretrainKind::GraphMae) {
  PublicBackboneOptions options;
  options.pretrain.architecture = kind;
  options.pretrain.task = task;
  options.pretrain.svd = 24;
  options.pretrain.hidden = 16;
  options.pretrain.layers = 2;
  options.pretrain.epochs = 30;
  return options;
}

inline const PublicBackbone& backbone() {
  static const PublicBackbone made =
      PublicBackbone::made(task_on(parts().private_data, unlabeled_public()), small_backbone());
  return made;
}

inline PromptOptions small_prompt(PromptKind kind, int64_t epochs = 40) {
  PromptOptions options;
  options.kind = kind;
  options.tokens = 4;
  options.epochs = epochs;
  return options;
}

inline constexpr PromptKind kPrompts[] = {PromptKind::Gppt, PromptKind::AllInOne, PromptKind::GpfPlus};

// Some private records as a graph, and their labels.
struct Lesson {
  PromptGraph graph;
  std::vector<int32_t> labels;
};

inline Lesson lesson(const PublicBackbone& of, int64_t records) {
  const std::vector<int32_t> some = first_numbers(records);
  std::vector<int32_t> labels;
  for (const int32_t u : some) labels.push_back(parts().private_data.labels[u]);
  return {records_graph(task_on(parts().private_data, unlabeled_public()), of.rows(parts().private_data.features), some,
                        of.network(), of.standard(1)),
          labels};
}

inline double share_right(const Matrix& probabilities, const std::vector<int32_t>& labels) {
  double right = 0;
  for (size_t i = 0; i < labels.size(); ++i) {
    const auto row = probabilities.row(static_cast<int64_t>(i));
    right += std::max_element(row.begin(), row.end()) - row.begin() == labels[i];
  }
  return right / static_cast<double>(labels.size());
}

inline bool same_state(const nn::State& a, const nn::State& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) {
           return x.first == y.first && x.second.bytes == y.second.bytes;
         });
}

inline nn::State state_of(const Prompt& prompt) {
  nn::State state;
  prompt.save(state, "");
  return state;
}

}  // namespace graphveil::method
