#include "graphveil/artifact/certificate_html.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/artifact/plain_words.h"
#include "graphveil/artifact/words.h"

namespace graphveil::artifact {
namespace {

constexpr const char* kStyle =
    "@page{size:A4;margin:13mm 17mm}@media print{body{margin:0 auto!important}}"
    "body{font:9.3pt/1.3 Georgia,'Times New Roman',serif;color:#111;max-width:174mm;margin:8mm auto}"
    "h1{font-size:17pt;margin:0 0 2mm}h2{font-size:11pt;margin:3.2mm 0 .6mm}p{margin:0 0 1.5mm}"
    "table{border-collapse:collapse;width:100%;margin:1mm 0 2mm}"
    "td,th{border-bottom:.2mm solid #bbb;padding:.5mm 2mm .5mm 0;text-align:left;vertical-align:top;"
    "overflow-wrap:anywhere}"
    ".status{border:.4mm solid #111;padding:1.5mm 3mm;font-weight:bold;margin:2mm 0}"
    ".annex{break-before:page;font-size:8pt;line-height:1.28}.annex h2{font-size:9.5pt}"
    "code{font:7.5pt monospace;overflow-wrap:anywhere}ul{margin:.5mm 0 1.5mm;padding-left:5mm}"
    ".sign td{border:0;padding:7mm 6mm 0 0}.sign span{display:block;border-top:.25mm solid #111;font-size:8.5pt}"
    "svg{display:block;margin:1mm auto}text{font:8pt Georgia,serif}";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

// Epsilon by what the bars stand for.
struct Bar {
  std::string name;
  double epsilon = 0;
};

// By the degree of a node where that matters, else by delta.
std::pair<std::string, std::vector<Bar>> bars_of(const Certificate& c) {
  std::vector<std::pair<int64_t, double>> degrees;
  for (const Statement& s : c.statements) {
    if (s.what == "parameters" && s.relation == c.relation && s.degree && s.epsilon)
      degrees.emplace_back(*s.degree, *s.epsilon);
  }
  std::sort(degrees.begin(), degrees.end());
  std::vector<Bar> bars;
  if (degrees.size() > 1) {
    for (const auto& [degree, epsilon] : degrees) bars.push_back({fmt::format("{}", degree), epsilon});
    return {"Epsilon by the number of a person's contacts: the smaller, the better protected", std::move(bars)};
  }
  for (const EpsilonAt& at : c.epsilon_at) {
    if (at.epsilon) bars.push_back({fmt::format("{:.0e}", at.delta), *at.epsilon});
  }
  return {"Epsilon by delta, the chance that is set aside: the same for any number of contacts", std::move(bars)};
}

std::string picture(const Certificate& c) {
  const auto [title, bars] = bars_of(c);
  double most = 0;
  for (const Bar& bar : bars) most = std::max(most, bar.epsilon);
  if (bars.empty() || !(most > 0)) return "";
  constexpr double kWidth = 560, kHeight = 100, kTop = 22, kBottom = 18;
  const double step = kWidth / static_cast<double>(bars.size());
  std::string text =
      fmt::format("<svg viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" aria-label=\"{}\">", kWidth,
                  kHeight + kTop + kBottom, kWidth, kHeight + kTop + kBottom, escaped(title));
  text += fmt::format("<text x=\"{}\" y=\"12\" text-anchor=\"middle\">{}</text>", kWidth / 2, escaped(title));
  for (size_t i = 0; i < bars.size(); ++i) {
    const double height = std::max(1.0, (kHeight - 12) * bars[i].epsilon / most);
    const double left = (static_cast<double>(i) + 0.2) * step, middle = (static_cast<double>(i) + 0.5) * step;
    text += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#456\"/>", left,
                        kTop + kHeight - height, 0.6 * step, height);
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", middle,
                        kTop + kHeight - height - 3, epsilon_text(bars[i].epsilon, 3));
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", middle, kTop + kHeight + 12,
                        escaped(bars[i].name));
  }
  return text + fmt::format("<line x1=\"0\" y1=\"{0}\" x2=\"{1}\" y2=\"{0}\" stroke=\"#111\"/></svg>\n", kTop + kHeight,
                            kWidth);
}

std::string html_list(const std::vector<std::string>& items) {
  std::string text = "<ul>";
  for (const std::string& item : items) text += fmt::format("<li>{}</li>", escaped(item));
  return text + "</ul>\n";
}

std::string row(std::initializer_list<std::string> cells, const char* tag = "td") {
  std::string text = "<tr>";
  for (const std::string& cell : cells) text += fmt::format("<{0}>{1}</{0}>", tag, escaped(cell));
  return text + "</tr>";
}

std::string statements(const Certificate& c) {
  std::string text = "<table>" + row({"for whom", "what", "relation", "outgoing edges", "epsilon", "delta"}, "th");
  for (const Statement& s : c.statements) {
    text += row({c.releasable() ? std::string(mechanism::name(s.audience)) : "nobody: not releasable", s.what,
                 std::string(bound::name(s.relation)), s.degree ? fmt::format("at most {}", *s.degree) : "any",
                 epsilon_text(s.epsilon), fmt::format("{:.3g}", s.delta)});
  }
  return text + "</table>\n";
}

std::string lines(const Certificate& c) {
  std::string text = "<table>" + row({"release", "mechanism", "sampling", "times", "sensitivity", "noise"}, "th");
  for (const mechanism::PlanLine& line : c.plan.lines()) {
    const account::Single single = mechanism::mechanism_of(line.event);
    text += row({line.event.label(), std::string(account::kind(single.mechanism)),
                 std::string(account::kind(single.sampling)), fmt::format("{}", line.event.count()),
                 fmt::format("{:.6g} ({})", line.sensitivity(), bound::name(line.norm())),
                 fmt::format("{:.6g}", mechanism::noise_scale(line))});
  }
  return text + "</table>\n";
}

std::string annex(const Certificate& c) {
  std::string text = "<section class=\"annex\"><h1>Technical annex</h1>\n";
  text += fmt::format("<p>Method <b>{}</b>, relation <b>{}</b>: {}.</p>\n", escaped(c.method), bound::name(c.relation),
                      bound::in_words(c.relation));
  if (c.valid()) {
    text += "<h2>Statements</h2>" + statements(c) + "<h2>What was released, line by line</h2>" + lines(c);
    if (!c.remarks.empty()) text += "<h2>Notes</h2>" + html_list(c.remarks);
  } else {
    text += "<h2>Why no guarantee is given</h2>" + html_list(c.reasons);
  }
  text += fmt::format(
      "<h2>What it belongs to</h2><p>graphveil {}. Model, SHA-256 <code>{}</code>. Options, SHA-256 <code>{}</code>. "
      "Data, "
      "keyed fingerprint <code>{}</code>.{}</p>\n<p>The document that counts is <code>certificate.json</code>; this "
      "page is "
      "made from it alone, and <code>graphveil verify</code> makes both anew.</p></section>\n",
      escaped(c.version), escaped(c.model_sha256), escaped(c.config_sha256), escaped(c.data_fingerprint),
      c.schema_sha256.empty() ? "" : fmt::format(" Schema, SHA-256 <code>{}</code>.", escaped(c.schema_sha256)));
  return text;
}

}  // namespace

std::string certificate_html(const Certificate& c) {
  const PlainWords words = plain_words(c);
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Privacy "
      "certificate</title><style>{}</style>"
      "</head><body>\n<h1>Privacy certificate</h1>\n<table>",
      kStyle);
  for (const auto& [what, value] : words.about) text += row({what, value});
  text += fmt::format("</table>\n<p class=\"status\">{}</p>\n", escaped(words.status));
  for (const auto& [question, answer] : words.points) {
    text += fmt::format("<h2>{}</h2><p>{}</p>\n", escaped(question), escaped(answer));
  }
  if (!words.assumed.empty()) text += "<h2>What was assumed</h2>" + html_list(words.assumed);
  if (c.valid()) text += picture(c);
  text +=
      "<table class=\"sign\"><tr><td><span>Name and office</span></td><td><span>Signature</span></td>"
      "<td><span>Place and date</span></td></tr></table>\n";
  return text + annex(c) + "</body></html>\n";
}

}  // namespace graphveil::artifact
