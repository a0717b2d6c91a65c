// The checkpoints of a run that can go on, in a folder beside its journal.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "graphveil/base/checkpoints.h"
#include "graphveil/base/random.h"

namespace graphveil::artifact {

// One file for each stage, there as a whole or not at all, readable by its owner alone. What it holds is private
// (moments of an optimizer, rows of private records), so it is for the holder and goes when the run is done. Files are
// sealed with keys from `seed` (AES-256 in GCM): one that was changed, or is of another run or stage, is refused.
class CheckpointFolder final : public Checkpoints {
 public:
  // Beside the journal of the run that becomes `folder`.
  static std::string path_of(const std::string& folder);
  // `before_first` is called before this process saves anything.
  CheckpointFolder(const std::string& folder, const Seed& seed, std::chrono::duration<double> every,
                   std::function<void()> before_first = nullptr);

  std::string next(const std::string& kind) override;
  std::optional<std::vector<uint8_t>> load(const std::string& stage) override;
  void save(const std::string& stage, std::span<const uint8_t> bytes) override;
  bool due() const override;
  // The run is done, or is not to go on: all of it goes.
  void remove() const;

 private:
  std::string file_of(const std::string& stage) const;

  std::string path_;
  Seed seed_;
  std::chrono::duration<double> every_;
  std::chrono::steady_clock::time_point last_;
  std::function<void()> before_first_;
  int64_t stages_ = 0;
};

}  // namespace graphveil::artifact
