#include "graphveil/sweep/kept_run.h"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/base/strict_json.h"

namespace graphveil::sweep {

std::optional<std::string> outcome_of_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  if (!fs::exists(folder)) return std::nullopt;
  fs::path release = fs::path(folder) / artifact::kRelease;
  if (!fs::exists(release)) release = fs::path(folder) / artifact::kDraft;
  const std::string path = (release / artifact::kCertificate).string();
  nlohmann::json out = parse_strict_json(artifact::read_text(path), path);
  const std::string metrics = (fs::path(folder) / artifact::kHolder / artifact::kMetrics).string();
  const std::string text = artifact::read_text(metrics);
  const nlohmann::json first = parse_strict_json(text.substr(0, text.find('\n')), metrics);
  for (const char* name : {"test_accuracy", "val_accuracy", "macro_f1", "weighted_f1"}) {
    if (first.contains(name)) out[name] = {{"mean", first[name]}};
  }
  for (const char* name : {"classes", "confusion"}) {
    if (first.contains(name)) out[name] = first[name];
  }
  return out.dump();
}

}  // namespace graphveil::sweep
