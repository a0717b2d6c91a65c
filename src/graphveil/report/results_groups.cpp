#include "graphveil/report/results_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "graphveil/base/student_t.h"
#include "graphveil/sweep/summary.h"

namespace graphveil::report {
namespace {

// What tells groups of one label apart, in words.
std::string other_words(const Result& line) {
  std::string words = line.relation;
  if (line.protect_degree && line.relation == "node") words += fmt::format(" up to {} edges", *line.protect_degree);
  if (line.accounting == "published") words += " published";
  for (const auto& [option, value] : line.options) words += fmt::format(" {}={}", option, value);
  return words;
}

using SeriesKey = std::pair<std::string, std::string>;  // label, other words

SeriesKey series_key(const Result& line) { return {line.row, other_words(line)}; }

double epsilon_key(const Result& line) { return line.epsilon.value_or(std::numeric_limits<double>::infinity()); }

void add_scores(const ResultLines& file, ResultGroup& group) {
  std::map<std::string, std::vector<double>> values;
  double seconds = 0;
  int64_t timed = 0;
  for (const size_t index : group.lines) {
    for (const auto& [name, value] : file.lines[index].scores) values[name].push_back(value);
    if (file.lines[index].seconds <= 0) continue;
    seconds += file.lines[index].seconds;
    ++timed;
  }
  for (const auto& [name, list] : values) {
    if (list.size() == group.lines.size()) group.scores[name] = nn::mean_interval(list);
  }
  if (timed > 0) group.seconds = seconds / static_cast<double>(timed);
}

// Classes and confusion of lines that have the same classes; a line of another shape leaves the group without them.
void add_classes(const ResultLines& file, ResultGroup& group) {
  for (const size_t index : group.lines) {
    const Result& line = file.lines[index];
    const bool begins = index == group.lines.front();
    if (begins) {
      group.classes = line.classes;
      group.confusion = line.confusion;
      continue;
    }
    if (line.classes.size() != group.classes.size()) group.classes.clear();
    for (size_t k = 0; k < group.classes.size(); ++k) {
      group.classes[k].recall += line.classes[k].recall;
      group.classes[k].support += line.classes[k].support;
    }
    if (line.confusion.size() != group.confusion.size()) group.confusion.clear();
    for (size_t i = 0; i < group.confusion.size(); ++i) {
      for (size_t j = 0; j < group.confusion.size(); ++j) group.confusion[i][j] += line.confusion[i][j];
    }
  }
  for (ResultClass& each : group.classes) each.recall /= static_cast<double>(group.lines.size());
}

// Differences of a score on the seeds that both groups have.
std::vector<double> paired(const ResultLines& file, const ResultGroup& a, const ResultGroup& b,
                           const std::string& score) {
  std::map<int64_t, double> of_b;
  for (const size_t index : b.lines) of_b[file.lines[index].seed.value_or(0)] = file.lines[index].scores.at(score);
  std::vector<double> differences;
  for (const size_t index : a.lines) {
    const auto found = of_b.find(file.lines[index].seed.value_or(0));
    if (found != of_b.end()) differences.push_back(file.lines[index].scores.at(score) - found->second);
  }
  return differences;
}

// Whether the mean of these differences is above 0 at a level: the interval by Student's t leaves out 0.
bool above_zero(const std::vector<double>& differences, double level) {
  const auto n = static_cast<int64_t>(differences.size());
  if (n < 2) return false;
  const nn::MeanInterval mean = nn::mean_interval(differences);
  return mean.mean > student_t_quantile(level, n - 1) * mean.std / std::sqrt(static_cast<double>(n));
}

// Only proofs of the same thing are compared. The best was chosen by the data, so any pair may be the one that is
// looked at: the level is that of all pairs together (Bonferroni).
void add_standings(const ResultLines& file, std::vector<ResultGroup>& groups) {
  const std::string score = main_score(file);
  std::map<std::tuple<std::string, double, std::string, int64_t>, std::vector<ResultGroup*>> alike;
  for (ResultGroup& group : groups) {
    const Result& line = file.lines[group.first];
    if (!group.score(score) || !line.epsilon || line.relation.empty() || line.accounting == "published") continue;
    alike[{line.graph, *line.epsilon, line.relation, line.protect_degree.value_or(-1)}].push_back(&group);
  }
  for (auto& [key, list] : alike) {
    if (list.size() < 2) continue;
    ResultGroup* best =
        *std::ranges::max_element(list, {}, [&](const ResultGroup* group) { return group->score(score)->mean; });
    const auto count = static_cast<double>(list.size());
    const double level = 1 - 0.05 / (count * (count - 1) / 2);
    for (ResultGroup* group : list) {
      if (group == best) {
        group->standing = Standing::Best;
        continue;
      }
      const bool apart = above_zero(paired(file, *best, *group, score), level);
      group->standing = apart ? Standing::Behind : Standing::WithinNoise;
    }
  }
}

// A run that failed may not have come to know its relation or delta: it counts where graph, label and epsilon agree.
void add_failures(const ResultLines& file, std::vector<ResultGroup>& groups) {
  for (const Result& line : file.lines) {
    if (line.done || !is_training(line)) continue;
    const auto it = std::ranges::find_if(groups, [&](const ResultGroup& group) {
      const Result& other = file.lines[group.first];
      return other.graph == line.graph && other.row == line.row && other.epsilon == line.epsilon;
    });
    if (it != groups.end()) ++it->failed;
  }
}

}  // namespace

const char* name(Standing standing) {
  switch (standing) {
    case Standing::None: return "";
    case Standing::Best: return "best";
    case Standing::WithinNoise: return "within noise of the best";
    case Standing::Behind: return "behind the best";
  }
  return "";
}

std::optional<nn::MeanInterval> ResultGroup::score(const std::string& wanted) const {
  const auto found = scores.find(wanted);
  return found == scores.end() ? std::nullopt : std::optional(found->second);
}

bool is_training(const Result& line) { return line.command.starts_with("train "); }

std::string main_score(const ResultLines& file) {
  std::set<std::string> names;
  for (const Result& line : file.lines) {
    for (const auto& [score, value] : line.scores) names.insert(score);
  }
  for (const char* wanted : {"accuracy", "roc_auc", "auc"}) {
    if (names.contains(wanted)) return wanted;
  }
  return names.empty() ? "accuracy" : *names.begin();
}

std::vector<ResultGroup> grouped(const ResultLines& file) {
  std::map<std::string, std::set<std::string>> words_of;  // of every label
  std::vector<SeriesKey> order;
  std::vector<std::string> graphs;
  for (const Result& line : file.lines) {
    if (!line.done || !is_training(line)) continue;
    words_of[line.row].insert(other_words(line));
    if (std::ranges::find(order, series_key(line)) == order.end()) order.push_back(series_key(line));
    if (std::ranges::find(graphs, line.graph) == graphs.end()) graphs.push_back(line.graph);
  }
  const auto place = [](const auto& list, const auto& item) {
    return std::distance(list.begin(), std::ranges::find(list, item));
  };
  using Key = std::tuple<std::ptrdiff_t, std::ptrdiff_t, double, double>;
  std::map<Key, ResultGroup> found;
  for (size_t index = 0; index < file.lines.size(); ++index) {
    const Result& line = file.lines[index];
    if (!line.done || !is_training(line)) continue;
    const Key key{place(graphs, line.graph), place(order, series_key(line)), epsilon_key(line),
                  line.delta.value_or(-1)};
    const auto [it, fresh] = found.try_emplace(key);
    ResultGroup& group = it->second;
    if (fresh) {
      group.first = index;
      group.series = words_of[line.row].size() > 1 ? line.row + " (" + other_words(line) + ")" : line.row;
    }
    group.lines.push_back(index);
  }
  std::vector<ResultGroup> groups;
  for (auto& [key, group] : found) {
    std::ranges::stable_sort(group.lines, {}, [&](size_t index) { return file.lines[index].seed.value_or(0); });
    add_scores(file, group);
    add_classes(file, group);
    std::vector<const Result*> runs;
    for (const size_t index : group.lines) runs.push_back(&file.lines[index]);
    group.beats_majority = sweep::beats_majority(runs);
    groups.push_back(std::move(group));
  }
  add_failures(file, groups);
  add_standings(file, groups);
  return groups;
}

}  // namespace graphveil::report
