#include "graphveil/nn/edges.h"

#include <cmath>

#include "graphveil/base/error.h"

namespace graphveil::nn {

void Edges::assign(const SparseView& in, const EdgeOptions& options) {
  require(in.rows == in.cols || (!options.self_loops && options.weights != EdgeWeights::Symmetric),
          "adjacency is {} x {}, want square", in.rows, in.cols);
  const int64_t total = in.entries() + (options.self_loops ? in.rows : 0);
  require(total <= INT32_MAX, "{} edges, want at most {}", total, INT32_MAX);
  in_offsets_.assign(1, 0);
  in_indices_.clear();
  targets_.clear();
  in_indices_.reserve(static_cast<size_t>(total));
  targets_.reserve(static_cast<size_t>(total));
  for (int64_t v = 0; v < in.rows; ++v) {
    const auto target = static_cast<int32_t>(v);
    bool loop_pending = options.self_loops;
    for (const int32_t u : in.row(v)) {
      if (loop_pending && u > target) {
        in_indices_.push_back(target);
        loop_pending = false;
      }
      in_indices_.push_back(u);
    }
    if (loop_pending) in_indices_.push_back(target);
    targets_.resize(in_indices_.size(), target);
    in_offsets_.push_back(static_cast<int64_t>(in_indices_.size()));
  }
  weights_ = options.weights;
  if (weights_ == EdgeWeights::Given) {
    require(!options.self_loops && in.values.size() == in.indices.size(), "given weights want one value for each edge");
    in_values_.assign(in.values.begin(), in.values.end());
  } else {
    set_degree_weights();
  }
  set_out(in.cols);
  set_narrow();
}

void Edges::set_degree_weights() {
  in_values_.clear();
  if (!weighted()) return;
  in_values_.resize(in_indices_.size());
  const auto degree = [&](int32_t v) {
    return static_cast<double>(in_offsets_[static_cast<size_t>(v) + 1] - in_offsets_[static_cast<size_t>(v)]);
  };
  for (size_t e = 0; e < in_indices_.size(); ++e) {
    const double target = degree(targets_[e]);
    if (weights_ == EdgeWeights::InverseDegree) {
      in_values_[e] = static_cast<Real>(1 / target);
      continue;
    }
    // A source without in-edges has degree 0 only without self-loops; it then counts as 1.
    const double source = std::max(1.0, degree(in_indices_[e]));
    in_values_[e] = static_cast<Real>(1 / std::sqrt(source * target));
  }
}

// A counting sort by source.
void Edges::set_out(int64_t sources) {
  out_offsets_.assign(static_cast<size_t>(sources) + 1, 0);
  for (const int32_t u : in_indices_) ++out_offsets_[static_cast<size_t>(u) + 1];
  for (size_t u = 1; u < out_offsets_.size(); ++u) out_offsets_[u] += out_offsets_[u - 1];
  out_indices_.resize(in_indices_.size());
  out_edges_.resize(in_indices_.size());
  out_values_.resize(in_values_.size());
  for (size_t e = 0; e < in_indices_.size(); ++e) {
    const auto place = static_cast<size_t>(out_offsets_[static_cast<size_t>(in_indices_[e])]++);
    out_indices_[place] = targets_[e];
    out_edges_[place] = static_cast<int32_t>(e);
    if (!in_values_.empty()) out_values_[place] = in_values_[e];
  }
  for (size_t u = out_offsets_.size() - 1; u > 0; --u) out_offsets_[u] = out_offsets_[u - 1];
  out_offsets_[0] = 0;
  symmetric_ = out_offsets_ == in_offsets_ && out_indices_ == in_indices_;
}

void Edges::set_narrow() {
  constexpr int64_t kMany = 1 << 17, kFew = 1 << 16;
  in_narrow_.clear();
  out_narrow_.clear();
  if (count() < kMany) return;
  if (symmetric_) std::vector<int32_t>().swap(out_indices_);  // large, and not read
  if (nodes() > kFew || sources() > kFew) return;
  in_narrow_.assign(in_indices_.begin(), in_indices_.end());
  if (!symmetric_) out_narrow_.assign(out_indices_.begin(), out_indices_.end());
}

}  // namespace graphveil::nn
