#include "graphveil/kernels/noise_fill.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/kernels/isa/levels.h"
#include "graphveil/kernels/isa/noise.h"

namespace graphveil::kernels {
namespace {

// Numbers per piece of the parallel loop, and per step within it; both whole chunks and whole cipher blocks.
constexpr int64_t kPiece = 32768;
constexpr int64_t kStep = 1024;
constexpr int64_t kBlockBytes = 16;
// Number i of a fill uses bytes 4 i .. 4 i + 3 of its stream. The further bits of rare numbers come from the
// upper half of the stream's blocks, one block a number, which nothing else reads.
constexpr uint64_t kFurtherBlocks = uint64_t{1} << 63;

using isa::kNoiseChunk;
using isa::kRareBelow;

// A stream's further bits, opened when the first rare number asks.
class FurtherBits {
 public:
  explicit FurtherBits(const StreamName& name) : name_(name) {}
  // Uniform in (0, 1), 64 bits, for number `position` of the fill.
  double uniform(int64_t position) {
    if (!stream_) stream_.emplace(name_.seed, name_.purpose, name_.index);
    stream_->seek_block(kFurtherBlocks + static_cast<uint64_t>(position));
    return std::ldexp(static_cast<double>(stream_->next_u64()) + 0.5, -64);
  }

 private:
  const StreamName& name_;
  std::optional<RandomStream> stream_;
};

// -ln u with u = (w + further) / 2^bits: w in its coarse place, followed by 64 bits more.
double minus_log(uint32_t w, double further, int bits) {
  return bits * std::numbers::ln2 - std::log(static_cast<double>(w) + further);
}

// The three kinds of noise: the fast part in `make`, the few numbers that need more bits in `replace_rare`
// (which works on one step: `words` made `out`, the first being number `first` of the fill).
struct Gaussian {
  static bool make(const isa::NoiseKernels& k, const uint32_t* words, float* out, int64_t chunks, float scale) {
    return k.gaussian(words, out, chunks, scale);
  }
  static void replace_rare(const uint32_t* words, float* out, int64_t chunks, double scale, int64_t first,
                           FurtherBits& further) {
    constexpr int64_t kPairs = kNoiseChunk / 2;
    for (int64_t i = 0; i < chunks * kNoiseChunk; i += kNoiseChunk) {
      for (int64_t l = i; l < i + kPairs; ++l) {
        if (words[l] >= kRareBelow) continue;
        const double radius = scale * std::sqrt(2 * minus_log(words[l], further.uniform(first + l), 32));
        const double angle = 2 * std::numbers::pi * std::ldexp(static_cast<double>(words[l + kPairs]) + 0.5, -32);
        out[l] = static_cast<float>(radius * std::cos(angle));
        out[l + kPairs] = static_cast<float>(radius * std::sin(angle));
      }
    }
  }
};

struct Laplace {
  static bool make(const isa::NoiseKernels& k, const uint32_t* words, float* out, int64_t chunks, float scale) {
    return k.laplace(words, out, chunks, scale);
  }
  static void replace_rare(const uint32_t* words, float* out, int64_t chunks, double scale, int64_t first,
                           FurtherBits& further) {
    for (int64_t i = 0; i < chunks * kNoiseChunk; ++i) {
      if (words[i] >= kRareBelow) continue;
      const double size = scale * minus_log(words[i] >> 1, further.uniform(first + i), 31);
      out[i] = static_cast<float>((words[i] & 1) != 0 ? -size : size);
    }
  }
};

struct Gumbel {
  static bool make(const isa::NoiseKernels& k, const uint32_t* words, float* out, int64_t chunks, float scale) {
    return k.gumbel(words, out, chunks, scale);
  }
  static void replace_rare(const uint32_t* words, float* out, int64_t chunks, double scale, int64_t first,
                           FurtherBits& further) {
    for (int64_t i = 0; i < chunks * kNoiseChunk; ++i) {
      const bool low = words[i] < kRareBelow, high = ~words[i] < kRareBelow;
      if (!low && !high) continue;
      const double fraction = further.uniform(first + i);
      // Near u = 1 the exponential -ln u is small and is taken from 1 - u, where the further bits are.
      const double exponential = low ? minus_log(words[i], fraction, 32)
                                     : -std::log1p(-std::ldexp(static_cast<double>(~words[i]) + fraction, -32));
      out[i] = static_cast<float>(-scale * std::log(exponential));
    }
  }
};

// Copies numbers [begin, end) of the fill, in row-major order, to their places.
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

// step(words, numbers, chunks, first, further) turns the words of numbers [first, first + 32 chunks) into them.
template <typename Step>
void fill_by_steps(MatrixView out, const StreamName& name, Into into, Step step) {
  parallel_for(out.size(), kPiece, [&](int64_t begin, int64_t end) {
    RandomStream stream(name.seed, name.purpose, name.index);
    stream.seek_block(static_cast<uint64_t>(begin * 4 / kBlockBytes));
    FurtherBits further(name);
    alignas(64) std::array<uint32_t, kStep> words;
    alignas(64) std::array<float, kStep> numbers;
    for (int64_t first = begin; first < end; first += kStep) {
      const int64_t count = std::min(kStep, end - first);
      const int64_t chunks = (count + kNoiseChunk - 1) / kNoiseChunk;
      stream.fill({reinterpret_cast<uint8_t*>(words.data()), static_cast<size_t>(chunks * kNoiseChunk * 4)});
      step(words.data(), numbers.data(), chunks, first, further);
      place(numbers.data(), first, first + count, out, into);
    }
  });
}

template <typename Noise>
void fill_noise(MatrixView out, double scale, const StreamName& name, Into into) {
  require(scale >= 0 && std::isfinite(static_cast<float>(scale)), "noise scale is {}, want a finite number, 0 or more",
          scale);
  const isa::NoiseKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kNoise);
  fill_by_steps(out, name, into,
                [&](const uint32_t* words, float* numbers, int64_t chunks, int64_t first, FurtherBits& further) {
                  if (Noise::make(kernels, words, numbers, chunks, static_cast<float>(scale))) {
                    Noise::replace_rare(words, numbers, chunks, scale, first, further);
                  }
                });
}

}  // namespace

void fill_gaussian(MatrixView out, double stddev, const StreamName& stream, Into into) {
  fill_noise<Gaussian>(out, stddev, stream, into);
}

void fill_laplace(MatrixView out, double scale, const StreamName& stream, Into into) {
  fill_noise<Laplace>(out, scale, stream, into);
}

void fill_gumbel(MatrixView out, double scale, const StreamName& stream, Into into) {
  fill_noise<Gumbel>(out, scale, stream, into);
}

void fill_uniform(MatrixView out, double low, double high, const StreamName& stream) {
  require(low <= high, "range of uniform numbers is {} to {}, want low <= high", low, high);
  const float base = static_cast<float>(low), width = static_cast<float>(high - low);
  fill_by_steps(out, stream, Into::Overwrite,
                [&](const uint32_t* words, float* numbers, int64_t chunks, int64_t, FurtherBits&) {
                  for (int64_t i = 0; i < chunks * kNoiseChunk; ++i) {
                    numbers[i] = base + width * ((static_cast<float>(words[i] >> 8) + 0.5f) * 0x1p-24f);
                  }
                });
}

void fill_dropout_mask(MatrixView out, double keep_probability, const StreamName& stream) {
  require(keep_probability > 0 && keep_probability <= 1, "keep probability is {}, want more than 0, at most 1",
          keep_probability);
  const auto threshold = static_cast<uint64_t>(std::llround(std::ldexp(keep_probability, 32)));
  const float kept = static_cast<float>(1 / keep_probability);
  fill_by_steps(out, stream, Into::Overwrite,
                [&](const uint32_t* words, float* numbers, int64_t chunks, int64_t, FurtherBits&) {
                  for (int64_t i = 0; i < chunks * kNoiseChunk; ++i) numbers[i] = words[i] < threshold ? kept : 0.0f;
                });
}

}  // namespace graphveil::kernels
