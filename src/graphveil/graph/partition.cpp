#include "graphveil/graph/partition.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "graphveil/base/parallel.h"
#include "graphveil/base/resources.h"
#include "graphveil/graph/graph.h"
#include "graphveil/kernels/integer_spmm.h"

namespace graphveil::graph {
namespace {

constexpr int64_t kRowsPerPiece = 4096;

// The rows that others ask for go out packed, and theirs lie in the reach already in the order of ranks: what is before
// this rank's own rows comes from the ranks before it.
struct Travel {
  double seconds = 0;  // until all had arrived
  double beside = 0;   // how many of these had work beside them
};

// Meanwhile `beside` runs, which may read this rank's own rows and no others.
template <typename T>
Travel fetch(Ranks& ranks, const Partition& partition, BasicMatrixView<T> rows, const std::function<void()>& beside) {
  require(rows.rows == partition.reach() && rows.contiguous(), "{} rows for a reach of {}", rows.rows,
          partition.reach());
  const auto size = static_cast<size_t>(ranks.size());
  const auto bytes_per_row = static_cast<size_t>(rows.cols) * sizeof(T);
  std::vector<std::vector<std::byte>> packed(size);
  std::vector<std::span<const std::byte>> to(size);
  std::vector<std::span<std::byte>> from(size);
  for (size_t r = 0; r < size; ++r) {
    const std::vector<int32_t>& asked = partition.asked[r];
    packed[r].resize(asked.size() * bytes_per_row);
    parallel_for(static_cast<int64_t>(asked.size()), kRowsPerPiece, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T* row = rows.data + (partition.before + asked[static_cast<size_t>(i)]) * rows.stride;
        std::memcpy(packed[r].data() + static_cast<size_t>(i) * bytes_per_row, row, bytes_per_row);
      }
    });
    to[r] = packed[r];
    const int64_t first = partition.others_of[r], count = partition.others_of[r + 1] - first;
    if (count == 0) continue;
    const int64_t place = first < partition.before ? first : first + partition.own();
    from[r] =
        std::as_writable_bytes(std::span<T>(rows.data + place * rows.stride, static_cast<size_t>(count * rows.cols)));
  }
  double own = 0;
  const Timer timer;
  const double travel = ranks.exchange(to, from, [&] {
    const Timer beside_timer;
    beside();
    own = beside_timer.seconds();
  });
  return {travel, std::max(0.0, travel + own - timer.seconds())};
}

void tell_travel(const Ranks& ranks, const Partition& partition, size_t bytes_per_row, const std::string& how) {
  if (!ranks.heard()) return;
  ranks.tell(fmt::format("{} rows of {} bytes went between {} ranks: {:.3g} MB in {} (yours to know)", partition.travel,
                         bytes_per_row, ranks.size(),
                         static_cast<double>(partition.travel) * static_cast<double>(bytes_per_row) / 1e6, how));
}

}  // namespace

namespace {

// Rows between which ranks may be cut: where a multiple of `align` of the places is before a row, or all are. Nothing
// of it depends on edges.
class Cuttable {
 public:
  Cuttable(std::span<const int32_t> places, int64_t align) : places_(places), align_(align) {}
  int64_t at_or_after(int64_t row) const {
    const int64_t before = places_before(row), up = std::min(count(), (before + align_ - 1) / align_ * align_);
    return is_cut(before) ? row : int64_t{places_[static_cast<size_t>(up - 1)]} + 1;
  }
  int64_t at_or_before(int64_t row) const {
    const int64_t before = places_before(row);
    return is_cut(before) ? row : places_[static_cast<size_t>(before / align_ * align_)];
  }
  // The first row of the block that begins at or after this one, and of the one before.
  std::pair<int64_t, int64_t> around(int64_t row) const {
    const int64_t before = places_before(row);
    if (is_cut(before)) return {row, row};
    const int64_t up = std::min(count(), before / align_ * align_ + align_);
    return {at_or_before(row), up == count() ? at_or_after(row) : int64_t{places_[static_cast<size_t>(up)]}};
  }

 private:
  int64_t count() const { return std::ssize(places_); }
  bool is_cut(int64_t before) const { return before % align_ == 0 || before == count(); }
  int64_t places_before(int64_t row) const { return std::ranges::lower_bound(places_, row) - places_.begin(); }

  std::span<const int32_t> places_;
  int64_t align_;
};

// Moves cuts as far as it takes for no rank to be without a row. Whether that can be done at all depends on where rows
// may be cut, and on nothing else.
void spread_out(std::vector<int64_t>& cuts, const Cuttable& cuttable) {
  const int64_t nodes = cuts.back();
  for (size_t r = 1; r + 1 < cuts.size(); ++r) {
    cuts[r] = std::min(nodes, cuttable.at_or_after(std::max(cuts[r], std::min(nodes, cuts[r - 1] + 1))));
  }
  for (size_t r = cuts.size() - 2; r > 0; --r) {
    if (cuts[r] >= cuts[r + 1]) cuts[r] = cuttable.at_or_before(std::max<int64_t>(0, cuts[r + 1] - 1));
  }
}

}  // namespace

std::vector<int64_t> cut_rows(std::span<const int64_t> weight, std::span<const int32_t> places, int64_t align,
                              int ranks) {
  require(ranks >= 1 && align >= 1 && !weight.empty(), "{} ranks, blocks of {} places", ranks, align);
  const int64_t nodes = std::ssize(weight) - 1;
  const int64_t total = weight[static_cast<size_t>(nodes)] - weight[0] + nodes;
  const auto before = [&](int64_t v) { return weight[static_cast<size_t>(v)] - weight[0] + v; };
  const Cuttable cuttable(places, align);
  std::vector<int64_t> cuts{0};
  for (int r = 1; r < ranks; ++r) {
    const int64_t wanted = total / ranks * r + total % ranks * r / ranks;
    int64_t low = 0, high = nodes;  // the first row with as much before it
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      before(middle) < wanted ? low = middle + 1 : high = middle;
    }
    const auto [down, up] = cuttable.around(low);
    cuts.push_back(std::max(cuts.back(), wanted - before(down) <= before(up) - wanted ? down : up));
  }
  cuts.push_back(nodes);
  spread_out(cuts, cuttable);
  return cuts;
}

Partition make_partition(Ranks& ranks, std::vector<int64_t> cuts, std::vector<int32_t> neighbors) {
  const auto size = static_cast<size_t>(ranks.size()), own = static_cast<size_t>(ranks.rank());
  require(cuts.size() == size + 1, "{} cuts for {} ranks", cuts.size(), size);
  Partition out;
  out.nodes = cuts.back();
  out.cuts = std::move(cuts);
  out.begin = out.cuts[own];
  out.end = out.cuts[own + 1];
  std::erase_if(neighbors, [&](int32_t v) { return v >= out.begin && v < out.end; });
  std::sort(neighbors.begin(), neighbors.end());
  neighbors.erase(std::unique(neighbors.begin(), neighbors.end()), neighbors.end());
  neighbors.shrink_to_fit();
  out.others = std::move(neighbors);
  for (const int64_t cut : out.cuts) {
    out.others_of.push_back(std::lower_bound(out.others.begin(), out.others.end(), cut) - out.others.begin());
  }
  out.before = out.others_of[own];

  // Everybody tells everybody how many rows it wants of them, and then which.
  std::vector<int64_t> wanted(size), asked_counts(size);
  std::vector<std::span<const std::byte>> to(size);
  std::vector<std::span<std::byte>> from(size);
  for (size_t r = 0; r < size; ++r) {
    wanted[r] = out.others_of[r + 1] - out.others_of[r];
    to[r] = std::as_bytes(std::span<const int64_t>(&wanted[r], 1));
    from[r] = std::as_writable_bytes(std::span(&asked_counts[r], 1));
  }
  ranks.exchange(to, from);
  out.asked.resize(size);
  for (size_t r = 0; r < size; ++r) {
    out.asked[r].resize(static_cast<size_t>(asked_counts[r]));
    to[r] = std::as_bytes(std::span<const int32_t>(out.others)
                              .subspan(static_cast<size_t>(out.others_of[r]), static_cast<size_t>(wanted[r])));
    from[r] = std::as_writable_bytes(std::span(out.asked[r]));
  }
  ranks.exchange(to, from);
  for (std::vector<int32_t>& rows : out.asked) {
    for (int32_t& row : rows) {
      if (row < out.begin || row >= out.end) fail(ErrorKind::Internal, "a rank asked for row {} of another", row);
      row -= static_cast<int32_t>(out.begin);
    }
  }
  out.travel = sum_over(ranks, static_cast<int64_t>(out.others.size()));
  return out;
}

void fetch_rows(Ranks& ranks, const Partition& partition, MatrixView rows) {
  const Travel travel = fetch(ranks, partition, rows, [] {});
  tell_travel(ranks, partition, static_cast<size_t>(rows.cols) * sizeof(Real), fmt::format("{:.2g} s", travel.seconds));
}
void fetch_rows(Ranks& ranks, const Partition& partition, IntegerMatrixView<int32_t> rows) {
  fetch(ranks, partition, rows, [] {});
}

void sum_over_sources(const Graph& graph, IntegerMatrixView<int32_t> rows, IntegerMatrixView<int64_t> sums) {
  const SparseView lists = graph.in_view();
  if (graph.partition() == nullptr) return kernels::spmm(lists, rows, sums);
  const Timer timer;
  const int64_t begin = graph.first_in_reach(), end = begin + graph.nodes();
  const Travel travel = fetch(*current_ranks(), *graph.partition(), rows, [&] {
    kernels::spmm(lists, {begin, end}, rows, sums);
  });
  for (const kernels::Columns others : {kernels::Columns{0, begin}, kernels::Columns{end, lists.cols}}) {
    if (others.begin < others.end) kernels::spmm(lists, others, rows, sums, kernels::Into::Add);
  }
  tell_travel(*current_ranks(), *graph.partition(), static_cast<size_t>(rows.cols) * sizeof(int32_t),
              fmt::format("{:.2g} s, {:.2g} s of it beside own sums; the sum took {:.2g} s", travel.seconds,
                          travel.beside, timer.seconds()));
}

Matrix reached_rows(const Graph& part, ConstMatrixView own) {
  Matrix rows = Matrix::uninitialized(part.reach(), own.cols);
  for (int64_t v = 0; v < own.rows; ++v) std::ranges::copy(own.row(v), rows.row(part.first_in_reach() + v).begin());
  fetch_rows(*current_ranks(), *part.partition(), rows);
  return rows;
}

void require_whole(const Graph& graph, const char* what) {
  if (graph.partition() != nullptr) fail(ErrorKind::Unsupported, "ranks cannot share out {}", what);
}

}  // namespace graphveil::graph
