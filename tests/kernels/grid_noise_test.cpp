#include "graphveil/kernels/grid_noise.h"

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/kernels/grid_transform.h"
#include "tests/kernels/support.h"
#include "tests/threads.h"

namespace graphveil::kernels::grid_noise_test {
namespace {

const Seed kSeed = Seed::from_number(11);

// What the header promises about where bits come from.
class StreamWords : public FurtherWordSource {
 public:
  FurtherWords at(int64_t position) override {
    stream_.seek_block((uint64_t{1} << 63) + 2 * static_cast<uint64_t>(position));
    FurtherWords words;
    for (auto* part : {&words.first, &words.second}) {
      for (uint64_t& word : *part) word = stream_.next_u64();
    }
    return words;
  }
  // No word of this stream is all zeros or ones.
  Beyond beyond(int64_t) override { return {}; }

 private:
  RandomStream stream_{kSeed, "grid", 5};
};

using Fill = std::function<void(std::span<int64_t>, double, const StreamName&)>;
const std::pair<NoiseKind, Fill> kFills[] = {
    {NoiseKind::Gaussian, [](std::span<int64_t> v, double s, const StreamName& name) { add_gaussian(v, s, name); }},
    {NoiseKind::Laplace, [](std::span<int64_t> v, double s, const StreamName& name) { add_laplace(v, s, name); }},
    {NoiseKind::Gumbel, [](std::span<int64_t> v, double s, const StreamName& name) { fill_gumbel_grid(v, s, name); }}};

TEST(GridNoise, IsTheTransformOfItsStream) {
  constexpr size_t kCount = 200'000;  // several pieces, an incomplete chunk
  std::vector<uint64_t> words(200'000 / 16 * 16 + 16);
  RandomStream stream(kSeed, "grid", 5);
  stream.fill({reinterpret_cast<uint8_t*>(words.data()), words.size() * 8});
  for (const auto& [kind, fill] : kFills) {
    StreamWords further;
    std::vector<int64_t> want(words.size()), got(kCount - 3);
    grid_noise_from_words(kind, words, want, 0x1p33, 0, further);
    fill(got, 0x1p33, {kSeed, "grid", 5});
    want.resize(got.size());
    EXPECT_EQ(got, want);
  }
}

TEST(GridNoiseLevels, SameNumbersOnEveryLevelAndForAnyThreadCount) {
  const Restore restore;
  for (const auto& [kind, fill] : kFills) {
    std::vector<int64_t> want(300'000);
    set_thread_count(1);
    set_cpu_level(CpuLevel::Generic);
    fill(want, 5e7, {kSeed, "same", 1});
    for (CpuLevel level : available_levels()) {
      for (int threads : {1, 2, 5}) {
        set_cpu_level(level);
        set_thread_count(threads);
        std::vector<int64_t> got(want.size());
        fill(got, 5e7, {kSeed, "same", 1});
        EXPECT_EQ(got, want) << name(level) << " " << threads;
      }
    }
  }
}

TEST(GridNoise, NamesSeparateAndLengthDoesNotMatter) {
  std::vector<int64_t> longer(1000), shorter(77), purpose(77), index(77);
  add_gaussian(longer, 1e6, {kSeed, "a"});
  add_gaussian(shorter, 1e6, {kSeed, "a"});
  add_gaussian(purpose, 1e6, {kSeed, "b"});
  add_gaussian(index, 1e6, {kSeed, "a", 1});
  for (size_t i = 0; i < shorter.size(); ++i) {
    EXPECT_EQ(shorter[i], longer[i]);
    EXPECT_NE(shorter[i], purpose[i]);
    EXPECT_NE(shorter[i], index[i]);
  }
}

// The noise does not depend on what it is added to, and wraps.
TEST(GridNoise, AddsModuloTheWidth) {
  for (double scale : {100.0, 0x1p40}) {
    std::vector<int64_t> noise(500), wide(500, INT64_MAX);
    std::vector<int32_t> narrow(500, INT32_MAX - 7);
    add_laplace(noise, scale, {kSeed, "wrap"});
    add_laplace(wide, scale, {kSeed, "wrap"});
    add_laplace(narrow, scale, {kSeed, "wrap"});
    for (size_t i = 0; i < noise.size(); ++i) {
      EXPECT_EQ(static_cast<uint64_t>(wide[i]), static_cast<uint64_t>(INT64_MAX) + static_cast<uint64_t>(noise[i]));
      EXPECT_EQ(static_cast<uint32_t>(narrow[i]),
                static_cast<uint32_t>(INT32_MAX - 7) + static_cast<uint32_t>(noise[i]));
    }
  }
}

TEST(GridNoise, EmptyZeroScaleAndRefusals) {
  std::vector<int64_t> none, some{1, 2, 3};
  add_gaussian(none, 10, {kSeed, "e"});
  add_gaussian(some, 0, {kSeed, "e"});
  EXPECT_EQ(some, (std::vector<int64_t>{1, 2, 3}));
  fill_gumbel_grid(some, 0, {kSeed, "e"});
  EXPECT_EQ(some, (std::vector<int64_t>{0, 0, 0}));
  for (double scale : {-1.0, 0.5, 0x1p46, static_cast<double>(INFINITY), std::nan("")}) {
    EXPECT_THROW(add_gaussian(some, scale, {kSeed, "e"}), Error) << scale;
    EXPECT_THROW(add_laplace(some, scale, {kSeed, "e"}), Error) << scale;
    EXPECT_THROW(fill_gumbel_grid(some, scale, {kSeed, "e"}), Error) << scale;
  }
}

// Ranks make the noise of their own rows: cut anywhere, the parts are those of the whole.
TEST(GridNoise, PartsAreThoseOfTheWhole) {
  constexpr int64_t kCount = 3000;
  for (const double scale : {1.0, 4096.0, 0x1p40}) {
    std::vector<int64_t> whole(kCount, 7);
    add_gaussian(whole, scale, {kSeed, "parts", 3});
    for (const int64_t cut : {0, 1, 5, 15, 16, 17, 1000, 1024, 2999, 3000}) {
      std::vector<int64_t> parts(kCount, 7);
      add_gaussian(std::span(parts).first(static_cast<size_t>(cut)), scale, {kSeed, "parts", 3}, 0);
      add_gaussian(std::span(parts).subspan(static_cast<size_t>(cut)), scale, {kSeed, "parts", 3}, cut);
      EXPECT_EQ(parts, whole) << "cut at " << cut;
    }
    std::vector<int64_t> few(3, 7);  // within one chunk
    add_gaussian(few, scale, {kSeed, "parts", 3}, 500);
    EXPECT_EQ(few, std::vector<int64_t>(whole.begin() + 500, whole.begin() + 503));
  }
}

}  // namespace
}  // namespace graphveil::kernels::grid_noise_test
