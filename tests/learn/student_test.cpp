#include "graphveil/learn/student.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
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
  Matrix targets(data.nodes(), 3);
  for (int64_t v = 0; v < data.nodes(); ++v) targets(v, v % 3) = 1;
  pretrain(pretrained, method::vouched(data), {}, targets, 5, 0.01, Seed::from_number(2));
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
  EXPECT_THROW(pretrain(pretrained, method::vouched(data), {}, Matrix(3, 3), 5, 0.01, Seed::from_number(2)), Error);
}

}  // namespace
}  // namespace graphveil::learn::student_test
