#include "graphveil/run/task.h"

#include "graphveil/run/train_once.h"
#include "tests/run/small_run.h"

namespace graphveil::run::task_test {
namespace {

bool picks_epochs(const std::string& method, const OptionList& options) {
  const Ready r = ready(method, options);
  const mechanism::Release release = open_release(r.prepared, Seed::from_number(2));
  return training_task(r.prepared, {r.parts.data, r.parts.split, &r.parts}, Seed::from_number(2), release)
      .public_validation.has_value();
}

TEST(TrainingTask, ValidationLabelsPickTheEpochWhereTheyArePublic) {
  EXPECT_TRUE(picks_epochs("gap-edp", {}));
  EXPECT_TRUE(picks_epochs("gap-inf", {}));
  EXPECT_FALSE(picks_epochs("mlp-dp", {}));
  EXPECT_TRUE(picks_epochs("mlp-dp", {{"public", "val"}}));
}

TEST(TrainingTask, SaysWhatThePreparationSays) {
  const Ready r = ready("lap", {{"protect-degree", "7"}, {"relation", "record"}});
  const mechanism::Release release = open_release(r.prepared, Seed::from_number(2));
  const method::Task task =
      training_task(r.prepared, {r.parts.data, r.parts.split, &r.parts}, Seed::from_number(2), release);
  EXPECT_EQ(task.relation, bound::Relation::Record);
  EXPECT_EQ(task.protect_degree, 7);
  EXPECT_EQ(&task.data, &r.parts.data);
  EXPECT_FALSE(task.as_published);
  EXPECT_FALSE(task.public_graph.has_value());
}

TEST(AskingTask, APublicGraphAndItsArraysComeAlong) {
  Ready r = ready("oneshot", {});
  r.parts.public_arrays.emplace();
  const method::Task alone = asking_task(r.prepared, {r.parts.data, r.parts.split}, Seed::from_number(2));
  EXPECT_FALSE(alone.public_graph.has_value());
  EXPECT_EQ(alone.public_arrays, nullptr);
  const method::Task both = asking_task(r.prepared, {r.parts.data, r.parts.split, &r.parts}, Seed::from_number(2));
  ASSERT_TRUE(both.public_graph.has_value());
  EXPECT_EQ(&both.public_graph->split, &r.parts.evaluated_split);
  EXPECT_EQ(both.public_arrays, &*r.parts.public_arrays);
  EXPECT_FALSE(both.public_validation.has_value());
}

}  // namespace
}  // namespace graphveil::run::task_test
