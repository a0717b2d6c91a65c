// Checkpoints that are kept in memory, and a process that dies after some of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graphveil/base/checkpoints.h"
#include "graphveil/base/error.h"

namespace graphveil::nn {

class MemoryCheckpoints final : public Checkpoints {
 public:
  std::string next(const std::string& kind) override { return std::to_string(stages_++) + kind; }
  std::optional<std::vector<uint8_t>> load(const std::string& stage) override {
    const auto found = kept.find(stage);
    return found == kept.end() ? std::nullopt : std::optional(found->second);
  }
  void save(const std::string& stage, std::span<const uint8_t> bytes) override {
    kept[stage].assign(bytes.begin(), bytes.end());
    if (++saves == dies_at) throw Error(ErrorKind::Io, "killed");
  }
  bool due() const override { return true; }

  std::map<std::string, std::vector<uint8_t>> kept;
  int saves = 0;
  int dies_at = -1;  // the process ends after so many

 private:
  int stages_ = 0;
};

}  // namespace graphveil::nn
