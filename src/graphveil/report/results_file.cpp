#include "graphveil/report/results_file.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/artifact/read_file.h"
#include "graphveil/base/error.h"
#include "graphveil/base/json_fields.h"
#include "graphveil/base/strict_json.h"

namespace graphveil::report {
namespace {

using nlohmann::json;

bool given(const json& line, const char* name) { return line.contains(name) && !line[name].is_null(); }

std::string text_or(const json& line, const char* name, const std::string& otherwise, const std::string& what) {
  return given(line, name) ? string_field(line, name, what) : otherwise;
}

std::optional<double> number_or_none(const json& line, const char* name, const std::string& what) {
  return given(line, name) ? std::optional(number_field(line, name, what)) : std::nullopt;
}

// Values of options as people type them.
std::string option_text(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

const json& object_field(const json& line, const char* name, const std::string& what) {
  const json& value = field(line, name, what);
  if (!value.is_object()) fail(ErrorKind::BadInput, "{}: {} is {}, want an object", what, name, value.type_name());
  return value;
}

void read_scores(const json& line, const std::string& what, ResultLine& out) {
  if (!given(line, "scores")) return;
  for (const auto& [name, value] : object_field(line, "scores", what).items()) {
    if (value.is_null()) continue;
    if (!value.is_number()) {
      fail(ErrorKind::BadInput, "{}: scores.{} is {}, want a number or null", what, name, value.type_name());
    }
    out.scores[name] = value.get<double>();
  }
  for (const char* fraction : {"accuracy", "majority", "macro_f1", "balanced_accuracy", "roc_auc"}) {
    const auto found = out.scores.find(fraction);
    if (found != out.scores.end() && !(found->second >= 0 && found->second <= 1)) {
      fail(ErrorKind::BadInput, "{}: scores.{} is {}, want 0 to 1", what, fraction, found->second);
    }
  }
}

void read_classes(const json& line, const std::string& what, ResultLine& out) {
  if (given(line, "classes")) {
    for (const json& entry : list_field(line, "classes", what)) {
      const char* name = entry.is_object() && entry.contains("name") ? "name" : "class";
      const char* support = entry.is_object() && entry.contains("support") ? "support" : "nodes";
      const double recall = number_or_none(entry, "recall", what).value_or(0);
      if (!(recall >= 0 && recall <= 1)) {
        fail(ErrorKind::BadInput, "{}: recall of a class is {}, want 0 to 1", what, recall);
      }
      out.classes.push_back({string_field(entry, name, what), whole_field(entry, support, what), recall});
    }
  }
  if (!given(line, "confusion")) return;
  for (const json& row : list_field(line, "confusion", what)) {
    std::vector<int64_t> counts;
    for (const json& cell : row) {
      if (!cell.is_number_integer() || cell.get<int64_t>() < 0) {
        fail(ErrorKind::BadInput, "{}: confusion has {}, want counts", what, cell.dump());
      }
      counts.push_back(cell.get<int64_t>());
    }
    out.confusion.push_back(std::move(counts));
  }
  for (const auto& row : out.confusion) {
    if (row.size() != out.confusion.size() || (!out.classes.empty() && row.size() != out.classes.size())) {
      fail(ErrorKind::BadInput, "{}: confusion has {} rows and one of {} counts, want as many as there are classes",
           what, out.confusion.size(), row.size());
    }
  }
}

ResultLine read_line(const json& line, const std::string& what) {
  if (!line.is_object()) fail(ErrorKind::BadInput, "{}: is {}, want an object", what, line.type_name());
  ResultLine out;
  out.id = string_field(line, "id", what);
  out.method = text_or(line, "method", "", what);
  out.label = text_or(line, "label", text_or(line, "row", out.method, what), what);
  out.graph = text_or(line, "graph", "", what);
  out.command = text_or(line, "command", "", what);
  out.accounting = text_or(line, "accounting", "none", what);
  out.error = text_or(line, "error", "", what);
  const std::string status = string_field(line, "status", what);
  if (status != "done" && status != "failed") {
    fail(ErrorKind::BadInput, "{}: status is '{}', want done or failed", what, status);
  }
  out.done = status == "done";
  if (given(line, "relation")) out.relation = string_field(line, "relation", what);
  if (given(line, "protect_degree")) out.protect_degree = whole_field(line, "protect_degree", what);
  out.epsilon = number_or_none(line, "epsilon", what);
  if (out.epsilon && !(*out.epsilon > 0 && std::isfinite(*out.epsilon))) {
    fail(ErrorKind::BadInput, "{}: epsilon is {}, want a positive number, or null without noise", what, *out.epsilon);
  }
  out.delta = number_or_none(line, "delta", what);
  out.valid = given(line, "valid") && bool_field(line, "valid", what);
  out.releasable = given(line, "releasable") && bool_field(line, "releasable", what);
  out.noise = out.epsilon && (!given(line, "noise") || !object_field(line, "noise", what).empty());
  out.seed = given(line, "seed") ? whole_field(line, "seed", what, int64_t{1} << 53) : 0;
  if (given(line, "options")) {
    for (const auto& [name, value] : object_field(line, "options", what).items()) {
      out.options[name] = option_text(value);
    }
  }
  if (!out.done) return out;
  read_scores(line, what, out);
  read_classes(line, what, out);
  if (given(line, "seconds")) out.seconds = number_or_none(object_field(line, "seconds", what), "total", what);
  return out;
}

}  // namespace

ResultsFile read_results(const std::string& path) {
  const std::string text = artifact::read_text(path);
  ResultsFile out{path, {}, false};
  std::map<std::string, size_t> place_of;
  int64_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    ++number;
    if (end == std::string::npos) {
      out.unfinished = true;
      break;
    }
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    if (line.empty()) continue;
    const std::string what = fmt::format("{}, line {}", path, number);
    ResultLine read = read_line(parse_strict_json(line, what), what);
    const auto [place, fresh] = place_of.emplace(read.id, out.lines.size());
    if (fresh) {
      out.lines.push_back(std::move(read));
    } else {
      out.lines[place->second] = std::move(read);
    }
  }
  return out;
}

}  // namespace graphveil::report
