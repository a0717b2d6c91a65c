#include "graphveil/base/shared_rows.h"

#include <algorithm>

#include "graphveil/base/error.h"

namespace graphveil {
namespace {

using Sent = std::vector<std::span<const std::byte>>;
using Received = std::vector<std::span<std::byte>>;

}  // namespace

SharedRows::SharedRows(Ranks& ranks, int64_t own) : ranks_(ranks), begins_{0} {
  for (const int64_t count : all_gather(ranks, own)) begins_.push_back(begins_.back() + count);
}

bool SharedRows::cut_within(int64_t piece) const {
  return std::ranges::any_of(begins_, [&](int64_t row) { return row % piece != 0 && row != all(); });
}

size_t SharedRows::owner_of_first() const {
  const auto past = std::upper_bound(begins_.begin(), begins_.end(), int64_t{0});
  if (past == begins_.end()) fail(ErrorKind::Internal, "the ranks share out no rows");
  return static_cast<size_t>(past - begins_.begin()) - 1;
}

void SharedRows::pass_on(std::span<std::byte> running, const std::function<void()>& add) const {
  const auto size = static_cast<size_t>(ranks_.size()), own = static_cast<size_t>(ranks_.rank());
  for (size_t r = 0; r < size; ++r) {
    if (r == own) add();
    if (r + 1 == size) break;
    Sent to(size);
    Received from(size);
    if (r == own) to[r + 1] = running;
    if (r + 1 == own) from[r] = running;
    ranks_.exchange(to, from);
  }
  broadcast_from(size - 1, running);
}

void SharedRows::broadcast_from(size_t rank, std::span<std::byte> bytes) const {
  const auto size = static_cast<size_t>(ranks_.size()), own = static_cast<size_t>(ranks_.rank());
  Sent to(size);
  Received from(size);
  if (rank == own) {
    to.assign(size, bytes);
    to[own] = {};
  } else {
    from[rank] = bytes;
  }
  ranks_.exchange(to, from);
}

Matrix SharedRows::gathered(ConstMatrixView own) const {
  if (own.rows != this->own()) fail(ErrorKind::Internal, "{} rows, of which {} are a rank's", own.rows, this->own());
  Matrix all = Matrix::uninitialized(this->all(), own.cols);
  for (int64_t r = 0; r < own.rows; ++r) std::ranges::copy(own.row(r), all.row(first() + r).begin());
  const auto size = static_cast<size_t>(ranks_.size());
  const auto rows_of = [&](size_t r) {
    return std::as_writable_bytes(all.values().subspan(static_cast<size_t>(begins_[r] * own.cols),
                                                       static_cast<size_t>((begins_[r + 1] - begins_[r]) * own.cols)));
  };
  const auto mine = static_cast<size_t>(ranks_.rank());
  Sent to(size, rows_of(mine));
  Received from(size);
  for (size_t r = 0; r < size; ++r) from[r] = rows_of(r);
  ranks_.exchange(to, from);
  return all;
}

}  // namespace graphveil
