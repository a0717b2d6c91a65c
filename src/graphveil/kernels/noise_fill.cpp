#include "graphveil/kernels/noise_fill.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/kernels/noise_transform.h"

namespace graphveil::kernels {
namespace {

// Numbers per piece of the parallel loop, and per step within it; both whole chunks and whole cipher blocks.
constexpr int64_t kPiece = 32768;
constexpr int64_t kStep = 1024;
constexpr int64_t kBlockBytes = 16;
// Number i of a fill uses bytes 4 i .. 4 i + 3 of its stream. The further bits of rare numbers come from the
// upper half of the stream's blocks, one block a number, which nothing else reads.
constexpr uint64_t kFurtherBlocks = uint64_t{1} << 63;

// The upper half of a stream, opened when the first rare number asks.
class UpperHalf : public FurtherBits {
 public:
  explicit UpperHalf(const StreamName& name) : name_(name) {}
  double uniform(int64_t position) override {
    if (!stream_) stream_.emplace(name_.seed, name_.purpose, name_.index);
    stream_->seek_block(kFurtherBlocks + static_cast<uint64_t>(position));
    return std::ldexp(static_cast<double>(stream_->next_u64()) + 0.5, -64);
  }

 private:
  const StreamName& name_;
  std::optional<RandomStream> stream_;
};

// Puts numbers [begin, end) of the fill, in row-major order, in their places.
void place(const float* numbers, int64_t begin, int64_t end, MatrixView out, Into into) {
  int64_t r = begin / out.cols, c = begin % out.cols;
  while (begin < end) {
    const int64_t run = std::min(end - begin, out.cols - c);
    Real* target = out.data + r * out.stride + c;
    if (into == Into::Add) {
      for (int64_t i = 0; i < run; ++i) target[i] += numbers[i];
    } else {
      for (int64_t i = 0; i < run; ++i) target[i] = numbers[i];
    }
    numbers += run;
    begin += run;
    c = 0;
    ++r;
  }
}

// make(words, numbers, first, further) turns words into numbers first, first + 1, ... of the fill.
template <typename Make>
void fill_by_steps(MatrixView out, const StreamName& name, Into into, Make make) {
  parallel_for(out.size(), kPiece, [&](int64_t begin, int64_t end) {
    RandomStream stream(name.seed, name.purpose, name.index);
    stream.seek_block(static_cast<uint64_t>(begin * 4 / kBlockBytes));
    UpperHalf further(name);
    alignas(64) std::array<uint32_t, kStep> words;
    alignas(64) std::array<float, kStep> numbers;
    for (int64_t first = begin; first < end; first += kStep) {
      const int64_t count = std::min(kStep, end - first);
      const auto whole = static_cast<size_t>((count + kNoiseChunk - 1) / kNoiseChunk * kNoiseChunk);
      stream.fill({reinterpret_cast<uint8_t*>(words.data()), whole * sizeof(uint32_t)});
      make(std::span(words).first(whole), std::span(numbers).first(whole), first, further);
      place(numbers.data(), first, first + count, out, into);
    }
  });
}

void fill_noise(NoiseKind kind, MatrixView out, double scale, const StreamName& name, Into into) {
  require(scale >= 0 && std::isfinite(static_cast<float>(scale)), "noise scale is {}, want a finite number, 0 or more",
          scale);
  fill_by_steps(out, name, into,
                [&](std::span<const uint32_t> words, std::span<float> numbers, int64_t first, FurtherBits& further) {
                  noise_from_words(kind, words, numbers, scale, first, further);
                });
}

}  // namespace

void fill_gaussian(MatrixView out, double stddev, const StreamName& stream, Into into) {
  fill_noise(NoiseKind::Gaussian, out, stddev, stream, into);
}

void fill_laplace(MatrixView out, double scale, const StreamName& stream, Into into) {
  fill_noise(NoiseKind::Laplace, out, scale, stream, into);
}

void fill_gumbel(MatrixView out, double scale, const StreamName& stream, Into into) {
  fill_noise(NoiseKind::Gumbel, out, scale, stream, into);
}

void fill_uniform(MatrixView out, double low, double high, const StreamName& stream) {
  require(low <= high, "range of uniform numbers is {} to {}, want low <= high", low, high);
  const float base = static_cast<float>(low), width = static_cast<float>(high - low);
  fill_by_steps(out, stream, Into::Overwrite,
                [&](std::span<const uint32_t> words, std::span<float> numbers, int64_t, FurtherBits&) {
                  for (size_t i = 0; i < words.size(); ++i) {
                    numbers[i] = base + width * ((static_cast<float>(words[i] >> 8) + 0.5f) * 0x1p-24f);
                  }
                });
}

void fill_dropout_mask(MatrixView out, double keep_probability, const StreamName& stream) {
  require(keep_probability > 0 && keep_probability <= 1, "keep probability is {}, want more than 0, at most 1",
          keep_probability);
  // Kept when the word is at most `last`: last + 1 of the 2^32 words.
  const auto last = static_cast<uint32_t>(std::max(1.0, std::round(std::ldexp(keep_probability, 32))) - 1);
  const float kept = static_cast<float>(1 / keep_probability);
  fill_by_steps(out, stream, Into::Overwrite,
                [&](std::span<const uint32_t> words, std::span<float> numbers, int64_t, FurtherBits&) {
                  for (size_t i = 0; i < words.size(); ++i) numbers[i] = words[i] <= last ? kept : 0.0f;
                });
}

}  // namespace graphveil::kernels
