#include "graphveil/method/gap/networks.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/learn/fit.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method::networks_test {
namespace {

TEST(GapEmbeddings, RowsHaveNormOneWithAndWithoutEncoder) {
  GapEncoder encoder(tiny_data(), {}, Seed::from_number(1));
  for (GapEncoder* chosen : {&encoder, static_cast<GapEncoder*>(nullptr)}) {
    const Matrix rows = gap_embeddings(chosen, tiny_data());
    EXPECT_EQ(rows.cols(), chosen ? 16 : tiny_data().features.cols());
    for (int64_t v = 0; v < rows.rows(); ++v) {
      double squares = 0;
      for (Real x : rows.row(v)) squares += double{x} * double{x};
      EXPECT_LE(squares, 1 + 1e-5);
    }
  }
}

TEST(GapClassifier, EveryWayToCombineLearns) {
  const Matrix own = gap_embeddings(nullptr, tiny_data());
  std::vector<Matrix> hops;
  for (int k = 0; k < 2; ++k) hops.push_back(own.clone());
  for (Combine combine : {Combine::Concat, Combine::Sum, Combine::Max, Combine::Mean, Combine::Attention}) {
    GapArchitecture architecture;
    architecture.combine = combine;
    GapClassifier classifier(own, hops, tiny_data().classes, architecture, Seed::from_number(1));
    const auto& train = tiny_split().train;
    const double before = evaluate_accuracy(classifier, train, tiny_data().labels);
    fit(classifier, {tiny_data().labels, train, {}}, {.epochs = 50}, Seed::from_number(2), "test", public_test_data());
    EXPECT_GT(evaluate_accuracy(classifier, train, tiny_data().labels), before + 0.15) << static_cast<int>(combine);
  }
}

TEST(GapClassifier, SavesItsBatchNorm) {
  const Matrix own = gap_embeddings(nullptr, tiny_data());
  const std::vector<Matrix> hops;
  GapArchitecture architecture;
  architecture.hops = 0;
  GapClassifier a(own, hops, tiny_data().classes, architecture, Seed::from_number(1));
  GapClassifier b(own, hops, tiny_data().classes, architecture, Seed::from_number(2));
  fit(a, {tiny_data().labels, tiny_split().train, {}}, {.epochs = 5}, Seed::from_number(2), "test", public_test_data());
  nn::State state;
  a.save(state, "");
  b.load(state, "");
  const Matrix p = class_probabilities(a, tiny_data().nodes()), q = class_probabilities(b, tiny_data().nodes());
  for (int64_t i = 0; i < p.size(); ++i) EXPECT_EQ(p.data()[i], q.data()[i]);
}

}  // namespace
}  // namespace graphveil::method::networks_test
