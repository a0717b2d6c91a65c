#include "graphveil/method/dpgpl/degree_classes.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/method/dpgpl/small_prompts.h"

namespace graphveil::method::degree_classes_test {
namespace {

DegreeClasses classes(const std::string& cuts) { return with(DegreeClasses(), {{"degree-cuts", cuts}}); }

TEST(DegreeClasses, CutsSayWhoIsInWhich) {
  const DegreeClasses three = classes("2,5");
  EXPECT_EQ(three.count(), 3);
  EXPECT_EQ(three.who(0), "records with at most 2 outgoing edges");
  EXPECT_EQ(three.who(1), "records with 3 to 5 outgoing edges");
  EXPECT_EQ(three.who(2), "records with more than 5 outgoing edges");
  EXPECT_DOUBLE_EQ(three.weight(0), 0.9);
  EXPECT_DOUBLE_EQ(three.weight(1), 1.05);
  EXPECT_DOUBLE_EQ(three.weight(2), three.largest());
  EXPECT_TRUE(three.declared());
  EXPECT_FALSE(DegreeClasses().declared());
  EXPECT_EQ(DegreeClasses().count(), 3);
  for (const char* bad : {"", "5,2", "2,2", "-1", "2;5", "2,", "x"}) EXPECT_THROW(classes(bad).check(), Error) << bad;
  EXPECT_THROW(with(DegreeClasses(), {{"weight-low", "3"}}).check(), Error);
}

// A record's part and weight are told by its own edges.
TEST(DegreeClasses, RecordsGoToTeachersOfTheirClass) {
  const Task task = task_on(parts().private_data, unlabeled_public());
  for (const char* cuts : {"2,5", "public"}) {
    const auto [teachers, weights] = classes(cuts).parts(task, 30, std::nullopt);
    ASSERT_EQ(teachers.size(), weights.size());
    EXPECT_NEAR(static_cast<double>(teachers.size()), 30, 2);
    size_t records = 0;
    std::vector<int64_t> least(3, INT64_MAX), most(3, -1);
    for (size_t t = 0; t < teachers.size(); ++t) {
      const size_t c = weights[t] == 0.9 ? 0 : weights[t] == 1.2 ? 2 : 1;
      for (const int32_t u : teachers[t]) {
        least[c] = std::min(least[c], task.data.graph.out_degree(u));
        most[c] = std::max(most[c], task.data.graph.out_degree(u));
      }
      records += teachers[t].size();
    }
    EXPECT_EQ(records, task.split.train.size());
    EXPECT_LT(most[0], least[1]);
    EXPECT_LT(most[1], least[2]);
    if (std::string(cuts) == "2,5") {
      EXPECT_LE(most[0], 2);
      EXPECT_LE(most[1], 5);
    }
  }
}

// Why dp-gpl-w is for record alone: a node that goes with every edge at it takes edges from its neighbors, some of
// which change their teachers. With their own lists left to them nobody but the node itself does.
TEST(DegreeClasses, UnderNodeOneRecordWouldMoveManyTeachers) {
  const graph::Dataset present = dense(parts().private_data);
  int32_t hub = 0;
  for (int32_t u = 0; u < present.nodes(); ++u) {
    if (present.graph.out_degree(u) > present.graph.out_degree(hub)) hub = u;
  }
  graph::Dataset record = without(present, hub);
  const graph::Dataset node = record;
  std::vector<int32_t> from, to;
  for (int32_t u = 0; u < present.nodes(); ++u) {
    for (const int32_t v : present.graph.out(u)) {
      if (u == hub) continue;
      from.push_back(u);
      to.push_back(v);
    }
  }
  record.graph = graph::Graph::from_edges(present.nodes(), from, to);
  const auto changed = [&](const graph::Dataset& other) {
    const TeacherParts a = classes("2,5").parts(task_on(present, unlabeled_public()), 30, std::nullopt).parts;
    const TeacherParts b = classes("2,5").parts(task_on(other, unlabeled_public()), 30, std::nullopt).parts;
    int count = 0;
    for (size_t t = 0; t < a.size(); ++t) count += a[t] != b[t];
    return count;
  };
  EXPECT_EQ(changed(record), 1);
  EXPECT_GT(changed(node), 1);
}

// As published: parts of the same size, and weights that add up to the number of teachers.
TEST(DegreeClasses, ARankingMovesMoreThanOneRecord) {
  const graph::Dataset present = dense(parts().private_data);
  const auto before = ranked_parts(task_on(present, unlabeled_public()), 20, 0.5, 2).parts;
  const auto after = ranked_parts(task_on(without(present, 11), unlabeled_public()), 20, 0.5, 2).parts;
  int changed = 0;
  for (size_t t = 0; t < before.size(); ++t) changed += before[t] != after[t];
  EXPECT_GT(changed, 1);
}

// The paper's weights: of the ratio that its range of epsilon implies, adding up to the number of teachers.
TEST(DegreeClasses, RankedWeightsSpanTheirRange) {
  const Task task = task_on(parts().private_data, unlabeled_public());
  DegreeClasses paper;
  paper.use_paper_weights();
  for (const ShotsPer per : {ShotsPer::Teacher, ShotsPer::Class}) {
    const auto [teachers, weights] = ranked_parts(task, 20, paper.weight(0), paper.largest(), 2, per);
    double sum = 0;
    for (const double w : weights) sum += w;
    EXPECT_NEAR(sum, 20, 1e-9);
    const auto [least, most] = std::ranges::minmax(weights);
    EXPECT_NEAR(most / least, 4, 1e-9);
    EXPECT_LE(most, paper.largest_ranked());
    for (const std::vector<int32_t>& part : teachers) {
      EXPECT_EQ(part.size(), per == ShotsPer::Class ? 2u * kClasses : 2u);
      EXPECT_TRUE(std::ranges::is_sorted(part));
    }
  }
}

}  // namespace
}  // namespace graphveil::method::degree_classes_test
