#include "graphveil/report/source_kind.h"

#include <filesystem>
#include <string_view>

#include <nlohmann/json.hpp>

#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/base/error.h"
#include "graphveil/base/strict_json.h"

namespace graphveil::report {
namespace {

namespace fs = std::filesystem;

constexpr const char* kResults = "results.jsonl";
constexpr std::string_view kSqlite = "SQLite format 3";

}  // namespace

const char* name(SourceKind kind) {
  switch (kind) {
    case SourceKind::Sweep: return "sweep";
    case SourceKind::Run: return "run";
    case SourceKind::Book: return "budget book";
    case SourceKind::Attack: return "attack";
    case SourceKind::Audit: return "audit";
  }
  return "";
}

std::string results_path(const std::string& path) {
  return fs::is_directory(path) ? (fs::path(path) / kResults).string() : path;
}

SourceKind kind_of(const std::string& path) {
  if (!fs::exists(path)) fail(ErrorKind::Io, "{}: there is no such file or folder", path);
  if (fs::is_directory(path)) {
    if (fs::exists(fs::path(path) / kResults)) return SourceKind::Sweep;
    for (const char* part : {artifact::kRelease, artifact::kDraft, artifact::kCertificate}) {
      if (fs::exists(fs::path(path) / part)) return SourceKind::Run;
    }
    fail(
        ErrorKind::BadInput,
        "{}: has no results.jsonl of a sweep and no release/ or draft/ of a run; name a folder that `sweep`, `compare` "
        "or `train --out` wrote",
        path);
  }
  if (path.ends_with(".jsonl")) return SourceKind::Sweep;
  const std::string text = artifact::read_text(path);
  if (text.starts_with(kSqlite)) return SourceKind::Book;
  const nlohmann::json document = parse_strict_json(text, path);
  if (document.is_object()) {
    if (document.contains("attack")) return SourceKind::Attack;
    if (document.contains("epsilon_claimed") && document.contains("rows")) return SourceKind::Audit;
    if (document.contains("format") && document.contains("digest")) return SourceKind::Run;
  }
  fail(ErrorKind::BadInput,
       "{}: has neither `attack` nor `epsilon_claimed` and `rows` nor `format` and `digest`; want a file that `attack "
       "--out` or `audit --out` wrote, a certificate, a budget book or a results.jsonl",
       path);
}

}  // namespace graphveil::report
