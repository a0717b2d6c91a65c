// The report as one HTML page that needs nothing beside it.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace graphveil::report {

// How every page begins: tells a report from a file of somebody else's.
inline constexpr std::string_view kPageMark = "<!doctype html><!-- graphveil report -->";

// The document in the page's template. Whatever text is in the document stays data: it cannot end the element that it
// lies in. `summary` is what a reader without scripts sees. Throws Internal when the template is not one.
std::string html_page(const nlohmann::ordered_json& document, const std::string& summary);
// The same with another template, which has @DATA@ and @SUMMARY@ once each.
std::string html_page(const nlohmann::ordered_json& document, const std::string& summary, std::string_view page);

// JSON that can stand within <script type="application/json">: <, >, &, and the line ends that only some readers know,
// are written as escapes.
std::string script_safe(std::string json);
// Text between tags.
std::string html_escaped(std::string_view text);

}  // namespace graphveil::report
