#include "graphveil/report/document.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/artifact/read_file.h"
#include "graphveil/base/error.h"
#include "graphveil/base/strict_json.h"
#include "graphveil/base/utc_time.h"
#include "graphveil/base/version.h"
#include "graphveil/report/attack_section.h"
#include "graphveil/report/book_section.h"
#include "graphveil/report/node_map.h"
#include "graphveil/report/results_groups.h"
#include "graphveil/report/run_section.h"
#include "graphveil/report/source_kind.h"
#include "graphveil/report/sweep_section.h"

namespace graphveil::report {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int64_t kMapNodes = 1500, kAllMapNodes = 12000, kMostMapClasses = 256;
constexpr double kMapSize = 1000;  // coordinates are whole numbers from 0 to this

// Maps of one number of classes share their plane and their frame, so that they can be compared.
void add_maps(ordered_json& runs, const std::vector<std::optional<Matrix>>& probabilities) {
  std::map<int64_t, std::vector<size_t>> by_classes;
  for (size_t r = 0; r < probabilities.size(); ++r) {
    runs[r]["map"] = nullptr;
    if (!probabilities[r] || probabilities[r]->rows() == 0) continue;
    const int64_t classes = probabilities[r]->cols();
    if (classes >= 3 && classes <= kMostMapClasses) by_classes[classes].push_back(r);
  }
  for (const auto& [classes, members] : by_classes) {
    std::vector<ConstMatrixView> tables;
    for (const size_t r : members) tables.push_back(probabilities[r]->view());
    const auto count = static_cast<int64_t>(members.size());
    const auto maps = node_maps(tables, std::min(kMapNodes, std::max<int64_t>(100, kAllMapNodes / count)));
    double left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;
    for (const auto& points : maps) {
      for (const MapPoint& point : points) {
        left = std::min(left, point.x);
        right = std::max(right, point.x);
        bottom = std::min(bottom, point.y);
        top = std::max(top, point.y);
      }
    }
    const double size = std::max({right - left, top - bottom, 1e-12});
    for (size_t m = 0; m < members.size(); ++m) {
      ordered_json x = ordered_json::array(), y = ordered_json::array(), predicted = ordered_json::array();
      for (const MapPoint& point : maps[m]) {
        x.push_back(std::lround(kMapSize * (point.x - left) / size));
        y.push_back(std::lround(kMapSize * (point.y - bottom) / size));
        predicted.push_back(point.predicted);
      }
      runs[members[m]]["map"] = {{"nodes", probabilities[members[m]]->rows()},
                                 {"classes", classes},
                                 {"width", std::lround(kMapSize * (right - left) / size)},
                                 {"height", std::lround(kMapSize * (top - bottom) / size)},
                                 {"x", std::move(x)},
                                 {"y", std::move(y)},
                                 {"predicted", std::move(predicted)}};
    }
  }
}

std::string listed(const std::set<std::string>& items, size_t most) {
  std::string text;
  size_t n = 0;
  for (const std::string& item : items) {
    if (++n > most) return text + fmt::format(" and {} more", items.size() - most);
    text += text.empty() ? item : (n == items.size() ? " and " : ", ") + item;
  }
  return text;
}

std::string title_of(const ordered_json& document) {
  const auto count = [&](const char* part) { return document[part].size(); };
  if (count("sweeps") > 0) {
    std::set<std::string> series, graphs, attacked;
    for (const ordered_json& sweep : document["sweeps"]) {
      for (const ordered_json& group : sweep["groups"]) {
        series.insert(group["series"].get<std::string>());
        if (!group["graph"].get<std::string>().empty()) graphs.insert(group["graph"].get<std::string>());
      }
      for (const ordered_json& attack : sweep["attacks"]) {
        attacked.insert(attack["method"].get<std::string>());
        if (!attack["graph"].get<std::string>().empty()) graphs.insert(attack["graph"].get<std::string>());
      }
    }
    if (series.empty() && !attacked.empty()) {
      return fmt::format("Attacks on {} of {}", listed(attacked, 4), graphs.empty() ? "one graph" : listed(graphs, 3));
    }
    return fmt::format("{} on {}", series.size() == 1 ? *series.begin() : fmt::format("{} methods", series.size()),
                       graphs.empty() ? "one graph" : listed(graphs, 3));
  }
  if (count("runs") > 0) {
    std::set<std::string> methods;
    for (const ordered_json& run : document["runs"]) methods.insert(run["method"].get<std::string>());
    return fmt::format("{} of {}", count("runs") == 1 ? "A run" : fmt::format("{} runs", count("runs")),
                       listed(methods, 4));
  }
  if (count("books") > 0) {
    const std::string name = document["books"][0]["name"].get<std::string>();
    return "The privacy budget of " + (name.empty() ? "these people" : name);
  }
  if (count("attacks") > 0) return "Attacks on " + document["attacks"][0]["method"].get<std::string>();
  return "An audit of " + document["audits"][0]["target"].get<std::string>();
}

}  // namespace

ordered_json report_document(const std::vector<std::string>& paths, bool release) {
  require(!paths.empty(), "there is nothing to report on: name a folder or a file");
  ordered_json out{{"format", kReportFormat}, {"version", version()},
                   {"made", utc_now()},       {"title", ""},
                   {"audience", "public"},    {"sources", ordered_json::array()}};
  for (const char* part : {"runs", "sweeps", "books", "attacks", "audits"}) out[part] = ordered_json::array();
  std::vector<std::optional<Matrix>> probabilities;
  bool holders = false;
  for (const std::string& path : paths) {
    const SourceKind kind = kind_of(path);
    if (release && kind != SourceKind::Run) {
      fail(ErrorKind::BadInput,
           "{}: is a {}, and only runs have something that may be published; leave out --for release", path,
           name(kind));
    }
    const std::string shown = release ? std::filesystem::path(path).filename().string() : path;
    out["sources"].push_back({{"path", shown}, {"kind", name(kind)}});
    const auto document = [&] { return parse_strict_json(artifact::read_text(path), path); };
    switch (kind) {
      case SourceKind::Run:
        out["runs"].push_back(run_section(path, release, probabilities.emplace_back()));
        holders = holders || out["runs"].back()["holders"].get<bool>();
        break;
      case SourceKind::Sweep: {
        const ResultLines file = sweep::read_results(results_path(path));
        out["sweeps"].push_back(sweep_section(file, grouped(file)));
        break;
      }
      case SourceKind::Book: out["books"].push_back(book_section(path)); break;
      case SourceKind::Attack: out["attacks"].push_back(attack_section(document(), path)); break;
      case SourceKind::Audit: out["audits"].push_back(audit_section(document(), path)); break;
    }
    holders = holders || kind != SourceKind::Run;
  }
  add_maps(out["runs"], probabilities);
  out["audience"] = holders ? "holder" : "public";
  out["title"] = title_of(out);
  return out;
}

}  // namespace graphveil::report
