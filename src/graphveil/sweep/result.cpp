#include "graphveil/sweep/result.h"

#include <cmath>
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

bool given(const json& line, const char* name) { return line.contains(name) && !line[name].is_null(); }

std::string text_or_nothing(const json& line, const char* name, const std::string& what) {
  return given(line, name) ? string_field(line, name, what) : std::string();
}

std::optional<double> optional_number(const json& line, const char* name, const std::string& what) {
  return given(line, name) ? std::optional(number_field(line, name, what)) : std::nullopt;
}

const json& object_field(const json& line, const char* name, const std::string& what) {
  const json& value = field(line, name, what);
  if (!value.is_object()) fail(ErrorKind::BadInput, "{}: {} is {}, want an object", what, name, value.type_name());
  return value;
}

// A run says its noise by mechanism; of one that was found done in its folder there is one number.
bool drew_noise(const json& line, const std::string& what) {
  if (!given(line, "noise")) return true;
  if (line.at("noise").is_number()) return line.at("noise").get<double>() > 0;
  return !object_field(line, "noise", what).empty();
}

void read_scores(const json& line, const std::string& what, Result& out) {
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
  if (!given(line, "outcome") || !given(object_field(line, "outcome", what), "majority")) return;
  const json& majority = line["outcome"]["majority"];
  if (majority.is_object()) out.beats_majority = bool_field(majority, "beaten", what + ", outcome.majority");
}

void read_classes(const json& line, const std::string& what, Result& out) {
  if (given(line, "classes")) {
    for (const json& entry : list_field(line, "classes", what)) {
      const double recall = optional_number(entry, "recall", what).value_or(0);
      if (!(recall >= 0 && recall <= 1)) {
        fail(ErrorKind::BadInput, "{}: recall of a class is {}, want 0 to 1", what, recall);
      }
      out.classes.push_back({string_field(entry, "class", what), whole_field(entry, "nodes", what), recall});
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

void read_figures(const json& line, const std::string& what, Result& out) {
  if (!given(line, "figures")) return;
  for (const auto& [path, figure] : object_field(line, "figures", what).items()) {
    if (figure.is_null()) continue;
    const std::string where = fmt::format("{}: figures.{}", what, path);
    Figure& read = out.figures[path];
    read.mean = number_field(figure, "mean", where);
    read.std = optional_number(figure, "std", where);
    if (!given(figure, "values")) continue;
    for (const json& value : list_field(figure, "values", where)) {
      if (value.is_number()) read.values.push_back(value.get<double>());
    }
  }
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
  if (!line.is_object()) fail(ErrorKind::BadInput, "{}: is {}, want an object", what, line.type_name());
  Result out;
  out.line = text;
  out.id = string_field(line, "id", what);
  const std::string status = string_field(line, "status", what);
  if (status != "done" && status != "failed") {
    fail(ErrorKind::BadInput, "{}: status is '{}', want done or failed", what, status);
  }
  out.done = status == "done";
  out.command = text_or_nothing(line, "command", what);
  out.error = text_or_nothing(line, "error", what);
  out.graph = text_or_nothing(line, "graph", what);
  out.method = text_or_nothing(line, "method", what);
  out.relation = text_or_nothing(line, "relation", what);
  out.accounting = text_or_nothing(line, "accounting", what);
  for (const char* name : {"row", "label", "method"}) {
    if (out.row.empty()) out.row = text_or_nothing(line, name, what);
  }
  out.epsilon = optional_number(line, "epsilon", what);
  if (out.done && out.epsilon && !(*out.epsilon > 0 && std::isfinite(*out.epsilon))) {
    fail(ErrorKind::BadInput, "{}: epsilon is {}, want a positive number, or null without noise", what, *out.epsilon);
  }
  if (given(line, "seed")) {
    const json& seed = line["seed"];
    if (!seed.is_number_integer()) fail(ErrorKind::BadInput, "{}: seed is {}, want a whole number", what, seed.dump());
    out.seed = seed.get<int64_t>();
  }
  if (given(line, "protect_degree")) out.protect_degree = whole_field(line, "protect_degree", what);
  out.delta = optional_number(line, "delta", what);
  out.valid = given(line, "valid") && bool_field(line, "valid", what);
  out.releasable = given(line, "releasable") && bool_field(line, "releasable", what);
  out.noise = out.epsilon && drew_noise(line, what);
  if (given(line, "options")) {
    for (const auto& [name, value] : object_field(line, "options", what).items()) {
      out.options[name] = value.is_string() ? value.get<std::string>() : value.dump();
    }
  }
  if (given(line, "seconds")) {
    const json& seconds = object_field(line, "seconds", what);
    out.seconds = optional_number(seconds, "wall", what).value_or(optional_number(seconds, "total", what).value_or(0));
  }
  out.peak_memory_mb = optional_number(line, "peak_memory_mb", what).value_or(0);
  if (!out.done) return out;
  read_scores(line, what, out);
  read_classes(line, what, out);
  read_figures(line, what, out);
  return out;
}

}  // namespace graphveil::sweep
