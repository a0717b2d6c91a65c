#include "graphveil/account/event_json.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"

namespace graphveil::account::event_json_test {
namespace {

using nlohmann::json;

TEST(EventJson, WritesTheDocumentedForm) {
  const Event event("classifier", Gaussian{1.1}, Poisson{0.01}, 1000);
  EXPECT_EQ(to_json(event).dump(), R"({"label":"classifier","mechanism":{"kind":"gaussian","noise_multiplier":1.1},)"
                                   R"("sampling":{"kind":"poisson","rate":0.01},"count":1000})");
}

TEST(EventJson, SearchesComeBackTheSame) {
  const auto trial =
      std::make_shared<const Event>("trial", Composed{{Event("a", Gaussian{2}), Event("b", Laplace{3})}});
  for (const Trials& trials : {Trials(NegativeBinomial{-0.5, 0.01}), Trials(PositivePoisson{4.97})}) {
    const Event event("search", Tuned{trials, trial}, 2);
    EXPECT_EQ(event_from_json(json::parse(to_json(event).dump())), event);
    EXPECT_EQ(trials_from_json(json::parse(to_json(trials).dump()), "x"), trials);
  }
  const std::string inner = R"("event": {"mechanism": {"kind": "gaussian", "noise_multiplier": 1}})";
  for (const char* bad :
       {R"({})", R"({"kind": "zipf", "rate": 1})", R"({"kind": "positive-poisson"})",
        R"({"kind": "positive-poisson", "rate": 0})", R"({"kind": "positive-poisson", "rate": 3, "stop": 1})",
        R"({"kind": "negative-binomial", "shape": -1, "stop": 0.5})", R"([])"}) {
    const std::string text = std::string(R"({"tuned": {"trials": )") + bad + ", " + inner + "}}";
    EXPECT_THROW(event_from_json(json::parse(text)), Error) << text;
  }
  EXPECT_THROW(event_from_json(json::parse(R"({"tuned": {"trials": {"kind": "positive-poisson", "rate": 3}}})")),
               Error);
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

TEST(EventJson, NestsComeBackAsTheyWent) {
  const auto line = nlohmann::json::parse(R"({"label": "queries", "count": 1000, "sampled": {"rate": 0.3, "event":
      {"composed": [{"mechanism": {"kind": "randomized-response", "log_odds": 2, "classes": 10}},
                    {"mechanism": {"kind": "discrete-laplace", "noise_multiplier": 4}, "count": 2},
                    {"mechanism": {"kind": "discrete-gaussian", "noise_multiplier": 3},
                     "sampling": {"kind": "poisson", "rate": 0.5}}]}}})");
  const Event event = event_from_json(line);
  EXPECT_STREQ(kind(event.body()), "sampled");
  EXPECT_EQ(event.count(), 1000);
  EXPECT_EQ(event.depth(), 3);
  EXPECT_EQ(event.size(), 5);
  EXPECT_EQ(event_from_json(nlohmann::json::parse(to_json(event).dump())), event);
}

TEST(EventJson, BadNestsAreNamed) {
  const auto refused = [](const char* text) {
    try {
      event_from_json(nlohmann::json::parse(text), 3);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refused(R"({"sampled": {"rate": 2, "event": {"composed": []}}})").find("event 3: event \"\": rate is 2"),
            std::string::npos);
  EXPECT_NE(refused(R"({"sampled": {"rate": 0.5}})").find("missing field \"event\""), std::string::npos);
  EXPECT_NE(refused(R"({"composed": [{"mechanism": {"kind": "magic"}}]})").find("event 3: composed 0: mechanism"),
            std::string::npos);
  EXPECT_NE(refused(R"({"composed": [], "mechanism": {"kind": "laplace"}})").find("unknown field"), std::string::npos);
  std::string deep = R"({"mechanism": {"kind": "laplace", "noise_multiplier": 1}})";
  for (int i = 0; i < kDeepestNesting; ++i) deep = R"({"sampled": {"rate": 0.5, "event": )" + deep + "}}";
  EXPECT_NE(refused(deep.c_str()).find("deep"), std::string::npos);
}

TEST(EventJson, CertificatesAreAccountFiles) {
  const char* line =
      R"({"mechanism": {"kind": "gaussian", "noise_multiplier": 2}, "sampling": {"kind": "none"}, "count": 1})";
  const std::string certificate =
      fmt::format(R"({{"format": "x", "epsilon": 1, "delta": 1e-5, "events": [{}], "method": "gap"}})", line);
  const AccountFile file = account_file_from_json(nlohmann::json::parse(certificate));
  EXPECT_EQ(file.ledger.events().size(), 1u);
  EXPECT_EQ(file.delta, 1e-5);
  const std::string plain = fmt::format(R"({{"delta": 1e-5, "events": [{}]}})", line);
  const AccountFile both = account_file_from_json(nlohmann::json::parse("[" + plain + "," + plain + "]"));
  EXPECT_EQ(both.ledger.events().size(), 2u);
  EXPECT_EQ(both.delta, 1e-5);
}

TEST(EventJson, OnlyACertificateHasOtherFields) {
  const std::string line =
      R"({"mechanism": {"kind": "gaussian", "noise_multiplier": 2}, "sampling": {"kind": "none"}, "count": 1)";
  for (const std::string& text : {
           R"({"epsilon": 1, "events": [)" + line + "}]}",
           R"({"epsilon": 1, "lines": [)" + line + "}]}",
           R"({"format": "x", "events": [)" + line + R"(, "cuont": 9}]})",
           R"({"events": [)" + line + R"(, "cuont": 9}], "epsilon": 1})",
           R"([{"events": [)" + line + R"(}], "epsilon": 1}])",
           R"([{"format": "x", "events": [)" + line + "}]}]",
       }) {
    try {
      account_file_from_json(json::parse(text));
      ADD_FAILURE() << "accepted " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput) << text;
    }
  }
}

}  // namespace
}  // namespace graphveil::account::event_json_test
