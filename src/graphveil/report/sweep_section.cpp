#include "graphveil/report/sweep_section.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/json_fields.h"
#include "graphveil/base/strict_json.h"
#include "graphveil/report/attack_section.h"
#include "graphveil/report/json_values.h"

namespace graphveil::report {
namespace {

using nlohmann::ordered_json;

constexpr size_t kMostConfused = 24;  // classes beyond which a matrix of counts is no picture

ordered_json interval(const std::optional<nn::MeanInterval>& measured) {
  if (!measured) return nullptr;
  ordered_json out{{"mean", rounded_score(measured->mean)},
                   {"std", rounded_score(measured->std)},
                   {"low", nullptr},
                   {"high", nullptr}};
  if (measured->low) {
    out["low"] = rounded_score(*measured->low);
    out["high"] = rounded_score(*measured->high);
  }
  return out;
}

// Methods that read no edge are the ones to beat: without that a graph is of no use.
bool reads_edges(const std::string& method) { return !method.starts_with("mlp"); }

ordered_json group_json(const ResultLines& file, const ResultGroup& group, const std::string& score) {
  const Result& line = file.lines[group.first];
  ordered_json out{
      {"graph", line.graph},
      {"series", group.series},
      {"method", line.method},
      {"relation", line.relation.empty() ? ordered_json(nullptr) : ordered_json(line.relation)},
      {"degree", line.relation == "node" ? or_null(line.protect_degree) : ordered_json(nullptr)},
      {"epsilon", or_null(line.epsilon)},
      {"delta", or_null(line.delta)},
      {"accounting", line.accounting},
      {"proved", line.valid},
      {"edges", reads_edges(line.method)},
      {"noise", line.noise},
      {"runs", group.lines.size()},
      {"failed", group.failed},
      {"score", interval(group.score(score))},
      {"macro_f1", interval(group.score("macro_f1"))},
      {"majority", nullptr},
      {"beats_majority", group.beats_majority ? ordered_json(*group.beats_majority) : ordered_json(nullptr)},
      {"seconds", group.seconds ? ordered_json(rounded_score(*group.seconds)) : ordered_json(nullptr)},
      {"standing", name(group.standing)}};
  if (const auto majority = group.score("majority")) out["majority"] = rounded_score(majority->mean);
  ordered_json recall = ordered_json::array(), support = ordered_json::array(), names = ordered_json::array();
  for (const ResultClass& each : group.classes) {
    names.push_back(each.name);
    recall.push_back(rounded_score(each.recall));
    support.push_back(each.support);
  }
  out["classes"] = names;
  out["recall"] = recall;
  out["support"] = support;
  out["confusion"] = group.confusion.size() <= kMostConfused ? ordered_json(group.confusion) : ordered_json::array();
  return out;
}

// What `attack --json` said in that run: areas with their intervals, and what (epsilon, delta) allows. Curves are in
// the files of `attack --out` alone.
ordered_json attack_json(const Result& line, const std::string& path) {
  const std::string what = fmt::format("{}: {}", path, line.command);
  ordered_json out = attack_section(field(parse_strict_json(line.line, what), "outcome", what), what);
  out["row"] = line.row;
  out["graph"] = line.graph;
  out.erase("bound");
  for (ordered_json& curve : out["curves"]) curve.erase("points");
  return out;
}

}  // namespace

ordered_json sweep_section(const ResultLines& file, const std::vector<ResultGroup>& groups) {
  const std::string score = main_score(file);
  const std::filesystem::path path(file.path);
  const std::string folder = path.parent_path().filename().string();
  ordered_json out{{"name", path.filename() == "results.jsonl" && !folder.empty() ? folder : path.filename().string()},
                   {"path", file.path},
                   {"score", score},
                   {"unfinished", file.unfinished},
                   {"releasable", std::ranges::any_of(file.lines, &Result::releasable)},
                   {"groups", ordered_json::array()},
                   {"runs", ordered_json::array()},
                   {"attacks", ordered_json::array()},
                   {"failures", ordered_json::array()}};
  for (size_t g = 0; g < groups.size(); ++g) {
    out["groups"].push_back(group_json(file, groups[g], score));
    for (const size_t index : groups[g].lines) {
      const Result& line = file.lines[index];
      const auto number = [&](const std::string& name_of) {
        const auto found = line.scores.find(name_of);
        return found == line.scores.end() ? ordered_json(nullptr) : ordered_json(rounded_score(found->second));
      };
      out["runs"].push_back({g, line.seed.value_or(0), number(score), number("macro_f1"),
                             line.seconds > 0 ? ordered_json(rounded_score(line.seconds)) : ordered_json(nullptr)});
    }
  }
  for (const Result& line : file.lines) {
    if (line.done && line.command.starts_with("attack ")) out["attacks"].push_back(attack_json(line, file.path));
    if (line.done) continue;
    out["failures"].push_back({{"graph", line.graph},
                               {"series", line.row},
                               {"epsilon", or_null(line.epsilon)},
                               {"seed", line.seed.value_or(0)},
                               {"command", line.command},
                               {"error", line.error}});
  }
  return out;
}

}  // namespace graphveil::report
