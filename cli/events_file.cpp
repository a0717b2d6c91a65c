#include "cli/events_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "graphveil/run/json_fields.h"

namespace graphveil::cli {

account::AccountFile read_events(const std::string& path) {
  if (std::filesystem::is_directory(path)) fail(ErrorKind::Io, "{}: is a folder, want a JSON file", path);
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(ErrorKind::Io, "{}: cannot be opened", path);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const nlohmann::json document = run::parse_json(text, path);
  try {
    return account::account_file_from_json(document);
  } catch (const Error& error) {
    fail(error.kind(), "{}: {}", path, error.what());
  }
}

}  // namespace graphveil::cli
