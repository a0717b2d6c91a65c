#include "graphveil/sweep/result.h"

#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "graphveil/base/json_fields.h"
#include "graphveil/base/strict_json.h"
#include "graphveil/base/utc_time.h"
#include "graphveil/base/version.h"

namespace graphveil::sweep {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Names that the line has beside `outcome`.
constexpr const char* kTaken[] = {"method",      "relation",     "protect_degree", "epsilon", "delta",     "accounting",
                                  "valid",       "releasable",   "reasons",        "classes", "confusion", "noise",
                                  "statements",  "seconds",      "peak_memory_mb", "out",     "audience",  "macro_f1",
                                  "weighted_f1", "val_accuracy", "test_roc_auc"};

ordered_json or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json mean_of(const ordered_json& document, const char* name) {
  if (!document.contains(name) || !document[name].is_object()) return nullptr;
  return document[name].value("mean", ordered_json(nullptr));
}

// The share of the largest class, and the mean recall of the classes that occur: both of the test nodes.
void add_class_scores(const ordered_json& confusion, ordered_json& scores) {
  double total = 0, largest = 0, recalls = 0, occurring = 0;
  for (size_t label = 0; label < confusion.size(); ++label) {
    double row = 0;
    for (const ordered_json& count : confusion[label]) row += count.get<double>();
    total += row;
    largest = std::max(largest, row);
    if (row == 0) continue;
    recalls += confusion[label][label].get<double>() / row;
    ++occurring;
  }
  if (total == 0) return;
  scores["majority"] = largest / total;
  scores["balanced_accuracy"] = recalls / occurring;
}

ordered_json scores_of(const ordered_json& document) {
  ordered_json scores = ordered_json::object();
  for (const auto& [score, name] : {std::pair{"accuracy", "test_accuracy"},
                                    {"macro_f1", "macro_f1"},
                                    {"weighted_f1", "weighted_f1"},
                                    {"val_accuracy", "val_accuracy"},
                                    {"roc_auc", "test_roc_auc"}}) {
    scores[score] = mean_of(document, name);
  }
  if (document.contains("confusion") && document["confusion"].is_array()) {
    add_class_scores(document["confusion"], scores);
  }
  return scores;
}

// What a path of names leads to, or null: a number, or an object with mean, std and values.
ordered_json figure_of(const ordered_json& document, const std::string& path) {
  const ordered_json* at = &document;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('.', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    if (at->is_array()) {
      const size_t index =
          name.find_first_not_of("0123456789") == std::string::npos && !name.empty() ? std::stoul(name) : at->size();
      if (index >= at->size()) return nullptr;
      at = &(*at)[index];
    } else {
      if (!at->is_object() || !at->contains(name)) return nullptr;
      at = &(*at)[name];
    }
    begin = end + 1;
  }
  if (at->is_number()) {
    return {{"mean", *at}, {"std", nullptr}, {"values", ordered_json::array({*at})}};
  }
  if (!at->is_object() || !at->contains("mean")) return nullptr;
  return {{"mean", (*at)["mean"]},
          {"std", at->value("std", ordered_json(nullptr))},
          {"values", at->value("values", ordered_json::array())}};
}

// One sentence of what the program said: its error, else its last line.
std::string sentence(const Ended& ended) {
  constexpr std::string_view kOurs = "graphveil: ";
  std::string last;
  for (size_t begin = 0; begin < ended.error.size();) {
    const size_t end = std::min(ended.error.find('\n', begin), ended.error.size());
    const std::string line = ended.error.substr(begin, end - begin);
    if (!line.empty()) last = line;
    begin = end + 1;
  }
  if (ended.signal != 0) {
    return fmt::format("ended by signal {} ({}){}", ended.signal, strsignal(ended.signal),
                       ended.signal == 9 ? ": out of memory, or somebody ended it" : "");
  }
  if (last.starts_with(kOurs)) last = last.substr(kOurs.size());
  return last.empty() ? fmt::format("exit code {}, without a word", ended.exit_code) : last;
}

ordered_json head_of(const std::string& plan, const Run& run) {
  ordered_json line{{"id", run.id}, {"plan", plan}, {"row", run.label()}, {"command", join_words(run.words)}};
  line["status"] = "failed";
  line["error"] = nullptr;
  line["exit_code"] = nullptr;
  line["method"] = run.method.empty() ? ordered_json(nullptr) : ordered_json(run.method);
  line["label"] = run.label();
  line["options"] = run.options;
  line["graph"] = run.graph.empty() ? ordered_json(nullptr) : ordered_json(run.graph);
  line["data"] = run.data.empty() ? ordered_json(nullptr) : ordered_json(run.data);
  line["epsilon"] = or_null(run.epsilon);
  line["seed"] = run.seed ? ordered_json(*run.seed) : ordered_json(nullptr);
  return line;
}

Result finished(ordered_json line) {
  line["version"] = std::string(version());
  line["commit"] = nullptr;
  line["finished"] = utc_now();
  return parse_result(line.dump(-1, ' ', false, ordered_json::error_handler_t::replace), "a result");
}

}  // namespace

Result failed_result(const std::string& plan, const Run& run, const std::string& error) {
  ordered_json line = head_of(plan, run);
  line["error"] = error;
  return finished(std::move(line));
}

Result result_of(const std::string& plan, const Run& run, const Ended& ended) {
  ordered_json line = head_of(plan, run);
  const ordered_json document = ordered_json::parse(ended.out, nullptr, false);
  const bool done = ended.signal == 0 && ended.exit_code <= 1 && document.is_object();
  line["exit_code"] = ended.signal == 0 ? ordered_json(ended.exit_code) : ordered_json(nullptr);
  if (!done) {
    line["error"] = sentence(ended);
    line["seconds"] = {{"total", ended.seconds}};
    return finished(std::move(line));
  }
  line["status"] = "done";
  for (const char* name : {"relation", "protect_degree", "delta", "accounting", "valid", "releasable", "reasons"}) {
    line[name] = document.value(name, ordered_json(nullptr));
  }
  if (run.words[0] == "train") {
    line["method"] = document.value("method", line["method"]);
    if (!document.contains("epsilon") || document["epsilon"].is_null()) line["epsilon"] = nullptr;
    if (line["relation"].is_null()) line["accounting"] = "none";
    line["scores"] = scores_of(document);
    for (const char* name : {"classes", "confusion", "noise", "statements"}) {
      line[name] = document.value(name, ordered_json(nullptr));
    }
    line["epsilon_spent"] = document.value("epsilon", ordered_json(nullptr));
  }
  line["figures"] = ordered_json::object();
  for (const std::string& path : run.measures) line["figures"][path] = figure_of(document, path);
  line["outcome"] = ordered_json::object();
  for (const auto& [name, value] : document.items()) {
    const bool taken = std::ranges::any_of(kTaken, [&](const char* other) { return name == other; });
    if (!taken || run.words[0] != "train") line["outcome"][name] = value;
  }
  line["seconds"] = document.value("seconds", ordered_json::object());
  if (!line["seconds"].is_object() || !line["seconds"].contains("total")) line["seconds"] = {{"total", ended.seconds}};
  line["seconds"]["wall"] = ended.seconds;
  line["peak_memory_mb"] = document.value("peak_memory_mb", ordered_json(nullptr));
  return finished(std::move(line));
}

Result parse_result(const std::string& text, const std::string& what) {
  const json line = parse_strict_json(text, what);
  if (!line.is_object()) fail(ErrorKind::BadInput, "{}: is no object", what);
  Result out;
  out.line = text;
  out.id = string_field(line, "id", what);
  const std::string status = string_field(line, "status", what);
  if (status != "done" && status != "failed") {
    fail(ErrorKind::BadInput, "{}: 'status' is \"{}\", want done or failed", what, status);
  }
  out.done = status == "done";
  const auto text_of = [&](const char* name) {
    return line.contains(name) && line[name].is_string() ? line[name].get<std::string>() : std::string();
  };
  out.error = text_of("error");
  out.row = text_of("row");
  out.graph = text_of("graph");
  out.method = text_of("method");
  out.relation = text_of("relation");
  out.accounting = text_of("accounting");
  if (line.contains("epsilon") && line["epsilon"].is_number()) out.epsilon = line["epsilon"].get<double>();
  if (line.contains("seed") && line["seed"].is_number_integer()) out.seed = line["seed"].get<int64_t>();
  if (line.contains("scores") && line["scores"].is_object()) {
    for (const auto& [name, value] : line["scores"].items()) {
      if (value.is_number()) out.scores[name] = value.get<double>();
    }
  }
  if (line.contains("figures") && line["figures"].is_object()) {
    for (const auto& [path, figure] : line["figures"].items()) {
      if (!figure.is_object() || !figure.contains("mean") || !figure["mean"].is_number()) continue;
      Figure& read = out.figures[path];
      read.mean = figure["mean"].get<double>();
      if (figure.contains("std") && figure["std"].is_number()) read.std = figure["std"].get<double>();
      if (!figure.contains("values") || !figure["values"].is_array()) continue;
      for (const json& value : figure["values"]) {
        if (value.is_number()) read.values.push_back(value.get<double>());
      }
    }
  }
  if (line.contains("seconds") && line["seconds"].is_object()) {
    const json& seconds = line["seconds"];
    for (const char* name : {"wall", "total"}) {
      if (!seconds.contains(name) || !seconds[name].is_number()) continue;
      out.seconds = seconds[name].get<double>();
      break;
    }
  }
  if (line.contains("peak_memory_mb") && line["peak_memory_mb"].is_number()) {
    out.peak_memory_mb = line["peak_memory_mb"].get<double>();
  }
  return out;
}

}  // namespace graphveil::sweep
