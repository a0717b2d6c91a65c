#include "cli/events_file.h"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/artifact/read_file.h"
#include "graphveil/base/error.h"
#include "graphveil/base/strict_json.h"
#include "graphveil/run/verify.h"

namespace graphveil::cli {

namespace {

// Certificates speak of one relation and degree each; together only if it is the same one.
void join(std::string& all, const std::string& one, const std::string& path) {
  require(all.empty() || one.empty() || all == one,
          "{}: protects {}, another file {}: what they cost together has no meaning for either", path, one, all);
  if (all.empty()) all = one;
}

// Whom a certificate protects; throws BadInput unless it holds.
std::string protected_by(const std::string& text, const std::string& path) {
  const run::Verdict verdict = run::verify(text, {}, path);
  if (!verdict.holds()) {
    fail(ErrorKind::BadInput, "{}: the certificate does not hold: {}", path, fmt::join(verdict.reasons, "; "));
  }
  const artifact::Certificate& c = verdict.certificate;
  const std::optional<int64_t> degree = c.statements.front().degree;
  return fmt::format("relation {}{}", bound::name(c.relation),
                     degree ? fmt::format(", at most {} outgoing edges", *degree) : "");
}

}  // namespace

EventsFile read_events(const std::vector<std::string>& paths) {
  EventsFile all;
  for (size_t i = 0; i < paths.size(); ++i) {
    const EventsFile one = read_events(paths[i]);
    all.ledger.add(one.ledger);
    join(all.protects, one.protects, paths[i]);
    if (i == 0) {
      all.delta = one.delta;
    } else if (all.delta != one.delta) {
      all.delta.reset();
    }
  }
  return all;
}

EventsFile read_events(const std::string& path) {
  if (std::filesystem::is_directory(path)) fail(ErrorKind::Io, "{}: is a folder, want a JSON file", path);
  const std::string text = artifact::read_text(path);
  const nlohmann::json document = parse_strict_json(text, path);
  std::string protects;
  if (document.is_object() && document.contains("format")) protects = protected_by(text, path);
  try {
    const account::AccountFile file = account::account_file_from_json(document);
    return {file.ledger, file.delta, protects};
  } catch (const Error& error) {
    fail(error.kind(), "{}: {}", path, error.what());
  }
}

}  // namespace graphveil::cli
