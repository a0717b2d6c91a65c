// Runs the program as a user would.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/files/builders.h"

namespace graphveil::cli {

using files::TemporaryFolder;

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string error;
  // Of --json: one object and nothing else.
  nlohmann::json json() const { return nlohmann::json::parse(out, nullptr, false); }
};

// Standard error goes to a file beside the data.
inline Outcome run(const TemporaryFolder& folder, const std::string& arguments) {
  const std::string command = fmt::format("{} {} 2>{}", GRAPHVEIL_PROGRAM, arguments, folder.path("stderr"));
  Outcome result;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return result;
  std::array<char, 4096> buffer;
  while (const size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) result.out.append(buffer.data(), got);
  const int status = ::pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.error = files::read_bytes(folder.path("stderr"));
  return result;
}

}  // namespace graphveil::cli
