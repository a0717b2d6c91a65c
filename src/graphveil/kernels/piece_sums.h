// Sums over rows that are made in pieces of fixed length, which are then added in their order: no bit depends on the
// number of threads, nor on ranks that share the rows out. Where a rank ends within a piece, the next one goes on with
// it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/base/shared_rows.h"

namespace graphveil::kernels {

// What is there already of `totals` is added to. add(begin, count, sums, fresh) goes on with the sums of a piece,
// `width` numbers that are zero at its beginning (`fresh`), for these rows, counted from this rank's first; join(sums,
// totals) takes a whole piece. `shared`: whose rows they are, or null.
template <typename T, typename Add, typename Join>
void sum_pieces(int64_t rows, int64_t piece, int64_t width, std::span<T> totals, const SharedRows* shared, Add&& add,
                Join&& join) {
  const int64_t first = shared != nullptr ? shared->first() : 0, all = shared != nullptr ? shared->all() : rows;
  const auto is_end = [&](int64_t row) { return (first + row) % piece == 0 || first + row == all; };
  const int64_t head = std::min(rows, (piece - first % piece) % piece);  // rows of a piece that began before
  const int64_t pieces = (rows - head + piece - 1) / piece;
  thread_local std::vector<T> memory;  // kept, so that a repeated call allocates nothing
  std::vector<T>& partial = memory;    // the caller's, also in the threads of the loop
  partial.assign(static_cast<size_t>(pieces * width), T{0});
  parallel_for(rows - head, piece, [&](int64_t begin, int64_t end) {
    add(head + begin, end - begin, partial.data() + begin / piece * width, true);
  });
  if (shared == nullptr) {
    for (int64_t p = 0; p < pieces; ++p) join(partial.data() + p * width, totals.data());
    return;
  }
  std::vector<T> running(totals.begin(), totals.end());
  if (shared->cut_within(piece)) running.resize(totals.size() + static_cast<size_t>(width), T{0});
  T* const sums = running.data();
  T* const open = sums + totals.size();  // of the piece that ranks share, where one does
  shared->in_turn(std::span(running), [&] {
    if (head > 0) {
      add(int64_t{0}, head, open, false);
      if (is_end(head)) {
        join(open, sums);
        std::fill_n(open, width, T{0});
      }
    }
    for (int64_t p = 0; p < pieces; ++p) {
      const T* own = partial.data() + p * width;
      is_end(std::min(rows, head + (p + 1) * piece)) ? join(own, sums)
                                                     : static_cast<void>(std::copy_n(own, width, open));
    }
  });
  std::copy_n(running.begin(), totals.size(), totals.begin());
}

// The same where a piece is added number by number.
template <typename T, typename Add>
void sum_pieces(int64_t rows, int64_t piece, std::span<T> totals, const SharedRows* shared, Add&& add) {
  const auto width = static_cast<int64_t>(totals.size());
  sum_pieces(rows, piece, width, totals, shared, std::forward<Add>(add), [width](const T* sums, T* to) {
    for (int64_t i = 0; i < width; ++i) to[i] += sums[i];
  });
}

}  // namespace graphveil::kernels
