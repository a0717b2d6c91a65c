#include "graphveil/artifact/certificate_page.h"

#include "tests/run/small_run.h"

namespace graphveil::artifact::certificate_page_test {
namespace {

std::string page(const std::string& method, bound::Relation relation, const run::OptionList& options = {},
                 bool seeded = false) {
  const auto experiment = run::quick(method, options);
  const run::Prepared prepared = run::prepare(*experiment, relation, {1000, 750, 20, 4});
  return certificate_page(run::certify(prepared, prepared.plan, seeded, {{"which nodes have an edge"}, {}, {}, {}}));
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(CertificatePage, HasEveryPartForAValidRun) {
  const std::string text = page("lap", bound::Relation::Node, {{"epsilon", "1"}});
  for (const char* part :
       {"# Privacy certificate\n", "Valid, and may be released", "Who is protected, and against what",
        "Signature: ____", "# Technical annex: lap", "## In words", "## Statements", "## Taken for granted",
        "which nodes have an edge", "line by line", "| owner | predictions | node |",
        "| public | parameters | undirected-edge |"}) {
    EXPECT_TRUE(says(text, part)) << part << "\n" << text;
  }
  // Even odds become at most (e + delta) / (1 + e): 73.106% and delta / (1 + e), here 0.0001 / 3.7, on top; rounded up.
  EXPECT_TRUE(says(text, "at most 73.11%")) << text;
}

TEST(CertificatePage, JointlyWithPredictionsOnlyWhereTheyAreCovered) {
  EXPECT_TRUE(says(page("lap", bound::Relation::Node), "together with the predictions handed to everybody but"));
  EXPECT_FALSE(says(page("lap", bound::Relation::Node, {{"own-edges", "predict"}}), "together with the predictions"));
  EXPECT_FALSE(says(page("dpgnn", bound::Relation::Node), "together with the predictions"));
}

TEST(CertificatePage, ClaimsNothingWithoutAGuarantee) {
  for (const std::string& text : {page("gap-inf", bound::Relation::Edge),
                                  page("gap-edp", bound::Relation::Edge, {{"accounting", "published"}})}) {
    EXPECT_TRUE(says(text, "Not valid: no guarantee is given."));
    EXPECT_FALSE(says(text, "## Statements"));
    EXPECT_FALSE(says(text, "How sure an attacker"));
  }
  EXPECT_TRUE(says(page("lap", bound::Relation::Node, {}, true), "must not be released"));
}

}  // namespace
}  // namespace graphveil::artifact::certificate_page_test
