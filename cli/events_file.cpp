#include "cli/events_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "graphveil/account/strict_json.h"
#include "graphveil/base/error.h"

namespace graphveil::cli {

account::AccountFile read_events(const std::vector<std::string>& paths) {
  account::AccountFile all;
  for (size_t i = 0; i < paths.size(); ++i) {
    const account::AccountFile one = read_events(paths[i]);
    all.ledger.add(one.ledger);
    if (i == 0) {
      all.delta = one.delta;
    } else if (all.delta != one.delta) {
      all.delta.reset();
    }
  }
  return all;
}

account::AccountFile read_events(const std::string& path) {
  if (std::filesystem::is_directory(path)) fail(ErrorKind::Io, "{}: is a folder, want a JSON file", path);
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(ErrorKind::Io, "{}: cannot be opened", path);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const nlohmann::json document = account::parse_strict_json(text, path);
  try {
    return account::account_file_from_json(document);
  } catch (const Error& error) {
    fail(error.kind(), "{}: {}", path, error.what());
  }
}

}  // namespace graphveil::cli
