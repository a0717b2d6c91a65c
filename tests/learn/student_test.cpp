#include "graphveil/learn/student.h"

#include <gtest/gtest.h>

#include "graphveil/graph/public_private.h"
#include "graphveil/learn/fit.h"
#include "tests/method/tiny_task.h"

namespace graphveil::learn {
namespace {

using namespace method;  // the tiny graph and its networks

TEST(Student, LearnsAndSurvivesSaving) {
  // Without labels in the data: the student sees only those it is given.
  const graph::Dataset data = graph::without_labels(tiny_data());
  Student a(data, tiny_data().classes, {}, Seed::from_number(1));
  const auto& train = tiny_split().train;
  const double before = evaluate_accuracy(a, train, tiny_data().labels);
  fit(a, {tiny_data().labels, train, {}}, {.epochs = 40}, Seed::from_number(2), "test", public_test_data());
  EXPECT_GT(evaluate_accuracy(a, train, tiny_data().labels), before + 0.2);
  nn::State state;
  a.save(state, "s/");
  Student b(data, tiny_data().classes, {}, Seed::from_number(9));
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
  Student student(tiny_data(), 4, architecture, Seed::from_number(1));
  EXPECT_EQ(class_probabilities(student, tiny_data().nodes()).cols(), 4);
  architecture.layers = 1;
  Student shallow(tiny_data(), 4, architecture, Seed::from_number(1));
  EXPECT_EQ(class_probabilities(shallow, tiny_data().nodes()).cols(), 4);
}

}  // namespace
}  // namespace graphveil::learn
