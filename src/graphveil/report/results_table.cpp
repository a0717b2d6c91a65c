#include "graphveil/report/results_table.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace graphveil::report {
namespace {

// A cell of Markdown: no bar ends it, no line breaks it, and no markup is in it.
std::string markdown_cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      out += ' ';
    } else {
      if (std::string_view("\\`*_{}[]<>|").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string csv_cell(const std::string& text) {
  std::string safe = text;
  if (!safe.empty() && std::string_view("=+-@\t\r").find(safe.front()) != std::string_view::npos) safe = "'" + safe;
  if (safe.find_first_of(",\"\n\r") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + "\"";
}

std::string measured_cell(const ResultGroup& group, const std::string& score) {
  const auto measured = group.score(score);
  if (!measured) return "";
  std::string text = fmt::format("{:.1f}", 100 * measured->mean);
  if (measured->low) text += fmt::format(" ± {:.1f}", 100 * (*measured->high - measured->mean));
  const bool marked = group.standing == Standing::Best || group.standing == Standing::WithinNoise;
  if (marked) text = "**" + text + "**";
  if (group.beats_majority == false && score == "accuracy") text += " †";
  if (group.failed > 0) text += fmt::format(" ({} failed)", group.failed);
  return text;
}

// "node, up to 100 edges"
std::string guarantee_cell(const Result& line) {
  if (!line.epsilon) return "none";
  std::string text = line.relation;
  if (line.relation == "node" && line.protect_degree) text += fmt::format(", up to {} edges", *line.protect_degree);
  if (line.accounting == "published") text += ", by the paper's arithmetic: not proved";
  return text;
}

// Of a graph's test nodes, where it is known.
std::optional<double> majority_share(const std::vector<ResultGroup>& groups, const ResultLines& file,
                                     const std::string& graph) {
  for (const ResultGroup& group : groups) {
    if (file.lines[group.first].graph != graph) continue;
    if (const auto share = group.score("majority")) return share->mean;
  }
  return std::nullopt;
}

}  // namespace

std::string results_markdown(const ResultLines& file, const std::vector<ResultGroup>& groups) {
  const std::string score = main_score(file);
  std::vector<std::string> graphs;
  for (const ResultGroup& group : groups) {
    const std::string& graph = file.lines[group.first].graph;
    if (std::ranges::find(graphs, graph) == graphs.end()) graphs.push_back(graph);
  }
  std::string text;
  for (const std::string& graph : graphs) {
    std::set<double> epsilons;
    bool without = false;
    std::vector<std::string> order;
    std::map<std::string, std::map<double, const ResultGroup*>> rows;
    size_t fewest = SIZE_MAX, most = 0;
    for (const ResultGroup& group : groups) {
      const Result& line = file.lines[group.first];
      if (line.graph != graph) continue;
      const double epsilon = line.epsilon.value_or(0);
      line.epsilon ? static_cast<void>(epsilons.insert(epsilon)) : static_cast<void>(without = true);
      if (!rows.contains(group.series)) order.push_back(group.series);
      rows[group.series][epsilon] = &group;
      fewest = std::min(fewest, group.lines.size());
      most = std::max(most, group.lines.size());
    }
    const size_t begin = text.size();
    text += fmt::format("{}### {}\n\n", text.empty() ? "" : "\n", markdown_cell(graph.empty() ? file.path : graph));
    text += fmt::format(
        "{} in percent, mean{} over {}. Bold: the best for one guarantee and epsilon, and what paired differences "
        "cannot tell from it.\n\n",
        score, most > 1 ? " ± half of the 95% interval (Student's t)" : "",
        fewest == most ? fmt::format("{} seed{}", most, most == 1 ? "" : "s")
                       : fmt::format("{} to {} seeds", fewest, most));
    text += "| method | guarantee |";
    std::string rule = "| --- | --- |";
    for (const double epsilon : epsilons) {
      text += fmt::format(" ε = {:g} |", epsilon);
      rule += " ---: |";
    }
    if (without) {
      text += " no noise |";
      rule += " ---: |";
    }
    text += "\n" + rule + "\n";
    for (const std::string& series : order) {
      const auto& cells = rows[series];
      text +=
          fmt::format("| {} | {} |", markdown_cell(series), guarantee_cell(file.lines[cells.begin()->second->first]));
      const auto add = [&](double epsilon) {
        const auto found = cells.find(epsilon);
        text += fmt::format(" {} |", found == cells.end() ? "" : measured_cell(*found->second, score));
      };
      for (const double epsilon : epsilons) add(epsilon);
      if (without) add(0);
      text += "\n";
    }
    if (const auto share = majority_share(groups, file, graph); share && score == "accuracy") {
      text += fmt::format("\nAlways answering the largest class is right on {:.1f}%.{}\n", 100 * *share,
                          text.find(" †", begin) == std::string::npos ? "" : " †: not shown to be better than that.");
    }
  }
  return text;
}

std::string results_csv(const ResultLines& file, const std::vector<ResultGroup>& groups) {
  std::set<std::string> scores;
  for (const Result& line : file.lines) {
    for (const auto& [name, value] : line.scores) scores.insert(name);
  }
  std::string text = "graph,series,method,relation,protect_degree,epsilon,delta,accounting,valid,seed";
  for (const std::string& name : scores) text += "," + csv_cell(name);
  text += ",seconds\n";
  const auto number = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string(); };
  for (const ResultGroup& group : groups) {
    for (const size_t index : group.lines) {
      const Result& line = file.lines[index];
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{},{}", csv_cell(line.graph), csv_cell(group.series),
                      csv_cell(line.method), csv_cell(line.relation), number(line.protect_degree), number(line.epsilon),
                      number(line.delta), csv_cell(line.accounting), line.valid, line.seed.value_or(0));
      for (const std::string& name : scores) {
        const auto found = line.scores.find(name);
        text += found == line.scores.end() ? "," : fmt::format(",{}", found->second);
      }
      text += line.seconds > 0 ? fmt::format(",{}\n", line.seconds) : ",\n";
    }
  }
  return text;
}

}  // namespace graphveil::report
