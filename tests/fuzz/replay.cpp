// replay TARGET [COUNT]: runs the seeds of a fuzz target and COUNT seeded mutations of them, under the sanitizers.
// replay TARGET --write-seeds FOLDER: writes the seeds as files, for libFuzzer to start from.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <string>

#include "graphveil/base/parallel.h"
#include "graphveil/base/resources.h"
#include "tests/fuzz/targets.h"
#include "tests/threads.h"

// One allocation far beyond the size of the inputs is a mistake, and so is a large sum of them.
extern "C" const char* __asan_default_options() { return "max_allocation_size_mb=128:hard_rss_limit_mb=1024"; }
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }

namespace graphveil::fuzz {
namespace {

using Random = std::mt19937_64;

size_t below(Random& random, size_t bound) { return bound == 0 ? 0 : random() % bound; }

// Numbers that sizes and indices like to go wrong at.
template <typename T>
void overwrite(std::string& bytes, Random& random) {
  static constexpr int64_t kValues[] = {
      0, 1, -1, 2, 127, 128, 255, 256, INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MAX, int64_t{1} << 40, 1 << 30, 5, 7};
  if (bytes.size() < sizeof(T)) return;
  const auto value = static_cast<T>(kValues[below(random, std::size(kValues))]);
  std::memcpy(&bytes[below(random, bytes.size() - sizeof(T) + 1)], &value, sizeof(T));
}

std::string mutated(std::string bytes, Random& random) {
  const size_t changes = 1 + below(random, 4);
  for (size_t i = 0; i < changes; ++i) {
    const size_t at = below(random, bytes.size());
    const size_t length = std::min(1 + below(random, 32), bytes.size() - at);
    switch (below(random, 9)) {
      case 0:
        if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(random, 8));
        break;
      case 1:
        if (!bytes.empty()) bytes[at] = static_cast<char>(random());
        break;
      case 2: overwrite<int16_t>(bytes, random); break;
      case 3: overwrite<int32_t>(bytes, random); break;
      case 4: overwrite<int64_t>(bytes, random); break;
      case 5: bytes.erase(at, length); break;
      case 6: bytes.insert(at, bytes.substr(below(random, bytes.size()), length)); break;
      case 7: bytes.insert(at, "-1,nan,1e99\n", below(random, 12)); break;
      default:
        if (below(random, 4) == 0) bytes.resize(at);
    }
  }
  return bytes;
}

int replay(const Target& target, int64_t count) {
  set_thread_count(1);
  const std::vector<std::string> seeds = target.seeds();
  const auto run = [&](const std::string& bytes) {
    target.run({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  };
  for (const std::string& seed : seeds) run(seed);
  for (int64_t i = 0; i < count; ++i) {
    Random random(static_cast<uint64_t>(i));
    run(mutated(seeds[below(random, seeds.size())], random));
  }
  const int64_t peak = peak_memory_bytes() >> 20;
  std::printf("%s: %zu seeds and %lld mutations, peak %lld MiB\n", target.name, seeds.size(),
              static_cast<long long>(count), static_cast<long long>(peak));
  return 0;
}

}  // namespace
}  // namespace graphveil::fuzz

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const graphveil::fuzz::Target& target = graphveil::fuzz::target(argv[1]);
  if (argc == 4 && std::strcmp(argv[2], "--write-seeds") == 0) {
    int number = 0;
    for (const std::string& seed : target.seeds()) {
      std::ofstream(std::string(argv[3]) + "/seed" + std::to_string(number++), std::ios::binary) << seed;
    }
    return 0;
  }
  return graphveil::fuzz::replay(target, argc > 2 ? std::stoll(argv[2]) : 2000);
}
