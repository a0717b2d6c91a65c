#include "graphveil/report/book_section.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "graphveil/bound/class_sums.h"
#include "graphveil/run/book.h"
#include "tests/files/builders.h"
#include "tests/run/small_run.h"

namespace graphveil::report::book_section_test {
namespace {

run::Covered sum_of(double multiplier) {
  mechanism::Plan plan;
  plan.add({account::Event("sum", account::Gaussian{multiplier}), bound::class_sums_bound(2)});
  return {.ledger = plan.ledger(), .plan = plan};
}

TEST(BookSection, TotalsComposeAndReservedIsApart) {
  const files::TemporaryFolder folder;
  const artifact::Fingerprint people{"e", "f", "l", ""};
  const std::string path = folder.path("b.gvb");
  run::BudgetBook book =
      run::BudgetBook::create(path, "<b>Cora", {bound::Relation::Node, 100, run::millionths_down(8), 1e-5}, people);
  const run::Booked first = book.reserve("train a", sum_of(2), people);
  book.draw(first);
  book.spend(first, "digest");
  book.reserve("train b", sum_of(3), people);
  const nlohmann::ordered_json section = book_section(path);
  EXPECT_EQ(section["name"], "<b>Cora");
  EXPECT_EQ(section["cap"], 8);
  EXPECT_EQ(section["degree"], 100);
  const double one = run::gaussian_epsilon(0.5, 1e-5), both = run::gaussian_epsilon(std::sqrt(1.0 / 4 + 1.0 / 9), 1e-5);
  EXPECT_NEAR(section["spent"].get<double>(), one, 0.01);
  EXPECT_NEAR(section["all"].get<double>(), both, 0.01);
  EXPECT_NEAR(section["left"].get<double>(), 8 - both, 0.01);
  ASSERT_EQ(section["releases"].size(), 2u);
  EXPECT_EQ(section["releases"][0]["stage"], "spent");
  EXPECT_EQ(section["releases"][1]["stage"], "reserved");
  EXPECT_NEAR(section["releases"][0]["total"].get<double>(), one, 0.01);
  EXPECT_NEAR(section["releases"][1]["total"].get<double>(), both, 0.01);
  EXPECT_NEAR(section["releases"][1]["epsilon"].get<double>(), run::gaussian_epsilon(1.0 / 3, 1e-5), 0.01);
}

TEST(BookSection, RefusesWhatIsNoBook) {
  const files::TemporaryFolder folder;
  EXPECT_THROW(book_section(folder.write("b.gvb", "SQLite format 3 it is not")), Error);
}

}  // namespace
}  // namespace graphveil::report::book_section_test
