#include "graphveil/method/dpgpl/prompt.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/method/dpgpl/small_prompts.h"

namespace graphveil::method::prompt_test {
namespace {

TEST(Standard, ReadsRowsAboutTheirMeanAndOfNormOne) {
  Matrix x(4, 2);
  std::ranges::copy(std::vector<Real>{1, 10, 2, 30, 3, 10, 6, 30}, x.values().begin());
  const Standard standard = Standard::of(x);  // about (3, 20)
  nn::Tape tape(Seed::from_number(1));
  tape.start();
  const nn::Var y = standard(tape.input(x));
  const double by_hand[4][2] = {{-2, -10}, {-1, 10}, {0, -10}, {3, 10}};
  for (int64_t r = 0; r < 4; ++r) {
    const double norm = std::hypot(by_hand[r][0], by_hand[r][1]);
    for (int64_t c = 0; c < 2; ++c) EXPECT_NEAR(y.value()(r, c), by_hand[r][c] / norm, 1e-6);
  }
  EXPECT_THROW(Standard::of(Matrix(0, 2)), Error);
}

TEST(PromptGraph, WantsARowForEveryNode) {
  const graph::Graph three = graph::Graph::from_edges(3, {}, {});
  EXPECT_THROW(PromptGraph(Matrix(2, 24), three, backbone().network(), Standard::none(16)), Error);
}

class EveryPrompt : public testing::TestWithParam<PromptKind> {};

TEST_P(EveryPrompt, LearnsAndLeavesTheBackboneAsItIs) {
  const auto [graph, labels] = lesson(backbone(), 120);
  nn::State before, after;
  backbone().network().save(before, "");
  const auto prompt = make_prompt(small_prompt(GetParam(), 150), backbone().network(), kClasses, Seed::from_number(1));
  const std::vector<int32_t> all = first_numbers(graph.nodes());
  prompt->tune(graph, all, labels, Seed::from_number(2));
  backbone().network().save(after, "");
  EXPECT_TRUE(same_state(before, after));
  EXPECT_GT(share_right(prompt->probabilities(graph, all), labels), 0.6);
  // Nodes of another graph.
  EXPECT_GT(test_accuracy(prompt->probabilities(backbone().graph(), first_numbers(backbone().graph().nodes()))), 0.5);
}

TEST_P(EveryPrompt, IsTheSameForASeedAndAfterSaving) {
  const auto [graph, labels] = lesson(backbone(), 40);
  const std::vector<int32_t> all = first_numbers(graph.nodes()), some{3, 1, 17};
  const auto tuned = [&](uint64_t seed) {
    auto prompt = make_prompt(small_prompt(GetParam(), 20), backbone().network(), kClasses, Seed::from_number(seed));
    prompt->tune(graph, all, labels, Seed::from_number(seed));
    return prompt;
  };
  const auto one = tuned(1), again = tuned(1), other = tuned(2);
  EXPECT_TRUE(same_state(state_of(*one), state_of(*again)));
  EXPECT_FALSE(same_state(state_of(*one), state_of(*other)));
  other->load(state_of(*one), "");
  EXPECT_TRUE(same(one->probabilities(graph, some), other->probabilities(graph, some)));
  nn::State broken = state_of(*one);
  broken.erase(broken.begin());
  EXPECT_THROW(other->load(broken, ""), Error);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryPrompt, testing::ValuesIn(kPrompts),
                         [](const auto& parameter) { return std::to_string(static_cast<int>(parameter.param)); });

// Every architecture, pre-trained by every task, takes every prompt.
TEST(Prompt, EveryCombinationTrains) {
  const Task task = task_on(parts().private_data, unlabeled_public());
  for (const BackboneKind kind : {BackboneKind::Gcn, BackboneKind::Gat, BackboneKind::Transformer}) {
    for (const PretrainKind pretrained :
         {PretrainKind::Dgi, PretrainKind::GraphMae, PretrainKind::Edge, PretrainKind::SimGrace}) {
      PublicBackboneOptions options = small_backbone(kind, pretrained);
      options.pretrain.epochs = 10;
      const PublicBackbone made = PublicBackbone::made(task, options);
      const auto [graph, labels] = lesson(made, 60);
      const std::vector<int32_t> all = first_numbers(graph.nodes());
      for (const PromptKind prompted : kPrompts) {
        const auto prompt = make_prompt(small_prompt(prompted, 100), made.network(), kClasses, Seed::from_number(1));
        prompt->tune(graph, all, labels, Seed::from_number(2));
        EXPECT_GT(share_right(prompt->probabilities(graph, all), labels), 0.6)
            << to_string(kind) << ", " << to_string(pretrained) << ", " << static_cast<int>(prompted);
      }
    }
  }
}

}  // namespace
}  // namespace graphveil::method::prompt_test
