#include "graphveil/mechanism/plan.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "tests/mechanism/access.h"

namespace graphveil::mechanism::plan_test {
namespace {

using account::Event;
using bound::TestVoucher;

PlanLine line(const std::string& label, double sensitivity = 1) {
  return {Event(label, account::Gaussian{2}), TestVoucher::bound(sensitivity)};
}

TEST(Plan, FindsItsLinesByLabel) {
  const Plan plan{line("one", 3), line("two", 4)};
  EXPECT_EQ(plan.line("two").sensitivity(), 4);
  EXPECT_EQ(plan.index("one"), 0u);
  try {
    plan.line("three");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Internal) << "a run asked for what was not planned";
  }
}

TEST(Plan, LabelsAreUnique) {
  EXPECT_THROW((Plan{line("one"), line("one")}), Error);
  Plan plan{line("one")};
  EXPECT_THROW(plan.add(line("one")), Error);
  EXPECT_THROW(plan.add(Plan{line("two"), line("one")}), Error);
}

TEST(Plan, SensitivitiesBoundSomething) {
  for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(Plan{line("one", bad)}, Error) << bad;
  }
}

TEST(Plan, JoinsOthersInOrder) {
  Plan plan{line("one")};
  plan.add(Plan{line("two"), line("three")});
  ASSERT_EQ(plan.lines().size(), 3u);
  EXPECT_EQ(plan.lines()[2].event.label(), "three");
  EXPECT_EQ(plan, (Plan{line("one"), line("two"), line("three")}));
  EXPECT_FALSE(plan == Plan{line("one")});
  EXPECT_TRUE(Plan().empty());
}

TEST(Plan, AnEventCanBeCountedUnderAnotherName) {
  const account::Event event("sums", account::Gaussian{2}, account::Poisson{0.5}, 3);
  EXPECT_EQ(with_count(event, 6), account::Event("sums", account::Gaussian{2}, account::Poisson{0.5}, 6));
  EXPECT_EQ(with_count(event, 12, "later sums"),
            account::Event("later sums", account::Gaussian{2}, account::Poisson{0.5}, 12));
}

TEST(Plan, CostsWhatItsLedgerCosts) {
  const Plan plan{line("one", 5), line("two", 0.1)};
  EXPECT_EQ(plan.ledger(), (account::Ledger{Event("one", account::Gaussian{2}), Event("two", account::Gaussian{2})}));
}

TEST(Plan, NoiseIsInTheUnitsOfTheValue) {
  EXPECT_EQ(noise_scale({Event("a", account::Gaussian{2}), TestVoucher::bound(3)}), 6);
  EXPECT_EQ(noise_scale({Event("a", account::DiscreteLaplace{2}), TestVoucher::bound(3, bound::Norm::L1)}), 6);
  EXPECT_EQ(noise_scale({Event("a", account::Exponential{0.5}), TestVoucher::bound(3, bound::Norm::LInf)}), 12)
      << "2 amount / range";
  EXPECT_EQ(noise_scale({Event("a", account::Exponential{0}), TestVoucher::bound(3, bound::Norm::LInf)}), 0);
  EXPECT_EQ(noise_scale({Event("a", account::RandomizedResponse{1.5, 4}), TestVoucher::bound(1, bound::Norm::Hamming)}),
            1.5);
  EXPECT_EQ(noise_scale({Event("a", account::Gaussian{0}), TestVoucher::bound(3)}), 0);
}

// Two lines that cost the same are not the same line where they release something else.
TEST(Plan, LinesOfOtherSourcesDiffer) {
  const auto with = [](bound::Source source) {
    return PlanLine{Event("one", account::Gaussian{2}), TestVoucher::bound(1, bound::Norm::L2, std::move(source))};
  };
  EXPECT_EQ(Plan{with(bound::source::Votes{3})}, Plan{with(bound::source::Votes{3})});
  EXPECT_FALSE(Plan{with(bound::source::Votes{3})} == Plan{with(bound::source::Votes{4})});
  EXPECT_FALSE(Plan{with(bound::source::ClassSums{3})} == Plan{with(bound::source::Score{})});
}

}  // namespace
}  // namespace graphveil::mechanism::plan_test
