#include "graphveil/run/declared.h"

#include <algorithm>

#include "graphveil/run/certify.h"
#include "graphveil/run/task.h"
#include "graphveil/run/train_once.h"
#include "tests/run/small_run.h"

namespace graphveil::run::declared_test {
namespace {

// Whatever a task is vouched for stands among the assumptions of the certificate of its run.
TEST(Declared, EveryDeclarationIsAnAssumption) {
  for (const auto& [method, options] :
       {std::pair<std::string, OptionList>{"oneshot", {}}, {"privgnn", {}}, {"mlp-dp", {{"public", "val"}}}}) {
    const auto experiment = quick(method, options);
    const InputData input{tiny(), std::nullopt};
    const Parts parts = make_parts(*experiment, input, Seed::from_number(1));
    const Prepared prepared = prepare(*experiment, bound::Relation::Node, public_facts(parts, input));
    const mechanism::Release release = open_release(prepared, Seed::from_number(2));
    const method::Task task = training_task(prepared, {parts.data, parts.split, &parts}, Seed::from_number(2), release);
    const artifact::Certificate c = certify(prepared, prepared.plan, false, {});
    int64_t vouched = 0;
    const auto named = [&](const mechanism::PublicData& token) {
      ++vouched;
      EXPECT_EQ(std::ranges::count(c.assumptions, token.why()), 1) << method << ": " << token.why();
    };
    if (task.public_graph) named(task.public_graph->vouched);
    if (task.public_validation) named(*task.public_validation);
    EXPECT_EQ(vouched, 1) << method;
  }
}

TEST(Declared, WithoutADeclarationNothingIsVouchedFor) {
  const auto experiment = quick("mlp-dp");
  const Prepared prepared = prepare(*experiment, bound::Relation::Node, {1000, 750, 20, 4});
  const artifact::Certificate c = certify(prepared, prepared.plan, false, {});
  for (const std::string_view words : {kPublicValidation, kPublicGraph}) {
    EXPECT_EQ(std::ranges::count(c.assumptions, words), 0) << words;
  }
}

TEST(Declared, AGraphComesThroughAsItIs) {
  EXPECT_EQ(artifact::fingerprint(declared_public(tiny()).value()), artifact::fingerprint(tiny()));
}

}  // namespace
}  // namespace graphveil::run::declared_test
