#include "cli/events_file.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/artifact/read_file.h"
#include "graphveil/base/error.h"
#include "graphveil/base/strict_json.h"
#include "graphveil/run/verify.h"

namespace graphveil::cli {

namespace {

// Throws BadInput unless the certificate holds.
run::Covered covered_by(const std::string& text, const std::string& path) {
  const run::Verdict verdict = run::verify(text, {}, path);
  if (!verdict.holds()) {
    fail(ErrorKind::BadInput, "{}: the certificate does not hold: {}", path, fmt::join(verdict.reasons, "; "));
  }
  return run::covered(verdict.certificate);
}

// A run folder: its training and every prediction since.
std::vector<EventsFile> read_folder(const std::string& folder) {
  const run::Verdict verdict = run::verify_files(folder);
  if (!verdict.holds()) {
    fail(ErrorKind::BadInput, "{}: its certificate does not hold: {}", folder, fmt::join(verdict.reasons, "; "));
  }
  std::vector<EventsFile> out;
  for (const run::Covered& release : run::covered_folder(folder, verdict.certificate)) {
    out.push_back({release.ledger, verdict.certificate.delta, release});
  }
  return out;
}

}  // namespace

EventsFiles read_events(const std::vector<std::string>& paths) {
  EventsFiles all;
  std::vector<EventsFile> files;
  for (const std::string& path : paths) {
    if (std::filesystem::is_directory(path)) {
      for (EventsFile& one : read_folder(path)) files.push_back(std::move(one));
    } else {
      files.push_back(read_events(path));
    }
  }
  const auto certificate = std::find_if(files.begin(), files.end(), [](const EventsFile& f) { return f.covered; });
  for (const EventsFile& one : files) {
    all.ledger.add(one.ledger);
    if (&one == &files.front()) {
      all.delta = one.delta;
    } else if (all.delta != one.delta) {
      all.delta.reset();
    }
    if (certificate == files.end()) continue;
    run::Covered covered = one.covered.value_or(*certificate->covered);
    covered.ledger = one.ledger;
    // Declared disjoint from what its own run had read, which says nothing of the other runs' graphs.
    if (paths.size() > 1) covered.disjoint = false;
    if (!one.covered) covered.plan.reset();
    all.covered.push_back(std::move(covered));
  }
  return all;
}

EventsFile read_events(const std::string& path) {
  if (std::filesystem::is_directory(path)) fail(ErrorKind::Io, "{}: is a folder, want a JSON file", path);
  const std::string text = artifact::read_text(path);
  const nlohmann::json document = parse_strict_json(text, path);
  std::optional<run::Covered> covered;
  if (document.is_object() && document.contains("format")) covered = covered_by(text, path);
  try {
    const account::AccountFile file = account::account_file_from_json(document);
    return {file.ledger, file.delta, covered};
  } catch (const Error& error) {
    fail(error.kind(), "{}: {}", path, error.what());
  }
}

}  // namespace graphveil::cli
