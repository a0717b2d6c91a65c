// Where a long computation keeps how far it has come, so that a process that is killed loses little.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace graphveil {

// Of one run. Stages come in the same order, with the same inputs, in every process of the run: the first asks under
// the name that the first process gave its first stage, and so on.
class Checkpoints {
 public:
  virtual ~Checkpoints() = default;
  // The name of the stage that begins now.
  virtual std::string next(const std::string& kind) = 0;
  // What an earlier process of the run kept of it last; none: nothing. Throws BadInput when that is damaged.
  virtual std::optional<std::vector<uint8_t>> load(const std::string& stage) = 0;
  // Replaces what was kept of the stage, as a whole or not at all. Throws Io.
  virtual void save(const std::string& stage, std::span<const uint8_t> bytes) = 0;
  // Whether so much time went by since anything was kept that it is worth keeping more.
  virtual bool due() const = 0;
};

}  // namespace graphveil
