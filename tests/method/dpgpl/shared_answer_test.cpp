#include "graphveil/method/dpgpl/shared_answer.h"

#include <gtest/gtest.h>

#include "tests/method/dpgpl/small_prompts.h"

namespace graphveil::method::shared_answer_test {
namespace {

PromptOptions shared(PromptKind kind) {
  PromptOptions options = small_prompt(kind, 60);
  options.answer = AnswerOf::Shared;
  return options;
}

bool same(ConstMatrixView a, ConstMatrixView b) {
  for (int64_t r = 0; r < a.rows; ++r) {
    if (!std::ranges::equal(a.row(r), b.row(r))) return false;
  }
  return a.rows == b.rows;
}

TEST(SharedAnswer, TellsClassesOfEmbeddingsWithoutAPrompt) {
  const Task task = task_on(parts().private_data, unlabeled_public());
  const LinearAnswer answer = shared_answer(task, backbone(), shared(PromptKind::GpfPlus), 10);
  const std::vector<int32_t> records = few_of_each_class(task, 10);
  EXPECT_EQ(std::ssize(records), 10 * kClasses);
  EXPECT_TRUE(std::ranges::is_sorted(records));
  AnswerLayer layer(backbone().network().shape(), kClasses);
  layer.set(answer);
  EXPECT_TRUE(same(layer.value().weight, answer.weight));
  nn::Tape tape(Seed::from_number(0));
  tape.start(nn::Tape::Mode::Evaluate);
  const PromptGraph graph = private_graph(task, backbone(), backbone().network());
  const nn::Var scores = layer(graph.standard(backbone().network()(tape.input(graph.rows), graph.edges)));
  int64_t right = 0;
  for (const int32_t u : records) {
    const auto row = scores.value().row(u);
    right += std::ranges::max_element(row) - row.begin() == task.data.labels[u];
  }
  EXPECT_GT(static_cast<double>(right), 0.7 * static_cast<double>(records.size()));
}

// The prompt moves, the answer does not.
TEST(SharedAnswer, StaysAsItIsWhilePromptsAreTuned) {
  const Task task = task_on(parts().private_data, unlabeled_public());
  const Lesson some = lesson(backbone(), 12);
  for (const PromptKind kind : {PromptKind::AllInOne, PromptKind::GpfPlus}) {
    const LinearAnswer answer = shared_answer(task, backbone(), shared(kind), 5);
    const auto prompt = make_prompt(shared(kind), backbone().network(), kClasses, Seed::from_number(1));
    prompt->keep_answer(answer);
    const nn::State before = state_of(*prompt);
    prompt->tune(some.graph, first_numbers(12), some.labels, Seed::from_number(2));
    const nn::State after = state_of(*prompt);
    for (const auto& [name, tensor] : before) {
      EXPECT_EQ(tensor.bytes == after.at(name).bytes, name.starts_with("answer")) << name;
    }
  }
}

TEST(SharedAnswer, IsNoPartOfGppt) {
  EXPECT_THROW(make_prompt(shared(PromptKind::Gppt), backbone().network(), kClasses, Seed::from_number(1)), Error);
  PromptOptions own = shared(PromptKind::Gppt);
  own.answer = AnswerOf::Own;
  const Task task = task_on(parts().private_data, unlabeled_public());
  EXPECT_FALSE(answer_for(task, backbone(), own, 5));
}

}  // namespace
}  // namespace graphveil::method::shared_answer_test
