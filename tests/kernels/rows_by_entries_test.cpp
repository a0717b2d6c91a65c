#include "graphveil/kernels/rows_by_entries.h"

#include <mutex>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/context.h"

namespace graphveil::kernels::rows_by_entries_test {
namespace {

struct Piece {
  int64_t begin, end;
  bool operator==(const Piece&) const = default;
};

std::vector<Piece> pieces_of(const std::vector<int64_t>& offsets, int64_t entries) {
  std::mutex mutex;
  std::vector<Piece> out;
  parallel_rows_by_entries(offsets, entries, [&](int64_t begin, int64_t end) {
    const std::lock_guard lock(mutex);
    out.push_back({begin, end});
  });
  std::ranges::sort(out, {}, &Piece::begin);
  return out;
}

TEST(RowsByEntries, EveryRowOnceAndNoPieceMuchLargerThanAsked) {
  // A hub in the middle, empty rows at both ends.
  std::vector<int64_t> offsets{0, 0, 0};
  for (int row = 0; row < 200; ++row) offsets.push_back(offsets.back() + (row == 100 ? 5000 : row % 7));
  offsets.push_back(offsets.back());
  constexpr int64_t kEntries = 64;
  for (const int threads : {1, 3}) {
    const ContextScope scope({.threads = threads});
    const std::vector<Piece> pieces = pieces_of(offsets, kEntries);
    ASSERT_GT(pieces.size(), 8u);
    int64_t next = 0;
    for (const Piece& piece : pieces) {
      EXPECT_EQ(piece.begin, next);
      next = piece.end;
      const int64_t entries = offsets[static_cast<size_t>(piece.end)] - offsets[static_cast<size_t>(piece.begin)];
      const int64_t last = offsets[static_cast<size_t>(piece.end)] - offsets[static_cast<size_t>(piece.end - 1)];
      EXPECT_LE(entries - last, kEntries) << "all but the row with which it ends";
    }
    EXPECT_EQ(next, static_cast<int64_t>(offsets.size()) - 1);
  }
}

TEST(RowsByEntries, ThePiecesOfNothing) {
  EXPECT_TRUE(pieces_of({0}, 64).empty());
  EXPECT_EQ(pieces_of({0, 0}, 64), (std::vector<Piece>{{0, 1}}));
}

TEST(RowsByEntries, AMatrixWhoseRowsBeginLater) {
  const std::vector<int64_t> whole{0, 10, 20, 30, 40};
  const std::vector<Piece> pieces = pieces_of({whole.begin() + 2, whole.end()}, 11);
  EXPECT_EQ(pieces, (std::vector<Piece>{{0, 1}, {1, 2}}));
}

}  // namespace
}  // namespace graphveil::kernels::rows_by_entries_test
