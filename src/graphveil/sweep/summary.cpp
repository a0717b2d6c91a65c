#include "graphveil/sweep/summary.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/similar.h"
#include "graphveil/base/student_t.h"

namespace graphveil::sweep {
namespace {

constexpr double kTogether = 0.05;  // chance that any statement of one graph and budget is wrong

bool before(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b) return a.has_value() && !b;
  return *a < *b;
}

std::vector<double> values_of(const std::map<int64_t, double>& values) {
  std::vector<double> out;
  for (const auto& [seed, value] : values) out.push_back(value);
  return out;
}

// Over the seeds that both have.
std::vector<double> differences_of(const Cell& a, const Cell& b) {
  std::vector<double> out;
  for (const auto& [seed, value] : a.values) {
    if (const auto found = b.values.find(seed); found != b.values.end()) out.push_back(value - found->second);
  }
  return out;
}

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(text);
}

std::set<std::string> runs_of_rows(const Plan& plan) {
  std::set<std::string> out;
  for (const PaperRow& row : plan.rows) {
    for (const auto& side : {row.published, row.sound}) {
      if (side) out.insert({side->run, side->minus});
    }
  }
  return out;
}

Cell& cell_of(Summary& summary, const Run& run, const std::optional<double>& epsilon) {
  for (Cell& cell : summary.cells) {
    if (cell.graph == run.graph && cell.label == run.label() && cell.epsilon == epsilon) return cell;
  }
  Cell cell;
  cell.graph = run.graph;
  cell.label = run.label();
  cell.epsilon = epsilon;
  summary.cells.push_back(std::move(cell));
  return summary.cells.back();
}

// Marks the best, and says how the others differ from it or from the baseline.
void compare(Summary& summary, const std::vector<Cell*>& group, const std::string& against) {
  std::vector<Cell*> measured;
  for (Cell* cell : group) {
    if (!cell->values.empty()) measured.push_back(cell);
  }
  if (measured.empty()) return;
  Cell* best = *std::ranges::max_element(measured, {}, [](const Cell* cell) { return cell->interval.mean; });
  const auto count = static_cast<double>(measured.size());
  const double level = 1 - kTogether / std::max(1.0, count * (count - 1) / 2);
  const auto apart = [&](const std::vector<double>& differences) {
    const auto interval = interval_at(differences, level);
    return interval && (interval->first > 0 || interval->second < 0);
  };
  // One value has no noise to be within.
  for (Cell* cell : measured) {
    cell->best = best->values.size() > 1 && (cell == best || !apart(differences_of(*best, *cell)));
  }
  const auto named = std::ranges::find(measured, against, [](const Cell* cell) { return cell->label; });
  if (!against.empty() && named == measured.end()) return;
  const Cell* other = against.empty() ? best : *named;
  for (const Cell* cell : measured) {
    if (cell == other) continue;
    const std::vector<double> pairs = differences_of(*cell, *other);
    if (pairs.empty()) continue;
    summary.differences.push_back({cell->graph, cell->label, other->label, cell->epsilon, nn::mean_interval(pairs),
                                   static_cast<int64_t>(pairs.size()), apart(pairs)});
  }
}

}  // namespace

std::optional<std::pair<double, double>> interval_at(const std::vector<double>& values, double level) {
  if (values.size() < 2) return std::nullopt;
  const nn::MeanInterval plain = nn::mean_interval(values);
  const double half = student_t_quantile(level, static_cast<int64_t>(values.size()) - 1) * plain.std /
                      std::sqrt(static_cast<double>(values.size()));
  return std::pair{plain.mean - half, plain.mean + half};
}

std::optional<bool> beats_majority(const std::vector<const Result*>& runs) {
  std::vector<double> leads;
  for (const Result* run : runs) {
    const auto accuracy = run->scores.find("accuracy"), majority = run->scores.find("majority");
    if (accuracy == run->scores.end() || majority == run->scores.end()) return std::nullopt;
    leads.push_back(accuracy->second - majority->second);
  }
  if (leads.empty()) return std::nullopt;
  if (leads.size() == 1) return runs.front()->beats_majority;
  return interval_at(leads, 1 - kTogether)->first > 0;
}

const Cell* Summary::find(const std::string& graph, const std::string& label,
                          const std::optional<double>& epsilon) const {
  for (const Cell& cell : cells) {
    if (cell.graph == graph && cell.label == label && cell.epsilon == epsilon) return &cell;
  }
  return nullptr;
}

Summary summarize(const Plan& plan, const std::map<std::string, Result>& results, const std::string& metric,
                  const std::string& against) {
  Summary out;
  out.metric = metric;
  const std::set<std::string> of_rows = runs_of_rows(plan);
  std::map<std::string, std::set<std::string>> relations;
  std::vector<std::vector<const Result*>> measured;  // by cell
  std::map<std::string, std::vector<double>> majorities;
  int64_t nameless = -1;  // a run without a seed is paired with none
  for (const Run& run : plan.runs) {
    if (of_rows.contains(run.id) || run.method.empty()) continue;
    add_once(out.graphs, run.graph);
    add_once(out.labels, run.label());
    Cell& cell = cell_of(out, run, run.epsilon);
    measured.resize(out.cells.size());
    const auto found = results.find(run.id);
    if (found == results.end()) {
      ++cell.missing;
      continue;
    }
    const Result& result = found->second;
    const auto score = result.scores.find(metric);
    if (!result.done || score == result.scores.end()) {
      ++(result.done ? cell.missing : cell.failed);
      continue;
    }
    cell.values[run.seed ? *run.seed : nameless--] = score->second;
    cell.relation = result.relation;
    measured[static_cast<size_t>(&cell - out.cells.data())].push_back(&result);
    if (const auto share = result.scores.find("majority"); share != result.scores.end()) {
      majorities[run.graph].push_back(share->second);
    }
    if (!result.relation.empty()) relations[cell.label].insert(result.relation);
  }
  require(against.empty() || std::ranges::find(out.labels, against) != out.labels.end() || out.labels.empty(),
          "the baseline '{}' is not among what is compared{}", against, did_you_mean(against, out.labels));
  for (const auto& [label, names] : relations) {
    std::string& text = out.relations[label];
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  }
  for (Cell& cell : out.cells) {
    if (!cell.values.empty()) cell.interval = nn::mean_interval(values_of(cell.values));
    if (std::ranges::find(out.budgets, cell.epsilon) == out.budgets.end()) out.budgets.push_back(cell.epsilon);
  }
  if (metric == "accuracy") {
    for (size_t c = 0; c < out.cells.size(); ++c) out.cells[c].beats_majority = beats_majority(measured[c]);
    for (const auto& [graph, shares] : majorities) out.majority[graph] = nn::mean_interval(shares).mean;
  }
  std::ranges::sort(out.budgets, before);
  for (const std::string& graph : out.graphs) {
    for (const std::optional<double>& epsilon : out.budgets) {
      std::vector<Cell*> group;
      for (Cell& cell : out.cells) {
        if (cell.graph == graph && cell.epsilon == epsilon) group.push_back(&cell);
      }
      compare(out, group, against);
    }
  }
  return out;
}

}  // namespace graphveil::sweep
