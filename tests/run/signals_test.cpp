#include "graphveil/run/signals.h"

#include <gtest/gtest.h>

namespace graphveil::run::signals_test {
namespace {

using bound::Relation;

constexpr method::PublicFacts kHospital{20000, 15000, 8, 3};

std::vector<std::string> warnings(const std::string& method, const method::OptionValues& options) {
  const std::unique_ptr<Experiment> experiment = Experiment::from(method, options);
  return drowned_warnings(prepare(*experiment, Relation::Node, kHospital));
}

TEST(Signals, HaveOneWordForWarningsAdviceAndChoice) {
  for (const Signal signal : {Signal::Features, Signal::Contacts}) {
    const double least = drowned_below(signal);
    EXPECT_STREQ(signal_word(signal, 0.99 * least), "drowned");
    EXPECT_STREQ(signal_word(signal, 1.01 * least), "weak");
    EXPECT_STREQ(signal_word(signal, 3.01 * least), "clear");
  }
  EXPECT_TRUE(contacts_drowned({std::nullopt, 0.99 * drowned_below(Signal::Contacts)}));
  EXPECT_FALSE(contacts_drowned({std::nullopt, 1.01 * drowned_below(Signal::Contacts)}));
  EXPECT_FALSE(contacts_drowned({0.1, std::nullopt}));
  EXPECT_EQ(signals_text({370, 0.12}), "features 3.7e+02 (clear), contacts 0.12 (drowned)");
  EXPECT_EQ(signals_text({}), "");
}

TEST(Signals, TakeForGrantedNoMoreContactsThanHalfOfWhatIsProtected) {
  EXPECT_EQ(assumed_degree(Relation::Node, 100), kAssumedDegree);
  EXPECT_EQ(assumed_degree(Relation::Node, 6), 3);
  EXPECT_EQ(assumed_degree(Relation::Edge, 6), kAssumedDegree);
}

TEST(Signals, KnowWhatTheMethodWasTold) {
  EXPECT_EQ(declared_degree(*Experiment::from("lap", {{"mean-degree", "7.5"}})), 7.5);
  EXPECT_FALSE(declared_degree(*Experiment::from("lap", {})));
  EXPECT_FALSE(declared_degree(*Experiment::from("mlp-dp", {})));
}

// A warning wants contacts that were declared: of others nobody knows.
TEST(Signals, WarnOfContactsThatWereDeclaredAndAreLost) {
  EXPECT_EQ(warnings("lap", {{"epsilon", "2"}, {"mean-degree", "6"}}).size(), 1u);
  EXPECT_TRUE(warnings("lap", {{"epsilon", "2"}, {"mean-degree", "60"}}).empty());
  EXPECT_TRUE(warnings("lap", {{"epsilon", "2"}}).empty());
  EXPECT_TRUE(warnings("mlp-dp", {{"epsilon", "2"}}).empty());
  EXPECT_EQ(warnings("mlp-dp", {{"epsilon", "0.0001"}}).size(), 1u);
}

}  // namespace
}  // namespace graphveil::run::signals_test
