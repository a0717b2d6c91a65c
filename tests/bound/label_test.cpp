#include "graphveil/bound/label.h"

#include <limits>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::bound::label_test {
namespace {

TEST(TeacherLabel, OneRecordMayChangeItToAnyOther) {
  const Bounded<int32_t> label = teacher_label(2, 5, Relation::Node, account::Poisson{0.25});
  EXPECT_EQ(label.sensitivity().amount, 1);
  EXPECT_EQ(label.sensitivity().norm, Norm::Hamming);
  EXPECT_EQ(label.sensitivity().sampling, account::Sampling(account::Poisson{0.25}));
  EXPECT_THROW(teacher_label(5, 5, Relation::Node), Error);
  EXPECT_THROW(teacher_label(-1, 5, Relation::Node), Error);
}

TEST(TeacherPosterior, MustBeProbabilities) {
  EXPECT_EQ(teacher_posterior({0.5, 0.5}, Relation::Record).sensitivity().relation, Relation::Record);
  EXPECT_NO_THROW(teacher_posterior({0.2, 0.3}, Relation::Node));  // less than 1 in all: the rest is nobody's
  EXPECT_THROW(teacher_posterior({1.0}, Relation::Node), Error);
  EXPECT_THROW(teacher_posterior({0.7, 0.7}, Relation::Node), Error);
  EXPECT_THROW(teacher_posterior({-0.1, 0.5}, Relation::Node), Error);
  EXPECT_THROW(teacher_posterior({std::numeric_limits<double>::quiet_NaN(), 0.5}, Relation::Node), Error);
}

}  // namespace
}  // namespace graphveil::bound::label_test
