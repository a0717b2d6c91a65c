#include "graphveil/run/compare.h"

#include "graphveil/method/registry.h"
#include "tests/run/small_run.h"

namespace graphveil::run::compare_test {
namespace {

TEST(Compare, IsForMethodsThatProtectNodesAndPredictFromTheGraphInTheClear) {
  for (const auto& [name, can] : {std::pair{"dpgnn", true},
                                  {"dpar-gm", true},
                                  {"gap-ndp", false},
                                  {"gap-edp", false},
                                  {"gap-inf", false},
                                  {"dp-gpl", false}}) {
    EXPECT_EQ(can_compare(*method::make_method(name)), can) << name;
  }
  EXPECT_NO_THROW(check_comparable(*quick("dpar-gm"), true));
  EXPECT_THROW(check_comparable(*quick("dpar-gm", {{"relation", "undirected-edge"}}), true), Error);
}

TEST(Compare, TheRivalHasTheSameSettings) {
  const auto mine = quick("dpar-gm", {{"epsilon", "3"}, {"delta", "1e-4"}, {"split", "50/20/30"}, {"seed", "5"}});
  const auto rival = rival_of(*mine);
  EXPECT_EQ(rival->method().describe().name, "mlp-dp");
  EXPECT_EQ(rival->settings().epsilon, 3);
  EXPECT_EQ(rival->settings().delta, 1e-4);
  EXPECT_EQ(rival->settings().split, "50/20/30");
  EXPECT_EQ(rival->settings().seed, 5);
  EXPECT_EQ(rival->settings().propagate, 2);
}

}  // namespace
}  // namespace graphveil::run::compare_test
