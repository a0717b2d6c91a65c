#include "graphveil/graph/listed_rows.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "graphveil/base/error.h"

namespace graphveil::graph {

ListedRows::ListedRows(Ranks& ranks, const Partition& part, std::span<const int32_t> list,
                       const std::vector<int64_t>& cuts)
    : ranks_(ranks), sent_(static_cast<size_t>(ranks.size())), places_(static_cast<size_t>(ranks.size())) {
  require(std::ssize(cuts) == ranks.size() + 1 && cuts.front() == 0 && cuts.back() == std::ssize(list) &&
              std::ranges::is_sorted(cuts),
          "a list of {} nodes is cut in {} parts for {} ranks", list.size(), cuts.size(), ranks.size());
  const auto own = static_cast<size_t>(ranks.rank());
  own_ = cuts[own + 1] - cuts[own];
  for (size_t r = 0; r < sent_.size(); ++r) {
    for (int64_t i = cuts[r]; i < cuts[r + 1]; ++i) {
      const int32_t v = list[static_cast<size_t>(i)];
      require(v >= 0 && v < part.nodes, "node {} of {}", v, part.nodes);
      if (v >= part.begin && v < part.end) sent_[r].push_back(static_cast<int32_t>(v - part.begin));
      if (r != own) continue;
      const auto owner = std::ranges::upper_bound(part.cuts, int64_t{v}) - part.cuts.begin() - 1;
      places_[static_cast<size_t>(owner)].push_back(i - cuts[own]);
    }
  }
}

template <typename T>
std::vector<std::vector<T>> ListedRows::exchanged(const std::vector<std::vector<T>>& packed,
                                                  const std::vector<int64_t>& expected) const {
  std::vector<std::vector<T>> received(packed.size());
  std::vector<std::span<const std::byte>> to;
  std::vector<std::span<std::byte>> from;
  for (size_t r = 0; r < packed.size(); ++r) {
    received[r].resize(static_cast<size_t>(expected[r]));
    to.push_back(std::as_bytes(std::span(packed[r])));
    from.push_back(std::as_writable_bytes(std::span(received[r])));
  }
  const int64_t sent_before = ranks_.bytes_sent();
  ranks_.exchange(to, from);
  const auto sent = static_cast<double>(sum_over(ranks_, ranks_.bytes_sent() - sent_before));
  ranks_.tell(fmt::format("rows in a drawn order: {:.3g} MB went between {} ranks", sent / 1e6, ranks_.size()));
  return received;
}

template <typename T>
void ListedRows::fetch(std::span<const T> rows, int64_t width, std::span<T> out) const {
  const auto row_of = [width](auto all, int64_t r) {
    return all.subspan(static_cast<size_t>(r * width), static_cast<size_t>(width));
  };
  std::vector<std::vector<T>> packed(sent_.size());
  std::vector<int64_t> expected;
  for (size_t r = 0; r < sent_.size(); ++r) {
    packed[r].resize(sent_[r].size() * static_cast<size_t>(width));
    for (size_t i = 0; i < sent_[r].size(); ++i) {
      std::ranges::copy(row_of(rows, sent_[r][i]), row_of(std::span(packed[r]), static_cast<int64_t>(i)).begin());
    }
    expected.push_back(std::ssize(places_[r]) * width);
  }
  const std::vector<std::vector<T>> received = exchanged(packed, expected);
  for (size_t r = 0; r < places_.size(); ++r) {
    for (size_t i = 0; i < places_[r].size(); ++i) {
      std::ranges::copy(row_of(std::span(received[r]), static_cast<int64_t>(i)), row_of(out, places_[r][i]).begin());
    }
  }
}

Matrix ListedRows::fetched(ConstMatrixView rows) const {
  require(rows.contiguous(), "rows that are sent lie one after the other");
  Matrix out = Matrix::uninitialized(own_, rows.cols);
  fetch(std::span<const Real>(rows.data, static_cast<size_t>(rows.size())), rows.cols, out.values());
  return out;
}

std::vector<int32_t> ListedRows::fetched(std::span<const int32_t> values) const {
  std::vector<int32_t> out(static_cast<size_t>(own_));
  fetch(values, 1, std::span(out));
  return out;
}

// Lengths first: they say how much will come.
Features ListedRows::fetched(const Features& rows) const {
  if (!rows.is_sparse()) return fetched(rows.dense());
  const SparseMatrix& m = rows.sparse();
  std::vector<int32_t> lengths;
  for (int64_t v = 0; v < m.rows; ++v) lengths.push_back(static_cast<int32_t>(std::ssize(m.view().row(v))));
  const std::vector<int32_t> own_lengths = fetched(lengths);
  std::vector<int64_t> offsets{0};
  for (const int32_t length : own_lengths) offsets.push_back(offsets.back() + length);
  std::vector<int64_t> expected(places_.size());
  for (size_t r = 0; r < places_.size(); ++r) {
    for (const int64_t place : places_[r]) expected[r] += own_lengths[static_cast<size_t>(place)];
  }
  const auto entries_of = [&]<typename T>(std::span<const T> entries) {
    std::vector<std::vector<T>> packed(sent_.size());
    for (size_t r = 0; r < sent_.size(); ++r) {
      for (const int32_t v : sent_[r]) {
        const auto first = entries.begin() + m.offsets[static_cast<size_t>(v)];
        packed[r].insert(packed[r].end(), first, first + lengths[static_cast<size_t>(v)]);
      }
    }
    const std::vector<std::vector<T>> received = exchanged(packed, expected);
    std::vector<T> out(static_cast<size_t>(offsets.back()));
    for (size_t r = 0; r < places_.size(); ++r) {
      auto next = received[r].begin();
      for (const int64_t place : places_[r]) {
        const int32_t length = own_lengths[static_cast<size_t>(place)];
        std::copy_n(next, length, out.begin() + offsets[static_cast<size_t>(place)]);
        next += length;
      }
    }
    return out;
  };
  // Without values all are ones: then on every rank, since a file has them or has none.
  std::vector<Real> values;
  std::vector<int32_t> indices = entries_of(m.indices.span());
  const bool weighted = largest_over(ranks_, m.values.empty() ? 0 : 1) != 0;
  if (weighted) values = entries_of(m.values.span());
  return SparseMatrix{own_, m.cols, std::move(offsets), std::move(indices),
                      weighted ? SharedArray<Real>(std::move(values)) : SharedArray<Real>()};
}

}  // namespace graphveil::graph
