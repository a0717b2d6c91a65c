#include "graphveil/kernels/poisson_sample.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "graphveil/base/error.h"
#include "graphveil/base/fixed_point.h"
#include "graphveil/base/parallel.h"

namespace graphveil::kernels {
namespace {

constexpr int64_t kSamplePiece = 16384;
constexpr int64_t kSampleStep = 2048;
// Id i uses bytes 4 i .. 4 i + 3 of its stream.

// rate = (head + (tail[0] + tail[1] / 2^64) / 2^64) / 2^32.
struct Threshold {
  explicit Threshold(double rate) {
    const Fixed scaled = Fixed::from_double(rate).shifted_left(32);
    head = scaled.whole();
    tail = {scaled.fraction_head(), scaled.shifted_left(64).fraction_head()};
  }
  uint64_t head;  // up to 2^32, for rate 1
  std::array<uint64_t, 2> tail;
};

// Whether id i, whose word equals the head, is taken all the same.
bool decide(int64_t i, const Threshold& threshold, const StreamName& name) {
  RandomStream stream(name.seed, name.purpose, name.index);
  stream.seek_block(kFurtherBlocks + static_cast<uint64_t>(i));
  const uint64_t first = stream.next_u64();
  return std::array<uint64_t, 2>{first, stream.next_u64()} < threshold.tail;
}

// The ids of one piece, appended to `taken`.
void sample_piece(int64_t begin, int64_t end, const Threshold& threshold, const StreamName& name,
                  std::vector<int64_t>& taken) {
  RandomStream stream(name.seed, name.purpose, name.index);
  stream.seek_block(static_cast<uint64_t>(begin / 4));
  std::array<uint32_t, kSampleStep> words;
  std::array<int64_t, kSampleStep> ids;
  for (int64_t first = begin; first < end; first += kSampleStep) {
    const int64_t count = std::min(kSampleStep, end - first);
    stream.fill({reinterpret_cast<uint8_t*>(words.data()), static_cast<size_t>(count) * sizeof(uint32_t)});
    // Every id is written, and the place moves on where it is taken: no branch to mispredict.
    size_t found = 0;
    for (int64_t i = 0; i < count; ++i) {
      ids[found] = first + i;
      found += static_cast<size_t>(words[i] < threshold.head);
      if (words[i] == threshold.head && decide(first + i, threshold, name)) [[unlikely]]
        ++found;
    }
    taken.insert(taken.end(), ids.begin(), ids.begin() + static_cast<int64_t>(found));
  }
}

}  // namespace

std::vector<int64_t> poisson_sample(int64_t n, double rate, const StreamName& stream) {
  require(n >= 0 && n <= int64_t{1} << 53, "population is {}, want 0 to 2^53", n);
  return poisson_sample(0, n, rate, stream);
}

std::vector<int64_t> poisson_sample(int64_t from, int64_t to, double rate, const StreamName& stream) {
  require(from >= 0 && from <= to && to <= int64_t{1} << 53, "ids are [{}, {}), want within 0 to 2^53", from, to);
  require(rate >= 0 && rate <= 1, "sampling rate is {}, want 0 to 1", rate);
  const Threshold threshold(rate);
  // A block of the stream holds the words of four ids; those before `from` are drawn and left out.
  const int64_t first = from / 4 * 4, n = to - first;
  std::vector<std::vector<int64_t>> pieces(static_cast<size_t>((n + kSamplePiece - 1) / kSamplePiece));
  parallel_for(n, kSamplePiece, [&](int64_t begin, int64_t end) {
    std::vector<int64_t>& taken = pieces[begin / kSamplePiece];
    taken.reserve(static_cast<size_t>(1.1 * rate * static_cast<double>(end - begin)) + 64);
    sample_piece(first + begin, first + end, threshold, stream, taken);
  });
  if (!pieces.empty()) std::erase_if(pieces.front(), [&](int64_t id) { return id < from; });
  const size_t total = std::accumulate(pieces.begin(), pieces.end(), size_t{0},
                                       [](size_t sum, const std::vector<int64_t>& p) { return sum + p.size(); });
  std::vector<int64_t> sample;
  sample.reserve(total);
  for (const std::vector<int64_t>& piece : pieces) sample.insert(sample.end(), piece.begin(), piece.end());
  return sample;
}

}  // namespace graphveil::kernels
