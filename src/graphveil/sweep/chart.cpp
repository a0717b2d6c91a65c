#include "graphveil/sweep/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "graphveil/sweep/tables.h"

namespace graphveil::sweep {
namespace {

constexpr double kPanelWidth = 420, kPanelHeight = 300, kLeft = 56, kTop = 64, kGap = 70, kRight = 20;
// Okabe and Ito: told apart without color vision.
constexpr std::array kColors = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#8C6D31"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

// What one panel shows, and where.
struct Panel {
  double x0, y0;       // upper left of the plot
  double low, high;    // percent
  double first, last;  // log2 of epsilon
  double x(double epsilon) const {
    const double share = last > first ? (std::log2(epsilon) - first) / (last - first) : 0.5;
    return x0 + kPanelWidth * share;
  }
  double y(double percent) const { return y0 + kPanelHeight * (high - percent) / (high - low); }
};

double lower(const Cell& cell) { return 100 * cell.interval.low.value_or(cell.interval.mean); }
double upper(const Cell& cell) { return 100 * cell.interval.high.value_or(cell.interval.mean); }

Panel panel_of(const Summary& summary, const std::string& graph, double x0) {
  Panel panel{x0, kTop, 100, 0, 1e9, -1e9};
  for (const Cell& cell : summary.cells) {
    if (cell.graph != graph || cell.values.empty()) continue;
    panel.low = std::min(panel.low, lower(cell));
    panel.high = std::max(panel.high, upper(cell));
    if (!cell.epsilon) continue;
    panel.first = std::min(panel.first, std::log2(*cell.epsilon));
    panel.last = std::max(panel.last, std::log2(*cell.epsilon));
  }
  panel.low = std::max(0.0, 5 * std::floor(panel.low / 5));
  panel.high = std::min(100.0, 5 * std::ceil(panel.high / 5));
  if (panel.high <= panel.low) panel.high = panel.low + 5;
  return panel;
}

std::string axes(const Panel& panel, const Summary& summary, const std::string& graph) {
  std::string text;
  const double step = panel.high - panel.low > 40 ? 10 : 5;
  for (double tick = panel.low; tick <= panel.high + 1e-9; tick += step) {
    text += fmt::format(
        "<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='#ddd'/>"
        "<text x='{:.1f}' y='{:.1f}' text-anchor='end'>{:g}</text>\n",
        panel.x0, panel.y(tick), panel.x0 + kPanelWidth, panel.y(tick), panel.x0 - 6, panel.y(tick) + 4, tick);
  }
  for (const std::optional<double>& budget : summary.budgets) {
    if (!budget) continue;
    text += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{:g}</text>\n", panel.x(*budget),
                        panel.y0 + kPanelHeight + 18, *budget);
  }
  text += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>ε</text>\n", panel.x0 + kPanelWidth / 2,
                      panel.y0 + kPanelHeight + 36);
  return text + fmt::format("<text x='{:.1f}' y='{:.1f}' font-weight='bold'>{}</text>\n", panel.x0, panel.y0 - 10,
                            escaped(graph));
}

std::string line_of(const Panel& panel, const Summary& summary, const std::string& graph, const std::string& label,
                    const char* color) {
  std::string points, above, below, marks, text;
  for (const std::optional<double>& budget : summary.budgets) {
    const Cell* cell = summary.find(graph, label, budget);
    if (cell == nullptr || cell->values.empty()) continue;
    const double y = panel.y(100 * cell->interval.mean);
    if (!budget) {
      text +=
          fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='{}' stroke-dasharray='6 4'/>\n",
                      panel.x0, y, panel.x0 + kPanelWidth, y, color);
      continue;
    }
    points += fmt::format("{:.1f},{:.1f} ", panel.x(*budget), y);
    above += fmt::format("{:.1f},{:.1f} ", panel.x(*budget), panel.y(upper(*cell)));
    below = fmt::format("{:.1f},{:.1f} ", panel.x(*budget), panel.y(lower(*cell))) + below;
    marks += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3' fill='{}'/>", panel.x(*budget), y, color);
  }
  if (points.empty()) return text;
  return text + fmt::format(
                    "<polygon points='{}{}' fill='{}' fill-opacity='0.15'/>"
                    "<polyline points='{}' fill='none' stroke='{}' stroke-width='2'/>{}\n",
                    above, below, color, points, color, marks);
}

}  // namespace

std::string accuracy_chart(const Summary& summary, const std::string& title) {
  if (std::ranges::none_of(summary.cells, [](const Cell& c) { return c.epsilon && !c.values.empty(); })) return "";
  const auto panels = static_cast<double>(summary.graphs.size());
  const double width = kLeft + panels * kPanelWidth + (panels - 1) * kGap + kRight;
  const double legend = kTop + kPanelHeight + 60;
  const double height = legend + 20 * static_cast<double>(summary.labels.size()) + 10;
  std::string text = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0:.0f} {1:.0f}' width='{0:.0f}' height='{1:.0f}' "
      "font-family='system-ui, sans-serif' font-size='13' role='img'>\n<title>{2}</title>\n"
      "<rect width='100%' height='100%' fill='white'/>\n"
      "<text x='{3:.0f}' y='24' font-size='16'>{2}</text>\n<text x='{3:.0f}' y='42' fill='#555'>{4} in percent, with "
      "95% intervals over seeds</text>\n",
      width, height, escaped(title), kLeft, escaped(metric_name(summary.metric)));
  for (size_t g = 0; g < summary.graphs.size(); ++g) {
    const Panel panel = panel_of(summary, summary.graphs[g], kLeft + static_cast<double>(g) * (kPanelWidth + kGap));
    text += axes(panel, summary, summary.graphs[g]);
    for (size_t i = 0; i < summary.labels.size(); ++i) {
      text += line_of(panel, summary, summary.graphs[g], summary.labels[i], kColors[i % kColors.size()]);
    }
  }
  for (size_t i = 0; i < summary.labels.size(); ++i) {
    const double y = legend + 20 * static_cast<double>(i);
    text += fmt::format(
        "<line x1='{:.0f}' y1='{:.0f}' x2='{:.0f}' y2='{:.0f}' stroke='{}' stroke-width='3'/>"
        "<text x='{:.0f}' y='{:.0f}'>{}</text>\n",
        kLeft, y, kLeft + 24, y, kColors[i % kColors.size()], kLeft + 32, y + 4, escaped(summary.labels[i]));
  }
  return text + "</svg>\n";
}

}  // namespace graphveil::sweep
