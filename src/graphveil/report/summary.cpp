#include "graphveil/report/summary.h"

#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace graphveil::report {
namespace {

using nlohmann::ordered_json;

constexpr size_t kMostRows = 12;

std::string words(const ordered_json& value) { return value.get<std::string>(); }

// "70.2 ± 1.1%"
std::string percent(const ordered_json& interval) {
  if (interval.is_null()) return "not measured";
  std::string text = fmt::format("{:.1f}", 100 * interval["mean"].get<double>());
  if (!interval["high"].is_null()) {
    text += fmt::format(" ± {:.1f}", 100 * (interval["high"].get<double>() - interval["mean"].get<double>()));
  }
  return text + "%";
}

std::string run_lines(const ordered_json& run) {
  std::string text = fmt::format("{} ({}): ", words(run["name"]), words(run["method"]));
  if (run["epsilon"].is_null()) {
    text += "no guarantee holds\n";
  } else {
    text +=
        fmt::format("epsilon {} at delta {:.3g}, relation {}; {}\n", words(run["epsilon_text"]),
                    run["delta"].get<double>(), words(run["relation"]),
                    run["releasable"].get<bool>() ? "may be released as its certificate says" : "NOT to be released");
  }
  if (!run["scores"].is_null() && !run["scores"]["repeats"].empty()) {
    text += fmt::format("  test accuracy {:.1f}% (the holder's)\n",
                        100 * run["scores"]["repeats"][0]["test_accuracy"].get<double>());
    if (!run["scores"]["warning"].is_null()) text += fmt::format("  warning: {}\n", words(run["scores"]["warning"]));
  }
  return text;
}

std::string attack_lines(const ordered_json& attack) {
  std::string text;
  for (const ordered_json& curve : attack["curves"]) {
    text += fmt::format("{} on {}, {}: AUC {:.3f}{}\n", words(attack["attack"]), words(attack["method"]),
                        words(curve["name"]), curve["auc"]["mean"].get<double>(),
                        attack["allowed_auc"].is_null()
                            ? ""
                            : fmt::format(" ((epsilon, delta) allows {:.3f})", attack["allowed_auc"].get<double>()));
  }
  return text;
}

std::string sweep_lines(const ordered_json& sweep) {
  std::string text = fmt::format("{}: {} runs done, {} failed\n", words(sweep["name"]),
                                 sweep["runs"].size() + sweep["attacks"].size(), sweep["failures"].size());
  size_t rows = 0;
  for (const ordered_json& group : sweep["groups"]) {
    if (++rows > kMostRows) {
      text += fmt::format("  and {} more rows in the report\n", sweep["groups"].size() - kMostRows);
      break;
    }
    const std::string epsilon =
        group["epsilon"].is_null() ? "no noise" : fmt::format("epsilon {:g}", group["epsilon"].get<double>());
    const bool beaten = group["beats_majority"] != false;
    text += fmt::format("  {:<16} {:<24} {:<14} {:<16} {}{}\n", words(group["graph"]), words(group["series"]), epsilon,
                        percent(group["score"]), words(group["standing"]),
                        beaten ? "" : " (not shown to be better than the largest class)");
  }
  for (const ordered_json& attack : sweep["attacks"]) text += "  " + attack_lines(attack);
  return text;
}

}  // namespace

std::string summary_text(const ordered_json& document) {
  std::string text = words(document["title"]) + "\n";
  for (const ordered_json& run : document["runs"]) text += run_lines(run);
  for (const ordered_json& sweep : document["sweeps"]) text += sweep_lines(sweep);
  for (const ordered_json& book : document["books"]) text += words(book["words"]) + "\n";
  for (const ordered_json& attack : document["attacks"]) text += attack_lines(attack);
  for (const ordered_json& audit : document["audits"]) {
    text += fmt::format("audit of {}: {}\n", words(audit["target"]),
                        audit["refuted"].get<bool>() ? "a claim is REFUTED" : "nothing refuted");
  }
  if (words(document["audience"]) == "holder") {
    text += "The report holds what is the data holder's: not to be published unless the data are public.\n";
  }
  std::string printable;
  for (const char c : text) {
    if (c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f)) printable += c;
  }
  return printable;
}

}  // namespace graphveil::report
