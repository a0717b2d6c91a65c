#include "graphveil/learn/student.h"

#include <gtest/gtest.h>

#include "graphveil/graph/public_private.h"
#include "graphveil/learn/fit.h"
#include "tests/method/tiny_task.h"
#include "tests/method/vouched.h"

namespace graphveil::learn::student_test {
namespace {

using namespace method;  // the tiny graph and its networks

TEST(Student, LearnsAndSurvivesSaving) {
  // Without labels in the data: the student sees only those it is given.
  const graph::Dataset data = graph::without_labels(tiny_data());
  Student a(method::vouched(data), tiny_data().classes, {}, Seed::from_number(1));
  const auto& train = tiny_split().train;
  const double before = evaluate_accuracy(a, train, tiny_data().labels);
  fit(a, {tiny_data().labels, train, {}}, {.epochs = 40}, Seed::from_number(2), "test", public_test_data());
  EXPECT_GT(evaluate_accuracy(a, train, tiny_data().labels), before + 0.2);
  nn::State state;
  a.save(state, "s/");
  Student b(method::vouched(data), tiny_data().classes, {}, Seed::from_number(9));
  b.load(state, "s/");
  const Matrix p = class_probabilities(a, data.nodes()), q = class_probabilities(b, data.nodes());
  for (int64_t i = 0; i < p.size(); ++i) EXPECT_EQ(p.data()[i], q.data()[i]);
}

TEST(Student, DepthAndSizesAreOptions) {
  StudentArchitecture architecture;
  Options options;
  architecture.declare(options);
  options.set("layers", "3");
  options.set("hidden-dim", "5");
  options.set("dropout", "0");
  Student student(method::vouched(tiny_data()), 4, architecture, Seed::from_number(1));
  EXPECT_EQ(class_probabilities(student, tiny_data().nodes()).cols(), 4);
  architecture.layers = 1;
  Student shallow(method::vouched(tiny_data()), 4, architecture, Seed::from_number(1));
  EXPECT_EQ(class_probabilities(shallow, tiny_data().nodes()).cols(), 4);
}

TEST(Student, PretrainingFillsAllLayersButTheLast) {
  const graph::Dataset data = graph::without_labels(tiny_data());
  Student plain(method::vouched(data), 4, {}, Seed::from_number(1)),
      pretrained(method::vouched(data), 4, {}, Seed::from_number(1));
  pretrain(pretrained, method::vouched(data), {}, 5, 0.01, Seed::from_number(2));
  nn::State a, b;
  plain.save(a, "");
  pretrained.save(b, "");
  ASSERT_EQ(a.size(), b.size());
  int64_t changed = 0;
  for (const auto& [name, tensor] : a) {
    const bool same = tensor.bytes == b.at(name).bytes;
    if (name.starts_with("sage2.")) {
      EXPECT_TRUE(same) << name;
    }
    changed += !same;
  }
  EXPECT_GE(changed, 3);
  // A graph without edges has nothing to tell.
  graph::Dataset lonely = data;
  lonely.graph = graph::Graph::from_edges(data.nodes(), {}, {});
  Student other(method::vouched(lonely), 4, {}, Seed::from_number(1));
  pretrain(other, method::vouched(lonely), {}, 5, 0.01, Seed::from_number(2));
  nn::State c;
  other.save(c, "");
  for (const auto& [name, tensor] : a) EXPECT_EQ(tensor.bytes, c.at(name).bytes) << name;
}

TEST(Student, BatchNormCanBeLeftOut) {
  StudentArchitecture plain;
  plain.norm = false;
  Student student(method::vouched(tiny_data()), 4, plain, Seed::from_number(1));
  nn::State state;
  student.save(state, "");
  for (const auto& [name, tensor] : state) EXPECT_FALSE(name.starts_with("norm")) << name;
}

}  // namespace
}  // namespace graphveil::learn::student_test
