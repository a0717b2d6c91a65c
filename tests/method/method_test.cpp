#include "graphveil/method/method.h"

#include <gtest/gtest.h>

#include "tests/method/tiny_task.h"
#include "tests/method/vouched.h"

namespace graphveil::method::method_test {
namespace {

TEST(RequiredPublic, NoneIsAnInternalError) {
  Task task = tiny_task(bound::Relation::Node);
  EXPECT_EQ(required_public(task).data.value().nodes(), tiny_public_data().nodes());
  task.public_graph.reset();
  try {
    required_public(task);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Internal);
  }
}

TEST(FitDataOf, HoldsValidationNodesOnlyWhereTheyAreVouchedFor) {
  Task task = tiny_task(bound::Relation::Edge);
  EXPECT_TRUE(fit_data(task).public_validation.empty());
  EXPECT_EQ(fit_data(task).train.size(), tiny_split().train.size());
  task.public_validation = run::Declared::validation();
  EXPECT_EQ(fit_data(task).public_validation.size(), tiny_split().val.size());
}

TEST(Joined, HasTheTensorsOfBoth) {
  Matrix one(1, 1), two(1, 2);
  const Public<nn::State> a(nn::State{{"a", nn::to_tensor(one)}}, public_test_data());
  const Public<nn::State> b(nn::State{{"b", nn::to_tensor(two)}}, public_test_data());
  const nn::State both = joined(a, b).value();
  EXPECT_EQ(both.size(), 2u);
  EXPECT_EQ(both.at("b").shape, (std::vector<int64_t>{1, 2}));
}

TEST(PredictionsFor, AreForWhomTheRelationSays) {
  for (const bound::Relation relation : bound::all_relations()) {
    const Audience want = bound::edge_level(relation) ? Audience::Public : Audience::Owner;
    EXPECT_EQ(audience(predictions_for(Matrix(2, 2), any_release(relation, {}))), want) << bound::name(relation);
    EXPECT_EQ(audience(predictions_for(Matrix(2, 2), Release::clear(relation, {}))), Audience::Holder)
        << "nothing is promised";
  }
  Matrix rows(1, 1);
  rows(0, 0) = 7;
  EXPECT_EQ(values(predictions_for(std::move(rows), any_release(bound::Relation::Node, {})))(0, 0), 7);
}

}  // namespace
}  // namespace graphveil::method::method_test
