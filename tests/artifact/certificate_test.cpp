#include "graphveil/artifact/certificate.h"

#include <functional>

#include <nlohmann/json.hpp>

#include "tests/run/small_run.h"

namespace graphveil::artifact::certificate_test {
namespace {

Certificate example() {
  const auto experiment = run::quick("gap-ndp", {{"batch-size", "20"}});
  const run::Prepared prepared = run::prepare(*experiment, bound::Relation::Node, {1000, 750, 20, 4});
  Certificate c =
      run::certify(prepared, prepared.plan, false, {{"which nodes have an edge"}, "00", {"yes", "no"}, {"age"}});
  c.created = "2026-01-01T00:00:00Z";
  c.model_sha256 = "00";
  return c;
}

nlohmann::json parsed(const Certificate& c) { return nlohmann::json::parse(to_json(c).dump(2)); }

TEST(CertificateJson, ComesBackAsItWas) {
  const Certificate c = example(), back = certificate_from_json(parsed(c), "c.json");
  EXPECT_EQ(parsed(back), parsed(c));
  EXPECT_EQ(back.plan, c.plan);
  EXPECT_EQ(back.statements, c.statements);
  EXPECT_EQ(back.epsilon_at, c.epsilon_at);
  EXPECT_EQ(back.found_in_data, c.found_in_data);
  EXPECT_EQ(back.facts, c.facts);
  EXPECT_TRUE(digest_fits(parsed(c)));
}

TEST(CertificateJson, TheLargestProtectedDegreeComesBack) {
  const auto experiment = run::quick("lap", {{"protect-degree", "2147483647"}});
  const run::Prepared prepared = run::prepare(*experiment, bound::Relation::Node, {1000, 750, 20, 4});
  const Certificate c = run::certify(prepared, prepared.plan, false, {});
  EXPECT_EQ(certificate_from_json(parsed(c), "c.json").statements, c.statements);
}

TEST(CertificateJson, NoFiniteEpsilonIsNull) {
  Certificate c = example();
  c.epsilon.reset();
  EXPECT_TRUE(to_json(c)["epsilon"].is_null());
  EXPECT_FALSE(to_json(c)["valid"].get<bool>());
}

TEST(CertificateJson, AnyEditBreaksTheDigest) {
  const nlohmann::json good = parsed(example());
  for (const auto& [name, value] : good.items()) {
    nlohmann::json edited = good;
    edited[name] = "edited";
    EXPECT_FALSE(digest_fits(edited)) << name;
    edited = good;
    edited.erase(name);
    EXPECT_FALSE(digest_fits(edited)) << name;
  }
}

TEST(CertificateJson, BrokenDocumentsAreBadInput) {
  const nlohmann::json good = parsed(example());
  // Read by nobody but people, or made anew by verify.
  const std::set<std::string> unread = {"digest", "program", "valid", "releasable", "neighbors", "events"};
  const std::set<std::string> names = {"relation", "accounting", "seed", "format"};  // not any text will do
  for (const auto& [name, value] : good.items()) {
    if (unread.count(name) != 0) continue;
    for (const nlohmann::json& junk : {nlohmann::json({{"x", 1}}), nlohmann::json("junk"), nlohmann::json({1, 2}),
                                       nlohmann::json(-1.5), nlohmann::json(true)}) {
      if (value.is_string() && junk.is_string() && names.count(name) == 0) continue;  // any text is a method name
      if (value.is_number() && junk.is_number() && name != "protect_degree") continue;
      if (name == "published_epsilon" && junk.is_number()) continue;
      nlohmann::json bad = good;
      bad[name] = junk;
      try {
        certificate_from_json(bad, "c.json");
        ADD_FAILURE() << name << " = " << junk;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::BadInput) << name;
        EXPECT_NE(std::string(error.what()).find("c.json"), std::string::npos) << error.what();
      }
    }
    nlohmann::json missing = good;
    missing.erase(name);
    EXPECT_THROW(certificate_from_json(missing, "c.json"), Error) << name;
  }
  const std::vector<std::function<void(nlohmann::json&)>> inside = {
      [](auto& d) { d["lines"][0]["norm"] = "L7"; },
      [](auto& d) { d["lines"][0]["reads"] = "minds"; },
      [](auto& d) { d["lines"][0].erase("releases"); },
      [](auto& d) { d["lines"][0]["releases"] = "neighbor-sum"; },
      [](auto& d) { d["lines"][0]["releases"]["kind"] = "secrets"; },
      [](auto& d) { d["lines"][0]["releases"]["also"] = 1; },
      [](auto& d) { d["lines"][0]["sensitivity"] = -1; },
      [](auto& d) { d["lines"][0]["event"] = 3; },
      [](auto& d) { d["lines"][1] = d["lines"][0]; },
      [](auto& d) { d["statements"][0]["audience"] = "anybody"; },
      [](auto& d) { d["statements"][0]["relation"] = "nodes"; },
      [](auto& d) { d["statements"][0]["degree"] = -3; },
      [](auto& d) { d["public"]["classes"] = 1e12; },
      [](auto& d) { d["config"][0] = "epsilon = 1"; },
  };
  for (size_t i = 0; i < inside.size(); ++i) {
    nlohmann::json bad = good;
    inside[i](bad);
    try {
      certificate_from_json(bad, "c.json");
      ADD_FAILURE() << "edit " << i;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput) << i;
    }
  }
}

}  // namespace
}  // namespace graphveil::artifact::certificate_test
