#include "graphveil/base/student_t.h"

#include <gtest/gtest.h>
#include <boost/math/distributions/students_t.hpp>

#include "graphveil/base/error.h"

namespace graphveil::student_t_test {
namespace {

TEST(StudentT, AgreesWithBoost) {
  for (const int64_t freedom : {1, 2, 3, 4, 5, 9, 10, 29, 30, 99, 1000, 10001}) {
    const boost::math::students_t reference(static_cast<double>(freedom));
    for (const double level : {0.1, 0.5, 0.9, 0.95, 0.999}) {
      const double t = boost::math::quantile(reference, 0.5 + level / 2);
      EXPECT_NEAR(student_t_within(t, freedom), level, 1e-11) << freedom << " " << level;
      EXPECT_NEAR(student_t_quantile(level, freedom) / t, 1, 1e-9) << freedom << " " << level;
    }
  }
}

TEST(StudentT, RefusesWhatHasNoAnswer) {
  EXPECT_THROW(student_t_within(1, 0), Error);
  EXPECT_THROW(student_t_quantile(1, 3), Error);
  EXPECT_THROW(student_t_quantile(0, 3), Error);
}

}  // namespace
}  // namespace graphveil::student_t_test
