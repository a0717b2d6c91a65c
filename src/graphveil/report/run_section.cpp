#include "graphveil/report/run_section.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/account/drawn.h"
#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/predictions_csv.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/words.h"
#include "graphveil/base/error.h"
#include "graphveil/base/json_fields.h"
#include "graphveil/base/strict_json.h"
#include "graphveil/report/json_values.h"
#include "graphveil/run/verify.h"

namespace graphveil::report {
namespace {

using artifact::Certificate;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// What is said of the guarantee: nothing that does not hold.
std::vector<std::string> words_on(const run::Verdict& verdict) {
  if (verdict.holds() || !verdict.certificate.valid()) return lines_of(artifact::in_words(verdict.certificate));
  std::vector<std::string> lines{"The certificate does NOT hold, and nothing that it claims is repeated here:"};
  for (const std::string& reason : verdict.reasons) lines.push_back("- " + reason);
  return lines;
}

// A line of the plan by itself: what it costs had nothing else been released.
ordered_json mechanism_rows(const Certificate& c) {
  ordered_json rows = ordered_json::array();
  for (const mechanism::PlanLine& line : c.plan.lines()) {
    const account::Single single = mechanism::mechanism_of(line.event);
    const double alone = account::drawn_epsilon(c.plan.as_run(account::Ledger{line.event}), c.delta);
    rows.push_back({{"label", line.event.label()},
                    {"mechanism", account::kind(single.mechanism)},
                    {"sampling", account::kind(single.sampling)},
                    {"count", line.event.count()},
                    {"sensitivity", line.sensitivity()},
                    {"norm", bound::name(line.norm())},
                    {"noise", mechanism::noise_scale(line)},
                    {"epsilon", or_null(std::optional(alone))},
                    {"epsilon_text", artifact::epsilon_text(alone)}});
  }
  return rows;
}

ordered_json statement_rows(const Certificate& c) {
  ordered_json rows = ordered_json::array();
  for (const artifact::Statement& s : c.statements) {
    rows.push_back({{"audience", mechanism::name(s.audience)},
                    {"what", s.what},
                    {"relation", bound::name(s.relation)},
                    {"degree", or_null(s.degree)},
                    {"epsilon", or_null(s.epsilon)},
                    {"epsilon_text", artifact::epsilon_text(s.epsilon)},
                    {"delta", s.delta}});
  }
  return rows;
}

// The guarantee and the options behind it: all of it public where the certificate is.
ordered_json certificate_part(const run::Verdict& verdict) {
  const Certificate& c = verdict.certificate;
  const bool holds = verdict.holds();
  ordered_json out{{"method", c.method},
                   {"created", c.created},
                   {"version", c.version},
                   {"holds", holds},
                   {"releasable", verdict.releasable()},
                   {"relation", bound::name(c.relation)},
                   {"neighbors", bound::in_words(c.relation)},
                   {"accounting", name(c.accounting)},
                   {"words", words_on(verdict)},
                   {"not_releasable", c.not_releasable},
                   {"unchecked", verdict.unchecked},
                   {"epsilon", nullptr},
                   {"epsilon_text", nullptr},
                   {"delta", c.delta},
                   {"plainly", nullptr},
                   {"statements", ordered_json::array()},
                   {"mechanisms", ordered_json::array()},
                   {"epsilon_at", ordered_json::array()}};
  if (holds && c.epsilon) {
    out["epsilon"] = or_null(c.epsilon);
    out["epsilon_text"] = artifact::epsilon_text(c.epsilon);
    if (verdict.releasable()) out["plainly"] = artifact::plain_reading(*c.epsilon, c.delta);
    out["statements"] = statement_rows(c);
    out["mechanisms"] = mechanism_rows(c);
    for (const artifact::EpsilonAt& at : c.epsilon_at) {
      out["epsilon_at"].push_back({{"delta", at.delta}, {"epsilon", or_null(at.epsilon)}});
    }
  }
  out["config"] = ordered_json::array();
  for (const auto& [option, value] : c.config) out["config"].push_back({option, value});
  out["public"] = {{"nodes", c.facts.nodes},
                   {"training nodes", c.facts.train_nodes},
                   {"features", c.facts.features},
                   {"classes", c.facts.classes}};
  out["fingerprints"] = {{"data, keyed", c.data_fingerprint}, {"model", c.model_sha256}, {"options", c.config_sha256}};
  return out;
}

// holder/metrics.jsonl: a line for every repeat; the kept one has the model of the folder.
ordered_json holder_scores(const std::string& path) {
  ordered_json out{{"repeats", ordered_json::array()}, {"classes", ordered_json::array()}, {"warning", nullptr}};
  int64_t number = 0;
  for (const std::string& text : lines_of(artifact::read_text(path))) {
    const std::string what = fmt::format("{}, line {}", path, ++number);
    const nlohmann::json line = parse_strict_json(text, what);
    ordered_json repeat = ordered_json::object();
    for (const char* score : {"test_accuracy", "val_accuracy", "train_accuracy", "macro_f1", "weighted_f1"}) {
      repeat[score] = rounded_score(number_field(line, score, what));
    }
    if (line.contains("majority")) repeat["majority"] = rounded_score(number_field(line, "majority", what));
    out["repeats"].push_back(repeat);
    if (!bool_field(line, "kept", what)) continue;
    if (line.contains("majority_warning")) out["warning"] = string_field(line, "majority_warning", what);
    for (const nlohmann::json& each : list_field(line, "classes", what)) {
      out["classes"].push_back({{"name", string_field(each, "class", what)},
                                {"nodes", whole_field(each, "nodes", what)},
                                {"recall", rounded_score(number_field(each, "recall", what))},
                                {"precision", rounded_score(number_field(each, "precision", what))}});
    }
    out["confusion"] = list_field(line, "confusion", what);
    for (const nlohmann::json& row : line["confusion"]) {
      if (row.is_array() && row.size() == out["classes"].size()) continue;
      fail(ErrorKind::BadInput, "{}: confusion has a row of {} counts, want {}", what, row.size(),
           out["classes"].size());
    }
  }
  return out;
}

constexpr const char* kTrainingCurves = "curves.csv";
constexpr size_t kCurvePoints = 200;

// holder/curves.csv: stage, what, pass, step, value. Of many points of a curve some are shown, evenly, and the last.
ordered_json training_curves(const std::string& path) {
  const std::vector<std::string> lines = lines_of(artifact::read_text(path));
  if (lines.empty() || lines.front() != "stage,what,pass,step,value") {
    fail(ErrorKind::BadInput, "{}: its first line is '{}', want 'stage,what,pass,step,value'", path,
         lines.empty() ? "" : lines.front().substr(0, 80));
  }
  std::vector<std::pair<std::string, std::vector<std::pair<double, double>>>> curves;
  for (size_t i = 1; i < lines.size(); ++i) {
    // The last two are numbers; what is before them names the curve.
    const size_t value_at = lines[i].rfind(','), step_at = lines[i].rfind(',', value_at - 1);
    double step = 0, value = 0;
    const auto number = [&](size_t begin, size_t end, double& out) {
      const char* last = lines[i].data() + end;
      const auto [rest, error] = std::from_chars(lines[i].data() + begin, last, out);
      return error == std::errc() && rest == last;
    };
    if (value_at == std::string::npos || value_at == 0 || step_at == std::string::npos ||
        !number(step_at + 1, value_at, step) || !number(value_at + 1, lines[i].size(), value)) {
      fail(ErrorKind::BadInput, "{}, line {}: want stage, what, pass, step and value, the last two numbers", path,
           i + 1);
    }
    const std::string name = lines[i].substr(0, step_at);
    if (curves.empty() || curves.back().first != name) {
      const auto known = std::ranges::find(curves, name, [](const auto& curve) { return curve.first; });
      if (known != curves.end()) std::rotate(known, known + 1, curves.end());
      if (known == curves.end()) curves.emplace_back(name, std::vector<std::pair<double, double>>{});
    }
    if (std::isfinite(value)) curves.back().second.emplace_back(step, value);
  }
  ordered_json out = ordered_json::array();
  for (const auto& [name, points] : curves) {
    const size_t pass_at = name.rfind(',');
    ordered_json shown = ordered_json::array();
    const size_t count = std::min(points.size(), kCurvePoints);
    for (size_t i = 1; i <= count; ++i) {
      const auto& [step, value] = points[i * points.size() / count - 1];
      shown.push_back({step, value});
    }
    const std::string what = name.substr(0, pass_at);
    out.push_back({{"name", what}, {"pass", name.substr(pass_at + 1)}, {"points", shown}});
  }
  return out;
}

bool may_read(const fs::path& path) {
  std::error_code refused;
  return fs::exists(path, refused) && !refused;
}

}  // namespace

ordered_json run_section(const std::string& path, bool release, std::optional<Matrix>& probabilities) {
  const run::Verdict verdict = run::verify_path(path);
  const Certificate& c = verdict.certificate;
  if (release && !verdict.releasable()) {
    const std::vector<std::string>& why = verdict.holds() ? c.not_releasable : verdict.reasons;
    fail(ErrorKind::BadInput, "{}: nothing of this run may be published: {}", path,
         why.empty() ? "its certificate does not hold" : why.front());
  }
  ordered_json out = certificate_part(verdict);
  bool holders = !verdict.releasable();  // a draft is nobody's but the holder's
  const fs::path folder = fs::path(path).has_filename() ? fs::path(path) : fs::path(path).parent_path();
  out["name"] = folder.filename().string();
  out["path"] = release ? folder.filename().string() : path;
  out["totals"] = ordered_json::array();
  out["scores"] = nullptr;
  out["curves"] = ordered_json::array();
  out["class_names"] = c.class_names;
  // Whose the predictions are follows from the certificate, never from where they lie.
  const bool everybody = verdict.releasable() && artifact::prediction_audience(c) == mechanism::Audience::Public;
  out["map_audience"] = everybody ? "public" : "holder";
  const fs::path predictions = folder / artifact::part_of(c, artifact::prediction_audience(c)) / artifact::kPredictions;
  if ((everybody || !release) && may_read(predictions)) {
    const std::string csv = artifact::read_text(predictions.string());
    try {
      probabilities = artifact::probabilities_from_csv(csv);
    } catch (const Error& error) {
      fail(error.kind(), "{}: {}", predictions.string(), error.what());
    }
    holders = holders || !everybody;
  }
  out["holders"] = holders;
  // What was released since is part of what readers of the page may have seen.
  if (verdict.log && verdict.log->releases > 1) {
    for (const run::Total& total : verdict.log->totals) {
      out["totals"].push_back({{"what", total.what},
                               {"covers", run::covers(total)},
                               {"epsilon", or_null(total.epsilon)},
                               {"epsilon_text", artifact::epsilon_text(total.epsilon)},
                               {"delta", total.delta}});
    }
  }
  if (release) return out;
  const fs::path metrics = folder / artifact::kHolder / artifact::kMetrics;
  if (may_read(metrics)) {
    out["scores"] = holder_scores(metrics.string());
    out["holders"] = true;
  }
  const fs::path curves = folder / artifact::kHolder / kTrainingCurves;
  if (may_read(curves)) {
    out["curves"] = training_curves(curves.string());
    out["holders"] = true;
  }
  return out;
}

}  // namespace graphveil::report
