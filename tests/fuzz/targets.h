// What the fuzzers run: each takes any bytes, makes them a file, and reads it. A reader may refuse with an Error that
// has a message; whatever it accepts must be a sound dataset. Anything else ends the process.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace graphveil::fuzz {

using Input = std::span<const uint8_t>;

struct Target {
  const char* name;
  void (*run)(Input);
  std::vector<std::string> (*seeds)();  // good files, and broken ones that once found a mistake
};

const std::vector<Target>& targets();

// By name; ends the process when there is none.
const Target& target(const std::string& name);

}  // namespace graphveil::fuzz
