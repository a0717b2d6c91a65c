#include "graphveil/method/pate/pate.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/method/privgnn/public_task.h"

namespace graphveil::method::pate_test {
namespace {

Pate ridge(std::vector<std::pair<std::string, std::string>> values = {}) {
  values.insert(values.begin(), {"teacher", "ridge"});
  return with(Pate(TeacherKind::Mlp), values);
}

TEST(Pate, IsOneGaussianOfTheVotesOfAllQueries) {
  const Plan plan = ridge().plan(2, setting_of_parts());
  ASSERT_EQ(plan.lines().size(), 1u);
  EXPECT_EQ(plan.lines()[0].event.mechanism(), account::Mechanism(account::Gaussian{2}));
  EXPECT_DOUBLE_EQ(plan.lines()[0].sensitivity(), std::sqrt(600.0));
}

TEST(Pate, OneRecordMovesOneVoteInEachQuery) {
  const graph::Dataset present = dense(parts().private_data);
  for (const Pate& method :
       {ridge(), ridge({{"teachers", "400"}}),
        with(Pate(TeacherKind::Sage), {{"teacher-epochs", "5"}, {"teacher-hidden-dim", "8"}, {"teachers", "20"}})}) {
    Seen before;
    run(method, present, 1, &before);
    for (const int32_t w : {0, 99}) {
      Seen after;
      run(method, without(present, w), 1, &after);
      const std::vector<double>&a = before.releases.at(0), &b = after.releases.at(0);
      const size_t classes = a.size() / 300;
      for (size_t q = 0; q < 300; ++q) {
        double squares = 0;
        for (size_t c = 0; c < classes; ++c) squares += std::pow(a[q * classes + c] - b[q * classes + c], 2);
        EXPECT_LE(squares, 2);
      }
    }
  }
}

TEST(Pate, TeachesPublicNodes) {
  for (const char* targets : {"histogram", "argmax"}) {
    const double little =
        test_accuracy(values(run(ridge({{"targets", targets}}), parts().private_data, 0.01).predictions));
    const double much =
        test_accuracy(values(run(ridge({{"targets", targets}}), parts().private_data, 1000).predictions));
    EXPECT_GT(little, 0.55);
    EXPECT_GT(little, much + 0.2);
  }
}

// Every noise can be asked for, is what the plan says, and teaches.
TEST(Pate, OtherNoisesOnVotes) {
  const auto plan = [](const char* noise) {
    return ridge({{"noise", noise}}).plan(2, setting_of_parts()).lines().at(0);
  };
  EXPECT_EQ(plan("discrete-laplace").event.mechanism(), account::Mechanism(account::DiscreteLaplace{2}));
  EXPECT_DOUBLE_EQ(plan("discrete-laplace").sensitivity(), 600);
  EXPECT_EQ(plan("rr").event.mechanism(),
            account::Mechanism(account::RandomizedResponse{0.5, parts().private_data.classes}));
  EXPECT_EQ(plan("rr").event.count(), 300);
  EXPECT_GT(
      test_accuracy(values(
          run(ridge({{"noise", "discrete-laplace"}, {"teachers", "20"}}), parts().private_data, 0.001).predictions)),
      0.55);
  EXPECT_GT(
      test_accuracy(values(run(ridge({{"noise", "rr"}, {"teachers", "20"}}), parts().private_data, 0.1).predictions)),
      0.55);
}

}  // namespace
}  // namespace graphveil::method::pate_test
