#include "graphveil/kernels/grid_noise.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grid_transform.h"
#include "graphveil/kernels/isa/grid_noise.h"
#include "graphveil/kernels/isa/levels.h"

namespace graphveil::kernels {
namespace {

// Numbers per piece of the parallel loop, and per step within it; whole chunks and whole cipher blocks.
// Number i of a fill uses bytes 8 i .. 8 i + 7 of its stream.
constexpr int64_t kGridPiece = 65536;
constexpr int64_t kGridStep = 1024;

// The upper half of a stream, opened when the first number asks.
class UpperHalf : public FurtherWordSource {
 public:
  explicit UpperHalf(const StreamName& name) : name_(name) {}
  FurtherWords at(int64_t position) override {
    if (!stream_) stream_.emplace(name_.seed, name_.purpose, name_.index);
    stream_->seek_block(kFurtherBlocks + 2 * static_cast<uint64_t>(position));
    FurtherWords words;
    for (uint64_t& word : words.first) word = stream_->next_u64();
    for (uint64_t& word : words.second) word = stream_->next_u64();
    return words;
  }
  // A stream for each number: one in 2^63 asks.
  Beyond beyond(int64_t position) override {
    RandomStream stream(name_.seed, std::string(name_.purpose) + "/beyond/" + std::to_string(position), name_.index);
    Beyond out{.levels = 1, .word = stream.next_u64()};
    for (; out.word == 0; ++out.levels) out.word = stream.next_u64();
    for (uint64_t& word : out.further) word = stream.next_u64();
    return out;
  }

 private:
  const StreamName& name_;
  std::optional<RandomStream> stream_;
};

void check_scale(double scale) {
  require(scale == 0 || (scale >= 1 && scale <= kMaxGridScale), "noise scale is {} steps, want 0 or 1 to 2^45", scale);
}

// Adds number from + i of the fill to values[i]; `from` is a whole number of chunks.
template <typename T>
void add_noise(NoiseKind kind, std::span<T> values, double scale, const StreamName& name, int64_t from = 0) {
  check_scale(scale);
  if (scale == 0) return;
  const isa::GridNoiseKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kGridNoise);
  parallel_for(static_cast<int64_t>(values.size()), kGridPiece, [&](int64_t begin, int64_t end) {
    RandomStream stream(name.seed, name.purpose, name.index);
    stream.seek_block(static_cast<uint64_t>((from + begin) * 8 / kStreamBlockBytes));
    UpperHalf further(name);
    alignas(64) std::array<uint64_t, kGridStep> words;
    alignas(64) std::array<int64_t, kGridStep> numbers;
    for (int64_t first = begin; first < end; first += kGridStep) {
      const int64_t here = std::min(kGridStep, end - first);
      const auto whole = static_cast<size_t>((here + kGridChunk - 1) / kGridChunk * kGridChunk);
      T* target = values.data() + first;
      // The values come from memory while the noise is made.
      for (int64_t i = 0; i < here; i += 64 / static_cast<int64_t>(sizeof(T))) __builtin_prefetch(target + i, 1);
      stream.fill({reinterpret_cast<uint8_t*>(words.data()), whole * sizeof(uint64_t)});
      grid_noise_from_words(kind, std::span(words).first(whole), std::span(numbers).first(whole), scale, from + first,
                            further);
      if constexpr (sizeof(T) == sizeof(int64_t)) {
        kernels.add_wide(numbers.data(), target, here);
      } else {
        kernels.add_narrow(numbers.data(), target, here);
      }
    }
  });
}

}  // namespace

void add_gaussian(std::span<int64_t> values, double stddev_in_steps, const StreamName& stream) {
  add_noise(NoiseKind::Gaussian, values, stddev_in_steps, stream);
}

void add_gaussian(std::span<int64_t> values, double stddev_in_steps, const StreamName& stream, int64_t first) {
  require(first >= 0, "a part of a fill begins at {}", first);
  // Numbers are made a chunk at a time: what the first chunk has before `first` is made and left.
  const int64_t cut = first % kGridChunk;
  std::array<int64_t, kGridChunk> head{};
  const auto shared = std::min(values.size(), static_cast<size_t>(cut == 0 ? 0 : kGridChunk - cut));
  if (shared > 0) {
    std::copy_n(values.begin(), shared, head.begin() + cut);
    add_noise(NoiseKind::Gaussian, std::span<int64_t>(head), stddev_in_steps, stream, first - cut);
    std::copy_n(head.begin() + cut, shared, values.begin());
  }
  add_noise(NoiseKind::Gaussian, values.subspan(shared), stddev_in_steps, stream, first + static_cast<int64_t>(shared));
}

void add_gaussian(std::span<int32_t> values, double stddev_in_steps, const StreamName& stream) {
  add_noise(NoiseKind::Gaussian, values, stddev_in_steps, stream);
}

void add_laplace(std::span<int64_t> values, double scale_in_steps, const StreamName& stream) {
  add_noise(NoiseKind::Laplace, values, scale_in_steps, stream);
}

void add_laplace(std::span<int32_t> values, double scale_in_steps, const StreamName& stream) {
  add_noise(NoiseKind::Laplace, values, scale_in_steps, stream);
}

void fill_gumbel_grid(std::span<int64_t> out, double scale_in_steps, const StreamName& stream) {
  check_scale(scale_in_steps);
  std::fill(out.begin(), out.end(), 0);
  add_noise(NoiseKind::Gumbel, out, scale_in_steps, stream);
}

}  // namespace graphveil::kernels
