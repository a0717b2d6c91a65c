#include "graphveil/graph/blank.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/generate.h"

namespace graphveil::graph::blank_test {
namespace {

Real feature(const Features& features, int64_t row, int64_t column) {
  if (!features.is_sparse()) return features.dense()(row, column);
  const SparseMatrix& m = features.sparse();
  for (int64_t i = m.offsets[row]; i < m.offsets[row + 1]; ++i) {
    if (m.indices[i] == column) return m.values.size() > 0 ? m.values[i] : Real{1};
  }
  return 0;
}

TEST(Blank, KeepsTheIdAndNothingElse) {
  const Dataset data = generate(preset("tiny"), Seed::from_number(1));
  std::vector<bool> present(static_cast<size_t>(data.nodes()), true);
  present[3] = present[8] = false;
  const Dataset out = with_blanks(data, present);
  ASSERT_EQ(out.nodes(), data.nodes());
  for (int32_t v = 0; v < data.nodes(); ++v) {
    const bool there = present[static_cast<size_t>(v)];
    EXPECT_EQ(out.labels[v], there ? data.labels[v] : kUnlabeled);
    for (int64_t c = 0; c < data.features.cols(); ++c) {
      EXPECT_EQ(feature(out.features, v, c), there ? feature(data.features, v, c) : Real{0});
    }
    for (const int32_t u : data.graph.out(v)) {
      EXPECT_EQ(out.graph.has_edge(v, u), there && present[static_cast<size_t>(u)]);
    }
  }
  EXPECT_THROW(with_blanks(data, {true}), Error);
}

TEST(Blank, EdgesThatOthersListStayWhereTheyAreTheirs) {
  const Dataset data = generate(preset("tiny"), Seed::from_number(1));
  std::vector<bool> present(static_cast<size_t>(data.nodes()), true);
  present[3] = present[8] = false;
  const Dataset out = with_blanks(data, present, EdgesGone::Own);
  for (int32_t v = 0; v < data.nodes(); ++v) {
    for (const int32_t u : data.graph.out(v)) {
      EXPECT_EQ(out.graph.has_edge(v, u), present[static_cast<size_t>(v)]);
    }
  }
  EXPECT_EQ(out.labels[3], kUnlabeled);
}

}  // namespace
}  // namespace graphveil::graph::blank_test
