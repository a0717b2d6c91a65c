#include "graphveil/account/event_json.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

using nlohmann::json;

TEST(EventJson, WritesTheDocumentedForm) {
  const Event event("classifier", Gaussian{1.1}, Poisson{0.01}, 1000);
  EXPECT_EQ(to_json(event).dump(), R"({"label":"classifier","mechanism":{"kind":"gaussian","noise_multiplier":1.1},)"
                                   R"("sampling":{"kind":"poisson","rate":0.01},"count":1000})");
}

TEST(EventJson, EveryKindComesBackTheSame) {
  Ledger ledger;
  for (const Mechanism& m : {Mechanism(Gaussian{0.1}), Mechanism(Laplace{1.0 / 3}), Mechanism(Exponential{2}),
                             Mechanism(RandomizedResponse{0.7, 9})}) {
    for (const Sampling& s : {Sampling(NoSampling{}), Sampling(Poisson{0.3}), Sampling(PoissonGroup{1e-5, 11, 10})}) {
      ledger.add(Event("a \"b\" \u00e9", m, s, 1000000));
    }
  }
  EXPECT_EQ(ledger_from_json(json::parse(to_json(ledger).dump())), ledger);
}

TEST(EventJson, LabelAndClassesMayBeLeftOut) {
  const Event event = event_from_json(json::parse(
      R"({"mechanism": {"kind": "randomized-response", "log_odds": 1}, "sampling": {"kind": "none"}, "count": 2.0})"));
  EXPECT_EQ(event, Event("", RandomizedResponse{1, 2}, NoSampling{}, 2));
}

TEST(EventJson, RefusesWithLineAndField) {
  const std::string good = R"({"mechanism": {"kind": "gaussian", "noise_multiplier": 1},
                              "sampling": {"kind": "none"}, "count": 1})";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"7", "event 1: wanted an object"},
      {R"({"sampling": {"kind": "none"}, "count": 1})", "event 1: missing field \"mechanism\""},
      {R"({"mechanism": {"kind": "gaussian", "noise_multiplier": 1}, "count": 1})",
       "event 1: missing field \"sampling\""},
      {R"({"mechanism": {"kind": "gaussian", "noise_multiplier": 1}, "sampling": {"kind": "none"}})",
       "event 1: missing field \"count\""},
      {R"({"mechanism": {"kind": "gausian", "noise_multiplier": 1}, "sampling": {"kind": "none"}, "count": 1})",
       "event 1: mechanism: unknown kind \"gausian\""},
      {R"({"mechanism": {"kind": "gaussian", "noise": 1}, "sampling": {"kind": "none"}, "count": 1})",
       "event 1: mechanism: unknown field \"noise\""},
      {R"({"mechanism": {"kind": "gaussian"}, "sampling": {"kind": "none"}, "count": 1})",
       "event 1: mechanism: missing field \"noise_multiplier\""},
      {R"({"mechanism": {"kind": "gaussian", "noise_multiplier": "1"}, "sampling": {"kind": "none"}, "count": 1})",
       "event 1: mechanism: field \"noise_multiplier\": wanted a number"},
      {R"({"mechanism": {"kind": "gaussian", "noise_multiplier": -1}, "sampling": {"kind": "none"}, "count": 1})",
       "noise_multiplier is -1"},
      {R"({"mechanism": {"kind": "gaussian", "noise_multiplier": 1}, "sampling": {"kind": "poison"}, "count": 1})",
       "event 1: sampling: unknown kind \"poison\""},
      {R"({"mechanism": {"kind": "gaussian", "noise_multiplier": 1}, "sampling": {"kind": "none", "rate": 1}, "count": 1})",
       "event 1: sampling: unknown field \"rate\""},
      {R"({"mechanism": {"kind": "gaussian", "noise_multiplier": 1}, "sampling": {"kind": "none"}, "count": 1.5})",
       "event 1: field \"count\": wanted an integer"},
      {R"({"mechanism": {"kind": "gaussian", "noise_multiplier": 1}, "sampling": {"kind": "none"}, "count": 18446744073709551615})",
       "event 1: field \"count\""},
      {R"({"label": 3, "mechanism": {"kind": "gaussian", "noise_multiplier": 1}, "sampling": {"kind": "none"}, "count": 1})",
       "event 1: field \"label\": wanted a string"},
      {R"({"mechanism": {"kind": "gaussian", "noise_multiplier": 1}, "sampling": {"kind": "none"}, "count": 1, "steps": 1})",
       "event 1: unknown field \"steps\""},
  };
  for (const auto& [line, message] : cases) {
    try {
      ledger_from_json(json::parse("[" + good + "," + line + "]"));
      ADD_FAILURE() << "accepted " << line;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what() << "\nwanted " << message;
    }
  }
  EXPECT_THROW(ledger_from_json(json::parse("{}")), Error);
}

TEST(EventJson, AccountFileIsAListOrAnObject) {
  const std::string list =
      R"([{"mechanism": {"kind": "laplace", "noise_multiplier": 2}, "sampling": {"kind": "none"}, "count": 3}])";
  const Ledger expected{Event("", Laplace{2}, NoSampling{}, 3)};
  EXPECT_EQ(account_file_from_json(json::parse(list)).ledger, expected);
  EXPECT_FALSE(account_file_from_json(json::parse(list)).delta);
  const AccountFile file = account_file_from_json(json::parse("{\"events\": " + list + ", \"delta\": 1e-5}"));
  EXPECT_EQ(file.ledger, expected);
  EXPECT_EQ(file.delta, 1e-5);
  EXPECT_THROW(account_file_from_json(json::parse("{\"events\": " + list + ", \"delta\": 2}")), Error);
  EXPECT_THROW(account_file_from_json(json::parse("{\"events\": " + list + ", \"dleta\": 1e-5}")), Error);
  EXPECT_THROW(account_file_from_json(json::parse("{\"delta\": 1e-5}")), Error);
}

}  // namespace
}  // namespace graphveil::account
