#include "graphveil/attack/training_audit.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/method/registry.h"
#include "tests/run/small_run.h"

namespace graphveil::attack::training_audit_test {
namespace {

using bound::Relation;

AuditRow audited(const std::string& method, const run::OptionList& options, std::optional<Relation> change,
                 int64_t degree, int64_t models) {
  const std::unique_ptr<run::Experiment> experiment = run::quick(method, options);
  if (experiment->options().find("queries") != nullptr) experiment->set("queries", "5");
  const bool two = experiment->method().wants_public_graph();
  const run::InputData input{graph::generate(graph::preset("tiny", two ? 300 : 60), Seed::from_number(1)),
                             std::nullopt};
  const run::Parts parts = run::make_parts(*experiment, input, Seed::from_number(2));
  const run::Prepared prepared =
      run::prepare(*experiment, run::chosen_relation(*experiment, true), run::public_facts(parts, input));
  const Relation own = prepared.is_private() ? prepared.setting.relation : Relation::Node;
  return audit_training(prepared, parts, canary_pair(parts.data, canary_node(parts), degree, change.value_or(own)),
                        {.models = models, .seed = Seed::from_number(1)});
}

TEST(TrainingAudit, NoMethodIsRefuted) {
  for (const std::string& name : method::method_names()) {
    const AuditRow row = audited(name, {}, std::nullopt, 3, 24);
    EXPECT_FALSE(row.refuted()) << name << ": " << row.bound.low << " of " << row.claimed;
  }
}

// Without noise a canary is told at once, wherever it is read.
TEST(TrainingAudit, FindsWhatHasNoNoise) {
  EXPECT_GT(audited("mlp", {{"epochs", "40"}, {"split", "80/0/20"}}, Relation::Node, 3, 150).bound.low, 1);
  EXPECT_GT(audited("gap-inf", {}, Relation::UndirectedEdge, 3, 100).bound.low, 1);
  EXPECT_EQ(audited("mlp", {}, Relation::UndirectedEdge, 3, 30).bound.low, 0);  // reads no edge
}

TEST(TrainingAudit, FindsTooLittleNoise) {
  // A claim of 1 for noise that is worth far more.
  const std::unique_ptr<run::Experiment> experiment = run::quick("gap-edp", {{"noise-multiplier", "0.3"}});
  const run::InputData input{graph::generate(graph::preset("tiny", 60), Seed::from_number(1)), std::nullopt};
  const run::Parts parts = run::make_parts(*experiment, input, Seed::from_number(2));
  const run::Prepared prepared = run::prepare(*experiment, Relation::UndirectedEdge, run::public_facts(parts, input));
  const AuditRow row =
      audit_training(prepared, parts, canary_pair(parts.data, canary_node(parts), 3, Relation::UndirectedEdge),
                     {.models = 200, .seed = Seed::from_number(1)});
  EXPECT_GT(row.bound.low, 1);
  EXPECT_FALSE(row.refuted());  // its own claim says so
}

TEST(TrainingAudit, ClaimsAreThoseOfTheStatements) {
  const std::unique_ptr<run::Experiment> experiment = run::quick("lap", {{"protect-degree", "4"}, {"epsilon", "2"}});
  const run::InputData input{graph::generate(graph::preset("tiny", 60), Seed::from_number(1)), std::nullopt};
  const run::Parts parts = run::make_parts(*experiment, input, Seed::from_number(2));
  const run::Prepared prepared = run::prepare(*experiment, Relation::Node, run::public_facts(parts, input));
  const auto claim = [&](Relation change, int64_t degree) {
    return claimed_epsilon(prepared, canary_pair(parts.data, canary_node(parts), degree, change));
  };
  EXPECT_NEAR(claim(Relation::Node, 4), 2, 0.01);
  EXPECT_LT(claim(Relation::Node, 1), 2);
  EXPECT_GT(claim(Relation::Node, 16), 2);
  EXPECT_LT(claim(Relation::UndirectedEdge, 4), 2);
  EXPECT_TRUE(std::isinf(claim(Relation::Record, 4)));
}

}  // namespace
}  // namespace graphveil::attack::training_audit_test
