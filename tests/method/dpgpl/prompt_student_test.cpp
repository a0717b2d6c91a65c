#include "graphveil/method/dpgpl/prompt_student.h"

#include <gtest/gtest.h>

#include "tests/method/dpgpl/small_prompts.h"
#include "tests/method/vouched.h"

namespace graphveil::method::prompt_student_test {
namespace {

// True labels of the first public nodes.
Answers right_answers(int64_t count) {
  Answers out;
  std::vector<int32_t> labels;
  for (int64_t i = 0; i < count; ++i) {
    out.queries.push_back(parts().public_split.train[static_cast<size_t>(i)]);
    labels.push_back(parts().public_data.labels[out.queries.back()]);
  }
  out.targets = centered_onehot(labels, kClasses);
  return out;
}

TEST(PromptStudent, LearnsAnswersAndIsAskedAgainFromItsModel) {
  const Answers answers = right_answers(100);
  for (const PromptStudentKind kind : {PromptStudentKind::Ridge, PromptStudentKind::Prompt}) {
    for (const bool relabel : {true, false}) {
      const PromptStudentOptions options{.kind = kind, .relabel = relabel};
      const PromptOptions prompt = small_prompt(PromptKind::GpfPlus, 80);
      const Output out =
          teach(answers, backbone(), run::Declared::public_graph(), kClasses, prompt, options, Seed::from_number(1));
      EXPECT_GT(test_accuracy(values(out.predictions)), 0.5) << static_cast<int>(kind) << relabel;
      EXPECT_EQ(audience(out.predictions), Audience::Public);
      const Matrix again = ask_prompt_student(out.model.value(), unlabeled_public(), prompt, options);
      EXPECT_TRUE(same(values(out.predictions), again));
    }
  }
}

// With --confident it may be that nothing was answered.
TEST(PromptStudent, WithoutAnswersEveryClassIsAsLikely) {
  for (const PromptStudentKind kind : {PromptStudentKind::Ridge, PromptStudentKind::Prompt}) {
    const Output out = teach({{}, Matrix(0, kClasses)}, backbone(), run::Declared::public_graph(), kClasses,
                             small_prompt(PromptKind::GpfPlus), {.kind = kind}, Seed::from_number(1));
    for (const Real p : values(out.predictions).values()) EXPECT_FLOAT_EQ(p, 1.0F / kClasses);
  }
}

}  // namespace
}  // namespace graphveil::method::prompt_student_test
