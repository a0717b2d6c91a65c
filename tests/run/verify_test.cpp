#include "graphveil/run/verify.h"

#include <gtest/gtest.h>

#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"

namespace graphveil::run {
namespace {

const std::vector<uint8_t> kModel = {1, 2, 3, 4};

nlohmann::json good() {
  Certificate c;
  c.method = "gap-edp";
  c.relation = bound::Relation::UndirectedEdge;
  c.covers = Covers::ParametersAndPredictions;
  c.delta = 1e-7;
  c.lines = {{account::Event("aggregation", account::Gaussian{1.8354}, {}, 2), 1.5, bound::Norm::L2, 1.8354 * 1.5}};
  c.model_sha256 = sha256_hex(kModel);
  price(c);
  return nlohmann::json::parse(to_json(c).dump(2));
}

// Gives an edited document the digest it would have, as a forger would.
nlohmann::json resealed(nlohmann::json document) {
  document.erase("digest");
  const std::string text = document.dump();
  document["digest"] = sha256_hex({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  return document;
}

TEST(Verify, AcceptsWhatWasWritten) {
  const Verdict verdict = verify(good(), kModel, "c.json");
  EXPECT_TRUE(verdict.holds()) << fmt::format("{}", fmt::join(verdict.reasons, "; "));
  EXPECT_NEAR(*verdict.epsilon, 4.0, 0.01);
}

TEST(Verify, RejectsEveryEditEvenResealed) {
  const std::vector<std::function<void(nlohmann::json&)>> edits = {
      [](auto& d) { d["lines"][0]["event"]["mechanism"]["noise_multiplier"] = 1.5; },
      [](auto& d) { d["lines"][0]["event"]["mechanism"]["noise_multiplier"] = 5.0; },
      [](auto& d) { d["lines"][0]["sensitivity"] = 1.0; },
      [](auto& d) { d["lines"][0]["noise_scale"] = 10.0; },
      [](auto& d) { d["lines"][0]["event"]["count"] = 3; },
      [](auto& d) { d["version"] = "0.0.1"; },
      [](auto& d) { d["epsilon"] = 1.0; },
      [](auto& d) { d["epsilon_at"][0]["epsilon"] = 0.1; },
      [](auto& d) { d["delta"] = 1e-9; },
      [](auto& d) { d["model_sha256"] = std::string(64, '0'); },
      [](auto& d) { d["accounting"] = "published"; },
      [](auto& d) { d["valid"] = false; },
      [](auto& d) { d["reasons"] = {"because"}; },
  };
  for (size_t i = 0; i < edits.size(); ++i) {
    nlohmann::json document = good();
    edits[i](document);
    EXPECT_FALSE(verify(document, kModel, "c.json").holds()) << "edit " << i;
    EXPECT_FALSE(verify(resealed(document), kModel, "c.json").holds()) << "resealed edit " << i;
  }
}

TEST(Verify, EditsThatLeaveTheNumbersAloneBreakTheSeal) {
  nlohmann::json document = good();
  document["covers"] = "parameters";
  EXPECT_FALSE(verify(document, kModel, "c.json").holds());
}

TEST(Verify, RejectsAnotherModel) {
  const std::vector<uint8_t> other = {1, 2, 3, 5};
  const Verdict verdict = verify(good(), other, "c.json");
  ASSERT_EQ(verdict.reasons.size(), 1u);
  EXPECT_NE(verdict.reasons[0].find("model"), std::string::npos);
}

TEST(Verify, AMissingFolderIsAnIoError) {
  try {
    verify_run("no/such/folder");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Io);
  }
}

}  // namespace
}  // namespace graphveil::run
