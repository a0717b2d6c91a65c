#include "graphveil/artifact/certificate_html.h"

#include "graphveil/artifact/certificate_page.h"
#include "graphveil/artifact/plain_words.h"
#include "tests/run/small_run.h"

namespace graphveil::artifact::certificate_html_test {
namespace {

Certificate certified(const std::string& method, bound::Relation relation, const run::OptionList& options = {}) {
  const auto experiment = run::quick(method, options);
  const run::Prepared prepared = run::prepare(*experiment, relation, {1000, 750, 20, 4});
  return run::certify(prepared, prepared.plan, false, {});
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(CertificateHtml, HasThePlainWordsThePictureAndTheAnnex) {
  const std::string html = certificate_html(certified("lap", bound::Relation::Node));
  for (const char* part : {"<h1>Privacy certificate</h1>", "How sure an attacker can become", "What was assumed",
                           "<svg", "by the number of a person&#39;s contacts", "Signature", "Technical annex",
                           "<b>lap</b>", "break-before:page"}) {
    EXPECT_TRUE(says(html, part)) << part;
  }
  EXPECT_FALSE(says(html, "<script"));
  EXPECT_FALSE(says(html, "http"));
  // The words before the annex name neither a method nor what is in the annex alone.
  const size_t body = html.find("<body>");
  EXPECT_FALSE(says(html.substr(body, html.find("Technical annex") - body), "lap"));
  EXPECT_TRUE(says(certificate_html(certified("gap-edp", bound::Relation::Edge)), "Epsilon by delta"));
}

// What somebody declares cannot become a part of either page.
TEST(CertificateHtml, WhatIsDeclaredIsEscaped) {
  const Certificate c = certified(
      "lap", bound::Relation::Node,
      {{"data-name", "<script>alert(1)</script> & \"x\" | **bold** [l](http://e)"}, {"controller", "a|b\\`c`"}});
  const std::string html = certificate_html(c), page = certificate_page(c);
  EXPECT_FALSE(says(html, "<script"));
  EXPECT_TRUE(says(html, "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;"));
  for (size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) EXPECT_EQ(page[at - 1], '\\');
  EXPECT_TRUE(says(page, "\\<script\\>alert\\(1\\)\\</script\\> \\& \"x\" \\| \\*\\*bold\\*\\* \\[l\\]\\(http://e\\)"));
  EXPECT_TRUE(says(page, "a\\|b\\\\\\`c\\`"));
}

TEST(CertificateHtml, WithoutAGuaranteeThereIsNoPicture) {
  const std::string html = certificate_html(certified("gap-inf", bound::Relation::Edge));
  EXPECT_FALSE(says(html, "<svg"));
  EXPECT_TRUE(says(html, "Why no guarantee is given"));
}

}  // namespace
}  // namespace graphveil::artifact::certificate_html_test
