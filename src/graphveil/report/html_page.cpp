#include "graphveil/report/html_page.h"

#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "graphveil/report/page_asset.h"

namespace graphveil::report {
namespace {

constexpr std::string_view kData = "@DATA@", kSummary = "@SUMMARY@";

size_t only_place(std::string_view page, std::string_view mark) {
  const size_t place = page.find(mark);
  if (place == std::string_view::npos || page.find(mark, place + 1) != std::string_view::npos) {
    fail(ErrorKind::Internal, "the report's template does not have {} once", mark);
  }
  return place;
}

}  // namespace

std::string script_safe(std::string json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = std::string_view(json).substr(i);
    if (json[i] == '<') {
      out += "\\u003c";
    } else if (json[i] == '>') {
      out += "\\u003e";
    } else if (json[i] == '&') {
      out += "\\u0026";
    } else if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9")) {
      out += rest[2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += json[i];
    }
  }
  return out;
}

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string html_page(const nlohmann::ordered_json& document, const std::string& summary, std::string_view page) {
  if (!page.starts_with(kPageMark)) fail(ErrorKind::Internal, "the report's template begins with something else");
  const size_t data = only_place(page, kData), words = only_place(page, kSummary);
  if (words > data) fail(ErrorKind::Internal, "the report's template has its summary after its data");
  std::string out(page.substr(0, words));
  out += html_escaped(summary);
  out += page.substr(words + kSummary.size(), data - words - kSummary.size());
  // What is not UTF-8 (a path may be anything) is replaced, not refused.
  out += script_safe(document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  out += page.substr(data + kData.size());
  return out;
}

std::string html_page(const nlohmann::ordered_json& document, const std::string& summary) {
  return html_page(document, summary, page_asset());
}

}  // namespace graphveil::report
