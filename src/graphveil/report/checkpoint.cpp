#include "graphveil/report/checkpoint.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string>
#include <vector>

#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/safetensors.h"
#include "graphveil/base/error.h"
#include "graphveil/files/atomic_file.h"

namespace graphveil::report {

void write_checkpoint(const std::string& path, const nn::State& state) {
  const std::vector<uint8_t> bytes = artifact::to_safetensors(state);
  files::AtomicFile file(path);
  file.write(std::as_bytes(std::span(bytes)));
  file.commit(0600);
}

nn::State read_checkpoint(const std::string& path) {
  return artifact::from_safetensors(artifact::read_file(path), path);
}

void save_release(const mechanism::Release& release, nn::State& state) {
  const mechanism::ReleasePoint& point = release.point();
  state["release.lines"] = nn::to_tensor(static_cast<int64_t>(point.uses.size()));
  state["release.draws"] = nn::to_tensor(static_cast<int64_t>(point.draws));
  for (size_t i = 0; i < point.uses.size(); ++i) {
    state["release." + std::to_string(i) + ".count"] = nn::to_tensor(point.uses[i]);
  }
}

void load_release(const nn::State& state, mechanism::Release& release) {
  mechanism::ReleasePoint point = release.point();
  if (nn::read_number(state, "release.lines") != static_cast<int64_t>(point.uses.size())) {
    fail(ErrorKind::BadInput, "the checkpoint is of a run with another plan");
  }
  point.draws = static_cast<uint64_t>(nn::read_number(state, "release.draws"));
  for (size_t i = 0; i < point.uses.size(); ++i) {
    point.uses[i] = nn::read_number(state, "release." + std::to_string(i) + ".count");
  }
  try {
    release.resume(point);
  } catch (const Error& error) {
    fail(ErrorKind::BadInput, "the checkpoint does not fit the run: {}", error.what());
  }
}

void save_seed(const Seed& seed, nn::State& state) {
  state["seed.bytes"] = nn::to_tensor(std::span<const uint8_t>(seed.bytes()));
  state["seed.reproducible"] = nn::to_tensor(int64_t{seed.reproducible()});
}

Seed load_seed(const nn::State& state) {
  const std::vector<uint8_t> bytes = nn::read_bytes(state, "seed.bytes");
  std::array<uint8_t, 32> key{};
  if (bytes.size() != key.size())
    fail(ErrorKind::BadInput, "the checkpoint's seed has {} bytes, want 32", bytes.size());
  std::copy(bytes.begin(), bytes.end(), key.begin());
  return Seed::from_bytes(key, nn::read_number(state, "seed.reproducible") != 0);
}

}  // namespace graphveil::report
