#include "graphveil/nn/ops_segment.h"

#include <algorithm>
#include <vector>

#include "graphveil/kernels/segment.h"

namespace graphveil::nn {
namespace {

void require_offsets(std::span<const int64_t> offsets, int64_t rows) {
  require(!offsets.empty() && offsets.front() == 0 && offsets.back() == rows &&
              std::is_sorted(offsets.begin(), offsets.end()),
          "segment offsets do not cover {} rows", rows);
}

// All three: y_s = reduce of x over segment s. SegmentSum hands g to each row, mean g / size, max g to the winner.
template <typename Reduce>
struct Segment final : Operation {
  Var x;
  std::span<const int64_t> offsets;
  std::span<const int32_t> segment_owners;
  std::vector<int64_t> winners;
  std::vector<int32_t> owner_memory;
  std::string_view name() const override { return Reduce::kName; }
  static Var apply(Var x, std::span<const int64_t> offsets, std::span<const int32_t> owners) {
    require_offsets(offsets, x.rows());
    auto& op = x.tape->record<Segment<Reduce>>();
    op.x = x;
    op.offsets = offsets;
    op.segment_owners = owners;
    const MatrixView y = op.allocate(static_cast<int64_t>(offsets.size()) - 1, x.cols());
    Reduce::forward(offsets, x.value(), y, op.winners);
    return op.finish({x});
  }
  void backward() override {
    tape().accumulate(x, [&](MatrixView dx) { Reduce::backward(offsets, winners, output_gradient(), dx); });
  }
  void trace_samples() override {
    const std::span<const int32_t> owners = tape().owners(x);
    const size_t segments = offsets.size() - 1;
    require(segment_owners.empty() || segment_owners.size() == segments, "{} owners for {} segments",
            segment_owners.size(), segments);
    owner_memory.resize(segments);
    for (size_t s = 0; s < segments; ++s) {
      const auto begin = static_cast<size_t>(offsets[s]);
      const auto end = static_cast<size_t>(offsets[s + 1]);
      if (begin == end && segment_owners.empty()) {
        fail(ErrorKind::Unsupported, "'{}' has an empty segment that belongs to no sample", name());
      }
      owner_memory[s] = segment_owners.empty() ? owners[begin] : segment_owners[s];
      for (size_t r = begin; r < end; ++r) {
        if (owners[r] != owner_memory[s]) {
          fail(ErrorKind::Unsupported, "'{}' mixes two samples, which DP-SGD cannot clip", name());
        }
      }
    }
    tape().set_owners(output(), owner_memory);
  }
};

using Offsets = std::span<const int64_t>;

struct SegmentSum {
  static constexpr std::string_view kName = "segment_sum";
  static void forward(Offsets offsets, ConstMatrixView x, MatrixView y, std::vector<int64_t>&) {
    kernels::segment_sum(offsets, x, y);
  }
  static void backward(Offsets offsets, std::span<const int64_t>, ConstMatrixView g, MatrixView dx) {
    kernels::segment_sum_backward(offsets, g, dx);
  }
};

struct Mean {
  static constexpr std::string_view kName = "segment_mean";
  static void forward(Offsets offsets, ConstMatrixView x, MatrixView y, std::vector<int64_t>&) {
    kernels::segment_mean(offsets, x, y);
  }
  static void backward(Offsets offsets, std::span<const int64_t>, ConstMatrixView g, MatrixView dx) {
    kernels::segment_mean_backward(offsets, g, dx);
  }
};

struct Max {
  static constexpr std::string_view kName = "segment_max";
  static void forward(Offsets offsets, ConstMatrixView x, MatrixView y, std::vector<int64_t>& winners) {
    winners.resize(static_cast<size_t>(y.size()));
    kernels::segment_max(offsets, x, y, winners);
  }
  static void backward(Offsets, std::span<const int64_t> winners, ConstMatrixView g, MatrixView dx) {
    kernels::segment_max_backward(winners, g, dx);
  }
};

}  // namespace

Var segment_sum(Var x, Offsets offsets, std::span<const int32_t> owners) {
  return Segment<SegmentSum>::apply(x, offsets, owners);
}
Var segment_mean(Var x, Offsets offsets, std::span<const int32_t> owners) {
  return Segment<Mean>::apply(x, offsets, owners);
}
Var segment_max(Var x, Offsets offsets, std::span<const int32_t> owners) {
  return Segment<Max>::apply(x, offsets, owners);
}

}  // namespace graphveil::nn
