#include "graphveil/report/html_page.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "graphveil/report/page_asset.h"
#include "tests/files/builders.h"

namespace graphveil::report::html_page_test {
namespace {

size_t count(std::string_view text, std::string_view what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

// What stands between the tags of the element with the document.
std::string data_of(const std::string& page) {
  const std::string open = "id=\"data\">";
  const size_t begin = page.find(open) + open.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

TEST(HtmlPage, TheAssetIsTheCommittedFile) {
  const std::string committed = files::read_bytes(GRAPHVEIL_SOURCE_DIR "/src/graphveil/report/assets/report.html");
  EXPECT_TRUE(page_asset() == committed) << "build the library again";
  EXPECT_TRUE(page_asset().starts_with(kPageMark));
  EXPECT_NE(page_asset().find("Content-Security-Policy"), std::string_view::npos);
  EXPECT_NE(page_asset().find("Permission to use, copy, modify"), std::string_view::npos) << "the license is there";
  for (const char* elsewhere : {"src=\"http", "href=\"http", "url(http", "@import"}) {
    EXPECT_EQ(page_asset().find(elsewhere), std::string_view::npos) << elsewhere;
  }
}

TEST(HtmlPage, TheDocumentComesBackAsItWas) {
  const nlohmann::ordered_json document{{"title", "a < b & c > d \xE2\x80\xA8 e \xE2\x80\xA9 \"f\" \\ é"}, {"n", 1.5}};
  EXPECT_EQ(nlohmann::ordered_json::parse(data_of(html_page(document, ""))), document);
}

TEST(HtmlPage, NoTextEndsItsElement) {
  const std::string hostile = "</script><script>alert(1)</script><!--<script> @DATA@ @SUMMARY@ <img src=x onerror=y>";
  const std::string plain = html_page({{"title", ""}}, ""), page = html_page({{"title", hostile}}, hostile);
  for (const char* tag : {"<script", "</script", "<!--", "<img", "-->"})
    EXPECT_EQ(count(page, tag), count(plain, tag)) << tag;
  EXPECT_EQ(nlohmann::json::parse(data_of(page))["title"], hostile);
  EXPECT_EQ(script_safe("</>&"), "\\u003c/\\u003e\\u0026");
  EXPECT_EQ(html_escaped("<a href='b'>\"&"), "&lt;a href=&#39;b&#39;&gt;&quot;&amp;");
}

TEST(HtmlPage, TextThatIsNotUtf8IsReplaced) {
  const std::string page = html_page({{"title",
                                       "a\xFF"
                                       "b"}},
                                     "");
  EXPECT_EQ(nlohmann::json::parse(data_of(page))["title"],
            "a\xEF\xBF\xBD"
            "b");
}

TEST(HtmlPage, RefusesATemplateThatIsNone) {
  const nlohmann::ordered_json document;
  const std::string mark(kPageMark);
  EXPECT_THROW(html_page(document, "", "@SUMMARY@@DATA@"), Error);
  EXPECT_THROW(html_page(document, "", mark + "@SUMMARY@"), Error);
  EXPECT_THROW(html_page(document, "", mark + "@SUMMARY@@DATA@@DATA@"), Error);
  EXPECT_THROW(html_page(document, "", mark + "@DATA@@SUMMARY@"), Error);
  EXPECT_EQ(html_page({{"a", 1}}, "b", mark + "x@SUMMARY@y@DATA@z"), mark + "xby{\"a\":1}z");
}

}  // namespace
}  // namespace graphveil::report::html_page_test
