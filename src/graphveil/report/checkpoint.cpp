#include "graphveil/report/checkpoint.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/load/atomic_file.h"
#include "graphveil/report/safetensors.h"

namespace graphveil::report {

void write_checkpoint(const std::string& path, const nn::State& state) {
  const std::vector<uint8_t> bytes = to_safetensors(state);
  load::AtomicFile file(path);
  file.write(std::as_bytes(std::span(bytes)));
  file.commit();
}

nn::State read_checkpoint(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(ErrorKind::Io, "cannot open {}", path);
  const std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(in)), {});
  if (in.bad()) fail(ErrorKind::Io, "cannot read {}", path);
  return from_safetensors(bytes, path);
}

void save_release(const mechanism::Release& release, nn::State& state) {
  const mechanism::ReleasePoint& point = release.point();
  state["release.lines"] = nn::to_tensor(static_cast<int64_t>(point.uses.size()));
  state["release.draws"] = nn::to_tensor(static_cast<int64_t>(point.draws));
  for (size_t i = 0; i < point.uses.size(); ++i) {
    const auto& use = point.uses[i];
    const std::string line = "release." + std::to_string(i) + ".";
    state[line + "count"] = nn::to_tensor(use.count);
    state[line + "norm"] = nn::to_tensor(static_cast<int64_t>(use.norm));
    // The bits themselves, so that the ledger comes back as it was.
    state[line + "sensitivity"] = nn::to_tensor(std::bit_cast<int64_t>(use.sensitivity));
    state[line + "noise_scale"] = nn::to_tensor(std::bit_cast<int64_t>(use.noise_scale));
  }
}

void load_release(const nn::State& state, mechanism::Release& release) {
  mechanism::ReleasePoint point = release.point();
  if (nn::read_number(state, "release.lines") != static_cast<int64_t>(point.uses.size())) {
    fail(ErrorKind::BadInput, "the checkpoint is of a run with another plan");
  }
  point.draws = static_cast<uint64_t>(nn::read_number(state, "release.draws"));
  for (size_t i = 0; i < point.uses.size(); ++i) {
    const std::string line = "release." + std::to_string(i) + ".";
    const int64_t norm = nn::read_number(state, line + "norm");
    if (norm < 0 || norm > static_cast<int64_t>(bound::Norm::Hamming)) {
      fail(ErrorKind::BadInput, "the checkpoint's field '{}norm' is {}", line, norm);
    }
    point.uses[i] = {
        nn::read_number(state, line + "count"), std::bit_cast<double>(nn::read_number(state, line + "sensitivity")),
        static_cast<bound::Norm>(norm), std::bit_cast<double>(nn::read_number(state, line + "noise_scale"))};
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
