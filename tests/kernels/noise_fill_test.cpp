#include "graphveil/kernels/noise_fill.h"

#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/kernels/noise_transform.h"
#include "tests/kernels/support.h"
#include "tests/reference/noise.h"
#include "tests/threads.h"

namespace graphveil::kernels {
namespace {

const Seed kSeed = Seed::from_number(11);

// What the header promises about where bits come from: number i from bytes 4 i of the stream, further bits from
// block 2^63 + i.
class StreamBits : public FurtherBits {
 public:
  double uniform(int64_t position) override {
    stream_.seek_block((uint64_t{1} << 63) + static_cast<uint64_t>(position));
    return std::ldexp(static_cast<double>(stream_.next_u64()) + 0.5, -64);
  }

 private:
  RandomStream stream_{kSeed, "fill", 5};
};

TEST(NoiseFill, MatchesThePlainTransformOfItsStream) {
  constexpr int64_t kCount = 100'000;  // several pieces, an incomplete chunk, some rare numbers
  std::vector<uint32_t> words(100'032);
  RandomStream stream(kSeed, "fill", 5);
  stream.fill({reinterpret_cast<uint8_t*>(words.data()), words.size() * 4});
  using Fill = std::function<void(MatrixView)>;
  const std::pair<NoiseKind, Fill> fills[] = {{NoiseKind::Gaussian,
                                               [](MatrixView m) {
                                                 fill_gaussian(m, 2.0, {kSeed, "fill", 5});
                                               }},
                                              {NoiseKind::Laplace,
                                               [](MatrixView m) {
                                                 fill_laplace(m, 2.0, {kSeed, "fill", 5});
                                               }},
                                              {NoiseKind::Gumbel, [](MatrixView m) {
                                                 fill_gumbel(m, 2.0, {kSeed, "fill", 5});
                                               }}};
  for (const auto& [kind, fill] : fills) {
    StreamBits further;
    const std::vector<double> want = reference::noise(kind, words, 2.0, 0, further);
    Matrix out(1, kCount);
    fill(out);
    for (int64_t i = 0; i < kCount; ++i) ASSERT_NEAR(out(0, i), want[i], 1e-6 * std::abs(want[i]) + 1e-6) << i;
  }
}

TEST(NoiseFill, SameNumbersForAnyThreadCountAndAnyStride) {
  const Restore restore;
  set_thread_count(1);
  Matrix plain(613, 131);
  fill_gaussian(plain, 1.5, {kSeed, "shape"});
  for (int threads : {1, 2, 3}) {
    set_thread_count(threads);
    Framed framed(613, 131, 7, 3), added(613, 131, 2);
    fill_gaussian(framed, 1.5, {kSeed, "shape"});
    for (int64_t r = 0; r < 613; ++r) {
      for (int64_t c = 0; c < 131; ++c) {
        ASSERT_EQ(framed(r, c), plain(r, c));
        added(r, c) = 10;
      }
    }
    fill_gaussian(added, 1.5, {kSeed, "shape"}, Into::Add);
    for (int64_t r = 0; r < 613; ++r) {
      for (int64_t c = 0; c < 131; ++c) ASSERT_EQ(added(r, c), 10 + plain(r, c));
    }
    EXPECT_TRUE(framed.frame_intact() && added.frame_intact());
  }
}

TEST(NoiseFill, ShorterFillIsThePrefixAndNamesMatter) {
  Matrix longer(1, 5000), shorter(1, 77), other(1, 77), index(1, 77);
  fill_gaussian(longer, 1, {kSeed, "a"});
  fill_gaussian(shorter, 1, {kSeed, "a"});
  fill_gaussian(other, 1, {kSeed, "b"});
  fill_gaussian(index, 1, {kSeed, "a", 1});
  for (int64_t i = 0; i < 77; ++i) {
    EXPECT_EQ(shorter(0, i), longer(0, i));
    EXPECT_NE(shorter(0, i), other(0, i));
    EXPECT_NE(shorter(0, i), index(0, i));
  }
}

TEST(NoiseFill, EmptyZeroScaleAndRefusals) {
  Matrix none(0, 5), flat(3, 0), some(2, 3);
  fill_gaussian(none, 1, {kSeed, "e"});
  fill_laplace(flat, 1, {kSeed, "e"});
  fill_gaussian(some, 0, {kSeed, "e"});
  for (Real v : some.values()) EXPECT_EQ(v, 0);
  EXPECT_THROW(fill_gaussian(some, -1, {kSeed, "e"}), Error);
  EXPECT_THROW(fill_gaussian(some, std::nan(""), {kSeed, "e"}), Error);
  EXPECT_THROW(fill_gaussian(some, 1e300, {kSeed, "e"}), Error);
  EXPECT_THROW(fill_dropout_mask(some, 0, {kSeed, "e"}), Error);
  EXPECT_THROW(fill_uniform(some, 1, 0, {kSeed, "e"}), Error);
}

TEST(NoiseFill, UniformAndDropoutMask) {
  Matrix m(300, 333);
  fill_uniform(m, -2, 3, {kSeed, "u"});
  double sum = 0;
  for (Real v : m.values()) {
    ASSERT_TRUE(v >= -2 && v <= 3);
    sum += v;
  }
  const double n = static_cast<double>(m.size());
  EXPECT_LT(std::abs(sum / n - 0.5), 4 * 5 / std::sqrt(12 * n));
  fill_dropout_mask(m, 0.8, {kSeed, "d"});
  double kept = 0;
  for (Real v : m.values()) {
    ASSERT_TRUE(v == 0 || v == Real(1.25));
    kept += v != 0 ? 1 : 0;
  }
  EXPECT_LT(std::abs(kept - 0.8 * n), 4 * std::sqrt(0.16 * n));
  fill_dropout_mask(m, 1, {kSeed, "d"});
  for (Real v : m.values()) ASSERT_EQ(v, 1);
}

}  // namespace
}  // namespace graphveil::kernels
