#include "graphveil/run/predictions_csv.h"

#include <gtest/gtest.h>

namespace graphveil::run {
namespace {

TEST(PredictionsCsv, OneRowPerNode) {
  Matrix p(2, 2);
  p(0, 0) = 0.25f;
  p(0, 1) = 0.75f;
  p(1, 0) = 1;
  EXPECT_EQ(predictions_csv(p), "id,prediction,p0,p1\n0,1,0.25,0.75\n1,0,1,0\n");
  const std::vector<int32_t> ids{5, 40};
  EXPECT_EQ(predictions_csv(p, ids), "id,prediction,p0,p1\n5,1,0.25,0.75\n40,0,1,0\n");
}

}  // namespace
}  // namespace graphveil::run
