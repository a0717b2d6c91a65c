#include "graphveil/attack/game.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/method/registry.h"
#include "graphveil/run/experiment.h"

namespace graphveil::attack::game_test {
namespace {

// Every line of every method of the registry, under every relation, has a game.
TEST(Game, OfEveryLineOfEveryMethod) {
  for (const std::string& name : method::method_names()) {
    const auto method = method::make_method(name);
    for (const bound::Relation relation : method->relations()) {
      const method::Setting setting{
          .relation = relation,
          .protect_degree = 3,
          .facts = {.nodes = 40, .train_nodes = 30, .features = 5, .classes = 3, .public_pool = 10}};
      const mechanism::Plan plan = method->plan(2, setting);
      for (const mechanism::PlanLine& line : plan.lines()) {
        const mechanism::PlanLine once{mechanism::with_count(line.event, 1), line.sensitivity, line.norm, line.reads};
        const std::string what = name + ", " + std::string(bound::name(relation)) + ": " + line.event.label();
        std::vector<double> scores(16, 0);
        const std::vector<uint8_t> there(16, 1);
        ASSERT_NO_THROW(make_game(once, setting)->play(there, Seed::from_number(1), scores)) << what;
        EXPECT_GT(make_game(once, setting)->cost(), 0);
      }
    }
  }
}

}  // namespace
}  // namespace graphveil::attack::game_test
