#include "graphveil/report/attack_section.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/attack/allowed_roc.h"
#include "graphveil/base/error.h"

namespace graphveil::report::attack_section_test {
namespace {

using nlohmann::json;

json membership() {
  const json number{{"mean", 0.75}, {"std", 0.0}, {"ci95", {0.7, 0.8}}};
  return {{"attack", "lira"},
          {"method", "lap"},
          {"epsilon", 1.0},
          {"delta", 1e-3},
          {"relation", "node"},
          {"members",
           {{"auc", number},
            {"tpr_at_1_percent_fpr", number},
            {"repeats", 2},
            {"roc", {{{"fpr", {0, 0.01, 1}}, {"tpr", {0, 0.2, 1}}}, {{"fpr", {0, 0.1, 1}}, {"tpr", {0.1, 0.4, 1}}}}}}}};
}

std::string said(const json& document) {
  try {
    attack_section(document, "a.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(AttackSection, CurvesAreMeansOverRepeatsThatMakeUpNoPoint) {
  const auto section = attack_section(membership(), "a.json");
  ASSERT_EQ(section["curves"].size(), 1u);
  const auto& points = section["curves"][0]["points"];
  EXPECT_NEAR(points.front()[0].get<double>(), 0.01, 1e-12);
  EXPECT_NEAR(points.front()[1].get<double>(), (0.2 + 0.1) / 2, 1e-9)
      << "the second has 0.1 without any false positive";
  EXPECT_NEAR(points.back()[0].get<double>(), 1, 1e-12);
  EXPECT_NEAR(points.back()[1].get<double>(), 1, 1e-12);
  EXPECT_GE(points.size(), 30u) << "dense by decades";
}

TEST(AttackSection, TheBoundIsDrawnWhereTheGuaranteeIsAboutWhatIsAsked) {
  const auto section = attack_section(membership(), "a.json");
  ASSERT_FALSE(section["bound"].empty());
  EXPECT_NEAR(section["bound"][0][1].get<double>(), std::exp(1.0) * 0.01 + 1e-3, 1e-9);
  EXPECT_NEAR(section["allowed_auc"].get<double>(), attack::allowed_auc(1, 1e-3), 1e-5);
  for (const auto& [field, value] : {std::pair<const char*, json>{"relation", "edge"},
                                     {"relation", "record"},
                                     {"relation", nullptr},
                                     {"delta", nullptr},
                                     {"epsilon", nullptr},
                                     {"attack", "links"}}) {
    json document = membership();
    document[field] = value;
    const auto other = attack_section(document, "a.json");
    EXPECT_TRUE(other["bound"].empty()) << field << value;
    EXPECT_TRUE(other["allowed_auc"].is_null());
    EXPECT_NE(other["why_no_bound"].get<std::string>(), "");
  }
}

TEST(AttackSection, NamesTheFileAndTheField) {
  json document = membership();
  document["members"]["roc"][0]["fpr"] = {0, 0.5, 0.25};
  EXPECT_EQ(said(document), "a.json, members: fpr has 0.25, want rates from 0 to 1 that rise");
  document = membership();
  document["members"]["roc"][0]["tpr"] = {0, 1};
  EXPECT_EQ(said(document), "a.json, members: a curve has 3 fpr and 2 tpr, want as many");
  document = membership();
  document["members"]["auc"]["mean"] = 2;
  EXPECT_EQ(said(document), "a.json, members: auc is 2, want 0 to 1");
  document.erase("members");
  EXPECT_NE(said(document).find("a.json: has no field with an auc"), std::string::npos);
}

TEST(AuditSection, HasEveryClaim) {
  const json document{{"target", "claims"},
                      {"level", "mechanism"},
                      {"accounting", "published"},
                      {"confidence", 0.999},
                      {"refuted", true},
                      {"rows",
                       {{{"what", "a"},
                         {"epsilon_claimed", nullptr},
                         {"epsilon_low", 1.5},
                         {"delta", 1e-3},
                         {"refuted", false},
                         {"trials", 100}}}}};
  const auto section = audit_section(document, "b.json");
  EXPECT_TRUE(section["refuted"]);
  EXPECT_TRUE(section["rows"][0]["claimed"].is_null());
  EXPECT_EQ(section["rows"][0]["low"], 1.5);
  json broken = document;
  broken["rows"][0].erase("delta");
  try {
    audit_section(broken, "b.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("b.json"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("delta"), std::string::npos);
  }
}

}  // namespace
}  // namespace graphveil::report::attack_section_test
