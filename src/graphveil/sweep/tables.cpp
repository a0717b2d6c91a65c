#include "graphveil/sweep/tables.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graphveil/files/csv_rows.h"

namespace graphveil::sweep {
namespace {

using Table = std::vector<std::vector<std::string>>;  // its first row is the head

// Letters on the screen: bytes that begin one.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string budget_name(const std::optional<double>& epsilon) {
  return epsilon ? fmt::format("ε = {:g}", *epsilon) : "no noise";
}

std::string mean_text(const nn::MeanInterval& interval, const char* between = " ± ") {
  std::string text = fmt::format("{:.1f}", 100 * interval.mean);
  if (interval.low) text += fmt::format("{}{:.1f}", between, 100 * (*interval.high - *interval.low) / 2);
  return text;
}

std::string cell_text(const Cell* cell) {
  if (cell == nullptr) return "";
  if (cell->values.empty()) return cell->failed > 0 ? "failed" : "-";
  std::string text = mean_text(cell->interval);
  if (cell->beats_majority == false) text += " †";
  if (cell->best) text += " *";
  if (cell->failed > 0) text += fmt::format(" ({} failed)", cell->failed);
  return text;
}

Table cells_of(const Summary& summary, const std::string& graph) {
  std::vector<std::optional<double>> budgets;
  for (const auto& budget : summary.budgets) {
    if (std::ranges::any_of(summary.cells, [&](const Cell& c) { return c.graph == graph && c.epsilon == budget; })) {
      budgets.push_back(budget);
    }
  }
  Table table{{""}};
  for (const auto& budget : budgets) table[0].push_back(budget_name(budget));
  for (const std::string& label : summary.labels) {
    std::vector<std::string> row{label};
    bool any = false;
    for (const auto& budget : budgets) {
      const Cell* cell = summary.find(graph, label, budget);
      any = any || cell != nullptr;
      row.push_back(cell_text(cell));
    }
    if (any) table.push_back(std::move(row));
  }
  if (const auto share = summary.majority.find(graph); share != summary.majority.end()) {
    std::vector<std::string> row{"always the largest class"};
    row.resize(table[0].size(), fmt::format("{:.1f}", 100 * share->second));
    table.push_back(std::move(row));
  }
  return table;
}

std::string aligned(const Table& table) {
  std::vector<size_t> widths(table[0].size(), 0);
  for (const auto& row : table) {
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  std::string text;
  for (const auto& row : table) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) line += "  " + row[c] + std::string(widths[c] - width_of(row[c]), ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

// Names come from files and people: they are text, never a part of the page.
std::string markdown_word(const std::string& word) {
  std::string text;
  for (const char c : word) {
    if (c == '<') {
      text += "&lt;";
    } else {
      if (c == '|' || c == '`') text += '\\';
      text += c == '\n' || c == '\r' ? ' ' : c;
    }
  }
  return text;
}

std::string markdown(const Table& table) {
  std::string text;
  for (size_t r = 0; r < table.size(); ++r) {
    text += "|";
    for (const std::string& word : table[r]) text += word.empty() ? " |" : fmt::format(" {} |", markdown_word(word));
    text += "\n";
    if (r == 0) text += fmt::format("|{}\n", fmt::join(std::vector<std::string>(table[0].size(), " --- |"), ""));
  }
  return text;
}

std::string latex_word(const std::string& word) {
  std::string text;
  for (size_t i = 0; i < word.size(); ++i) {
    const std::string rest = word.substr(i, 3);
    if (word[i] == '_' || word[i] == '%' || word[i] == '&' || word[i] == '#' || word[i] == '$' || word[i] == '{' ||
        word[i] == '}') {
      text += std::string("\\") + word[i];
    } else if (word[i] == '\\') {
      text += "\\textbackslash{}";
    } else if (word[i] == '^' || word[i] == '~') {
      text += std::string("\\") + word[i] + "{}";
    } else if (rest.starts_with("ε")) {
      text += "$\\varepsilon$";
      i += 1;
    } else if (rest.starts_with("±")) {
      text += "$\\pm$";
      i += 1;
    } else if (rest.starts_with("†")) {
      text += "$\\dagger$";
      i += 2;
    } else if (rest.starts_with("∞")) {
      text += "$\\infty$";
      i += 2;
    } else {
      text += word[i];
    }
  }
  if (constexpr std::string_view kStar = " *"; text.ends_with(kStar)) {
    text = "\\textbf{" + text.substr(0, text.size() - kStar.size()) + "}";
  }
  return text;
}

std::string latex(const Table& table, const std::string& caption) {
  std::string text = fmt::format("\\begin{{table}}\n\\centering\n\\caption{{{}}}\n\\begin{{tabular}}{{l{}}}\n\\hline\n",
                                 latex_word(caption), std::string(table[0].size() - 1, 'r'));
  for (size_t r = 0; r < table.size(); ++r) {
    std::vector<std::string> words;
    for (const std::string& word : table[r]) words.push_back(latex_word(word));
    text += fmt::format("{} \\\\\n{}", fmt::join(words, " & "), r == 0 ? "\\hline\n" : "");
  }
  return text + "\\hline\n\\end{tabular}\n\\end{table}\n";
}

// Ours on one side: a difference is taken repeat by repeat.
std::string side_text(const PaperRow& row, const std::optional<PaperRow::Side>& side,
                      const std::map<std::string, Result>& results) {
  if (!side) return "";
  const auto figure = [&](const std::string& id) -> const Figure* {
    const auto found = results.find(id);
    if (found == results.end() || !found->second.done) return nullptr;
    const auto read = found->second.figures.find(side->measures);
    return read == found->second.figures.end() ? nullptr : &read->second;
  };
  const auto failed = [&](const std::string& id) { return results.contains(id) && figure(id) == nullptr; };
  if (failed(side->run) || (!side->minus.empty() && failed(side->minus))) return "failed";
  const Figure* ours = figure(side->run);
  const Figure* other = side->minus.empty() ? nullptr : figure(side->minus);
  if (ours == nullptr || (!side->minus.empty() && other == nullptr)) return "-";
  std::vector<double> values = ours->values;
  if (other != nullptr) {
    values.resize(std::min(values.size(), other->values.size()));
    for (size_t i = 0; i < values.size(); ++i) values[i] -= other->values[i];
  }
  if (values.empty()) values = {ours->mean};
  const nn::MeanInterval over = nn::mean_interval(values);
  const double factor = row.percent ? 100 : 1;
  const int digits = row.percent ? 1 : 3;
  std::string text = fmt::format("{:.{}f}", factor * over.mean, digits);
  if (values.size() > 1) text += fmt::format(" ± {:.{}f}", factor * over.std, digits);
  return text;
}

std::string seconds_text(const PaperRow& row, const std::map<std::string, Result>& results) {
  double seconds = 0;
  for (const auto& side : {row.published, row.sound}) {
    if (!side) continue;
    for (const std::string& id : {side->run, side->minus}) {
      if (const auto found = results.find(id); found != results.end()) seconds += found->second.seconds;
    }
  }
  return seconds > 0 ? fmt::format("{:.1f}", seconds) : "";
}

Table rows_of(const Plan& plan, const std::map<std::string, Result>& results) {
  Table table{{"row", "graph", "the paper", "ours, its accounting", "ours, sound", "seconds"}};
  for (const PaperRow& row : plan.rows) {
    std::string paper;
    if (row.paper_mean) paper = fmt::format("{:g}", *row.paper_mean);
    if (row.paper_std) paper += fmt::format(" ± {:g}", *row.paper_std);
    table.push_back({row.row, row.graph, paper, side_text(row, row.published, results),
                     side_text(row, row.sound, results), seconds_text(row, results)});
  }
  return table;
}

std::string caption_of(const Summary& summary, const std::string& graph) {
  size_t most = 0;
  for (const Cell& cell : summary.cells) {
    if (cell.graph == graph) most = std::max(most, cell.values.size());
  }
  return fmt::format("{}: {} in percent, {} seed{}", graph, metric_name(summary.metric), most, most == 1 ? "" : "s");
}

Table differences_of_graph(const Summary& summary, const std::string& graph) {
  Table table{{"", "less", "", "difference, 95% interval", ""}};
  for (const Difference& d : summary.differences) {
    if (d.graph != graph) continue;
    std::string interval = fmt::format("{:+.1f}", 100 * d.interval.mean);
    if (d.interval.low) interval += fmt::format(" ({:+.1f} to {:+.1f})", 100 * *d.interval.low, 100 * *d.interval.high);
    const char* verdict = !d.interval.low ? "one seed says nothing" : d.apart ? "" : "within noise";
    table.push_back({d.label, d.against, budget_name(d.epsilon), interval, verdict});
  }
  return table;
}

}  // namespace

std::string metric_name(const std::string& metric) {
  if (metric == "accuracy") return "test accuracy";
  if (metric == "macro_f1") return "macro F1";
  if (metric == "weighted_f1") return "weighted F1";
  if (metric == "balanced_accuracy") return "balanced accuracy";
  if (metric == "val_accuracy") return "validation accuracy";
  if (metric == "roc_auc") return "ROC AUC";
  return metric;
}

std::string text_table(const Summary& summary) {
  std::string text;
  for (const std::string& graph : summary.graphs) {
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", caption_of(summary, graph),
                        aligned(cells_of(summary, graph)));
  }
  return text;
}

std::string text_differences(const Summary& summary) {
  std::string text;
  for (const std::string& graph : summary.graphs) {
    const Table table = differences_of_graph(summary, graph);
    if (table.size() > 1) text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", graph, aligned(table));
  }
  return text;
}

std::string text_notes(const Summary& summary) {
  std::string text;
  if (std::ranges::any_of(summary.cells, [](const Cell& cell) { return cell.beats_majority == false; })) {
    text +=
        "†: not shown to be better than always answering the largest class (95% t interval of the lead over the seeds; "
        "one seed: its sign test).\n";
  }
  if (std::ranges::none_of(summary.cells, &Cell::best)) return text;
  text +=
      "*: best within noise: no paired t interval against the best leaves out 0, at 95% for all pairs of a graph and ε "
      "together. ±: half of a 95% t interval.\n";
  std::set<std::string> kinds;
  for (const auto& [label, relation] : summary.relations) kinds.insert(relation);
  if (kinds.size() > 1) {
    text += "Not the same promise: ";
    std::vector<std::string> words;
    for (const auto& [label, relation] : summary.relations)
      words.push_back(fmt::format("{} protects {}", label, relation));
    text += fmt::format("{}. An ε of one is not an ε of the other.\n", fmt::join(words, "; "));
  }
  return text;
}

std::string markdown_page(const Plan& plan, const Summary& summary, const std::map<std::string, Result>& results) {
  std::string text =
      fmt::format("# {}\n\nFor the holder of the data alone: this reads private labels.\n", markdown_word(plan.title));
  for (const std::string& graph : summary.graphs) {
    text += fmt::format("\n{}\n\n{}", markdown_word(caption_of(summary, graph)), markdown(cells_of(summary, graph)));
    const Table differences = differences_of_graph(summary, graph);
    if (differences.size() > 1) text += fmt::format("\n{}", markdown(differences));
  }
  if (const std::string notes = text_notes(summary); !notes.empty()) text += "\n" + notes;
  if (!plan.rows.empty()) text += "\n" + markdown(rows_of(plan, results));
  return text;
}

std::string latex_table(const Plan& plan, const Summary& summary, const std::map<std::string, Result>& results) {
  std::string text = "% For the holder of the data alone: this reads private labels.\n";
  for (const std::string& graph : summary.graphs) {
    text += latex(cells_of(summary, graph),
                  fmt::format("{}. Bold: best within noise (paired t, 95% together).", caption_of(summary, graph)));
  }
  if (!plan.rows.empty()) text += latex(rows_of(plan, results), plan.title);
  return text;
}

std::string text_rows(const Plan& plan, const std::map<std::string, Result>& results) {
  return plan.rows.empty() ? "" : aligned(rows_of(plan, results));
}

std::string csv_table(const Plan& plan, const std::map<std::string, Result>& results) {
  static const std::vector<std::string> kColumns = {"accuracy",          "majority",     "macro_f1", "weighted_f1",
                                                    "balanced_accuracy", "val_accuracy", "roc_auc"};
  std::string text =
      fmt::format("id,graph,row,method,relation,accounting,epsilon,seed,status,{},seconds,peak_memory_mb,error\n",
                  fmt::join(kColumns, ","));
  for (const Run& run : plan.runs) {
    const auto found = results.find(run.id);
    if (found == results.end()) continue;
    const Result& r = found->second;
    std::vector<std::string> words = {r.id,
                                      r.graph,
                                      r.row,
                                      r.method,
                                      r.relation,
                                      r.accounting,
                                      r.epsilon ? fmt::format("{}", *r.epsilon) : "",
                                      r.seed ? fmt::format("{}", *r.seed) : "",
                                      r.done ? "done" : "failed"};
    for (const std::string& score : kColumns) {
      const auto value = r.scores.find(score);
      words.push_back(value == r.scores.end() ? "" : fmt::format("{}", value->second));
    }
    words.push_back(fmt::format("{:.3f}", r.seconds));
    words.push_back(fmt::format("{:.1f}", r.peak_memory_mb));
    words.push_back(r.error);
    for (std::string& word : words) word = word.empty() ? "" : files::csv_cell(word);
    text += fmt::format("{}\n", fmt::join(words, ","));
  }
  return text;
}

}  // namespace graphveil::sweep
