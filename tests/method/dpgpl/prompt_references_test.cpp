#include "graphveil/method/dpgpl/prompt_references.h"

#include <gtest/gtest.h>

#include "tests/method/dpgpl/small_prompts.h"
#include "tests/method/vouched.h"

namespace graphveil::method::prompt_references_test {
namespace {

using Kind = PromptReference::Kind;

PromptReference small(Kind kind) {
  std::vector<std::pair<std::string, std::string>> values{
      {"svd", "24"}, {"hidden-dim", "16"}, {"backbone-layers", "2"}, {"backbone-epochs", "30"}};
  values.insert(values.end(), {{"tokens", "4"}, {"epochs", "60"}});
  if (kind == Kind::Ensemble || kind == Kind::UpperBound) values.emplace_back("teachers", "10");
  return with(PromptReference(kind), values);
}

Output in_the_clear(const PromptReference& method) {
  Task task = task_on(parts().private_data, unlabeled_public());
  if (method.reads_public_labels()) task.public_graph.emplace(vouched_graph(parts().public_data, parts().public_split));
  Release release = Release::clear(bound::Relation::Edge, {});
  return method.run(task, release);
}

double accuracy(const Output& out) { return test_accuracy(values(out.predictions)); }

TEST(PromptReference, KnowMoreOrLess) {
  const double lower = accuracy(in_the_clear(small(Kind::LowerBound)));
  for (const Kind kind : {Kind::Prompt, Kind::FineTune, Kind::Ensemble, Kind::UpperBound}) {
    const PromptReference method = small(kind);
    const Output out = in_the_clear(method);
    EXPECT_GT(accuracy(out), std::max(lower, 0.45)) << static_cast<int>(kind);
    EXPECT_EQ(audience(out.predictions), Audience::Holder);
    Release nothing = Release::clear(bound::Relation::Edge, {});
    const Predictions again = method.infer(out.model.value(), task_on(unlabeled_public(), unlabeled_public()), nothing);
    EXPECT_TRUE(same(values(out.predictions), values(again)));
  }
}

// An answer for all of them is tuned without a prompt: the lower bound has it too.
TEST(PromptReference, KnowWhatASharedAnswerKnows) {
  const auto shared = [](Kind kind) { return with(small(kind), {{"answer", "shared"}, {"shots", "5"}}); };
  EXPECT_GT(accuracy(in_the_clear(shared(Kind::LowerBound))), 0.45);
  for (const Kind kind : {Kind::Prompt, Kind::Ensemble}) {
    for (const char* prompt : {"gpf-plus", "all-in-one"}) {
      EXPECT_GT(accuracy(in_the_clear(with(shared(kind), {{"prompt", prompt}}))), 0.45) << prompt;
    }
    EXPECT_THROW(in_the_clear(with(shared(kind), {{"prompt", "gppt"}})), Error);
  }
}

TEST(PromptReference, ABackboneThatLearnsFasterIsAnotherOne) {
  const Output slow = in_the_clear(small(Kind::FineTune));
  const Output fast = in_the_clear(with(small(Kind::FineTune), {{"body-rate", "1"}}));
  const Output still = in_the_clear(with(small(Kind::FineTune), {{"body-rate", "0"}}));
  EXPECT_FALSE(same(values(slow.predictions), values(fast.predictions)));
  EXPECT_FALSE(same(values(slow.predictions), values(still.predictions)));
}

// One shot of every class: of the others the labels are not read, though they send messages.
TEST(PromptReference, LabelsOfAFewShotsAreAllThatAreRead) {
  const PromptReference method = with(small(Kind::Prompt), {{"shots", "1"}});
  const graph::Dataset present = dense(parts().private_data);
  std::vector<int32_t> first(kClasses, -1);
  for (auto u = static_cast<int32_t>(present.nodes()) - 1; u >= 0; --u) {
    first[static_cast<size_t>(present.labels[u])] = u;
  }
  const auto run_on = [&](const graph::Dataset& data) {
    Release release = Release::clear(bound::Relation::Edge, {});
    return values(method.run(task_on(data, unlabeled_public()), release).predictions).clone();
  };
  const Matrix before = run_on(present);
  graph::Dataset relabeled = present;
  std::vector<int32_t> labels(present.labels.begin(), present.labels.end());
  labels.back() = (labels.back() + 1) % kClasses;
  relabeled.labels = labels;
  EXPECT_TRUE(same(before, run_on(relabeled)));
  EXPECT_FALSE(same(before, run_on(without(present, first[0]))));
  EXPECT_FALSE(same(before, run_on(without(present, present.graph.in(first[0])[0])))) << "a neighbor of a shot";
}

}  // namespace
}  // namespace graphveil::method::prompt_references_test
