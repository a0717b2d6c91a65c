#include "graphveil/run/certificate.h"

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/base/error.h"
#include "graphveil/base/version.h"

namespace graphveil::run {
namespace {

Certificate example() {
  Certificate c;
  c.method = "gap-ndp";
  c.relation = bound::Relation::Node;
  c.covers = Covers::ParametersAndPredictions;
  c.delta = 1e-5;
  c.lines = {{account::Event("encoder", account::Gaussian{1.1}, account::Poisson{0.02}, 500), 1, bound::Norm::L2, 1.1},
             {account::Event("aggregation", account::Gaussian{1.5}, {}, 2), 10, bound::Norm::L2, 15}};
  c.assumptions = {"the validation nodes are public"};
  c.model_sha256 = "00";
  price(c);
  return c;
}

TEST(Certificate, PriceComesFromTheLines) {
  const Certificate c = example();
  EXPECT_EQ(c.version, version());
  ASSERT_TRUE(c.epsilon.has_value());
  EXPECT_DOUBLE_EQ(*c.epsilon, account::spent_epsilon(c.ledger(), 1e-5));
  EXPECT_TRUE(c.valid());
  for (const EpsilonAt& at : c.epsilon_at) {
    EXPECT_DOUBLE_EQ(*at.epsilon, account::spent_epsilon(c.ledger(), at.delta)) << at.delta;
  }
}

TEST(Certificate, SurvivesJson) {
  const Certificate c = example();
  const nlohmann::json parsed = nlohmann::json::parse(to_json(c).dump(2));
  EXPECT_EQ(certificate_from_json(parsed, "c.json"), c);
  EXPECT_TRUE(digest_fits(parsed));
}

TEST(Certificate, AnyEditBreaksTheDigest) {
  const nlohmann::json parsed = nlohmann::json::parse(to_json(example()).dump());
  for (auto it = parsed.begin(); it != parsed.end(); ++it) {
    nlohmann::json edited = parsed;
    edited[it.key()] = "edited";
    EXPECT_FALSE(digest_fits(edited)) << it.key();
    edited = parsed;
    edited.erase(it.key());
    EXPECT_FALSE(digest_fits(edited)) << it.key();
  }
}

TEST(Certificate, NoNoiseMeansNoFiniteEpsilonAndNotValid) {
  Certificate c;
  c.method = "leaky";
  c.delta = 1e-5;
  c.lines = {{account::Event("sum", account::Gaussian{0.0}), 1, bound::Norm::L2, 0}};
  price(c);
  EXPECT_FALSE(c.epsilon.has_value());
  EXPECT_FALSE(c.valid());
  EXPECT_TRUE(to_json(c)["epsilon"].is_null());
  EXPECT_NE(in_words(c).find("no differential-privacy guarantee"), std::string::npos);
}

TEST(Certificate, PublishedAccountingIsNeverValid) {
  Certificate c = example();
  c.accounting = Accounting::Published;
  EXPECT_FALSE(c.valid());
  EXPECT_FALSE(to_json(c)["valid"].get<bool>());
}

TEST(Certificate, NothingReleasedCostsNothing) {
  Certificate c;
  c.method = "mlp";
  c.relation = bound::Relation::Edge;
  c.delta = 1e-7;
  price(c);
  EXPECT_EQ(c.epsilon, 0);
  EXPECT_TRUE(c.valid());
}

TEST(Certificate, AKnownSeedIsAnAssumption) {
  Certificate c = example();
  const size_t before = c.assumptions.size();
  c.reproducible_seed = true;
  price(c);
  ASSERT_EQ(c.assumptions.size(), before + 1);
  EXPECT_NE(c.assumptions.back().find("seed"), std::string::npos);
}

TEST(Certificate, WordsSayWhatIsCovered) {
  Certificate c = example();
  EXPECT_NE(in_words(c).find("own record"), std::string::npos);
  EXPECT_NE(in_words(c).find("Assumed: the validation nodes are public."), std::string::npos);
  c.covers = Covers::Parameters;
  EXPECT_NE(in_words(c).find("not covered"), std::string::npos);
}

TEST(Certificate, WordsOfAnInvalidOneClaimNothing) {
  Certificate c = example();
  EXPECT_NE(in_words(c).find("-differentially private"), std::string::npos);
  c.accounting = Accounting::Published;
  c.published_epsilon = 3.25;
  c.reasons = {"the sky is green"};
  const std::string words = in_words(c);
  EXPECT_EQ(words.find("-differentially private"), std::string::npos);
  for (const char* part : {"NOT VALID", "3.25", "the sky is green"}) {
    EXPECT_NE(words.find(part), std::string::npos) << part;
  }
}

TEST(Certificate, BrokenDocumentsAreBadInput) {
  const nlohmann::json good = nlohmann::json::parse(to_json(example()).dump());
  for (auto it = good.begin(); it != good.end(); ++it) {
    if (it.key() == "digest" || it.key() == "program" || it.key() == "valid" || it.key() == "neighbors") continue;
    for (const nlohmann::json& junk : {nlohmann::json({{"x", 1}}), nlohmann::json("junk"), nlohmann::json({1, 2})}) {
      if (junk.type() == it.value().type() && it.value().is_string() && it.key() != "relation" &&
          it.key() != "covers" && it.key() != "accounting" && it.key() != "seed" && it.key() != "format") {
        continue;  // any text is a method name
      }
      nlohmann::json bad = good;
      bad[it.key()] = junk;
      try {
        certificate_from_json(bad, "c.json");
        ADD_FAILURE() << it.key() << " = " << junk;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::BadInput) << it.key();
        EXPECT_NE(std::string(error.what()).find("c.json"), std::string::npos) << error.what();
      }
    }
    nlohmann::json missing = good;
    missing.erase(it.key());
    EXPECT_THROW(certificate_from_json(missing, "c.json"), Error) << it.key();
  }
}

}  // namespace
}  // namespace graphveil::run
