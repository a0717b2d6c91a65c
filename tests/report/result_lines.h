// Lines of a results.jsonl for the tests of reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace graphveil::report {

struct MadeLine {
  std::string label = "lap", graph = "cora", relation = "node", accounting = "tight", method = "";
  std::optional<double> epsilon = 4.0;
  int64_t seed = 0;
  double accuracy = 0.5;
};

// As `sweep` writes it, with two classes of ten test nodes each.
inline nlohmann::ordered_json made_line(const MadeLine& line) {
  using Json = nlohmann::ordered_json;
  const Json epsilon = line.epsilon ? Json(*line.epsilon) : Json(nullptr);
  return {
      {"id", fmt::format("{}-{}-{}-{}-{}", line.label, line.graph, line.relation, epsilon.dump(), line.seed)},
      {"command", "train " + line.label},
      {"row", line.label},
      {"status", "done"},
      {"error", nullptr},
      {"method", line.method.empty() ? line.label : line.method},
      {"label", line.label},
      {"graph", line.graph},
      {"relation", line.epsilon ? Json(line.relation) : Json(nullptr)},
      {"protect_degree", line.epsilon && line.relation == "node" ? Json(100) : Json(nullptr)},
      {"epsilon", epsilon},
      {"delta", line.epsilon ? Json(1e-4) : Json(nullptr)},
      {"accounting", line.epsilon ? line.accounting : "none"},
      {"valid", true},
      {"releasable", false},
      {"seed", line.seed},
      {"options", Json::object()},
      {"scores", {{"accuracy", line.accuracy}, {"majority", 0.5}, {"macro_f1", 0.4}, {"roc_auc", nullptr}}},
      {"classes", {{{"class", "a"}, {"nodes", 10}, {"recall", 0.8}}, {{"class", "b"}, {"nodes", 10}, {"recall", 0.2}}}},
      {"confusion", {{8, 2}, {8, 2}}},
      {"seconds", {{"total", 0.5}}},
      {"of the future", 1}};
}

inline std::string made_text(const MadeLine& line) { return made_line(line).dump() + "\n"; }

}  // namespace graphveil::report
