// An embedding learned from a public graph without labels, into which any record's own features can be mapped.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/base/options.h"
#include "graphveil/base/random.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/mechanism/audience.h"
#include "graphveil/nn/state.h"

namespace graphveil::learn {

struct PublicEmbeddingOptions {
  int64_t dim = 128;
  double map_ridge = 1;

  void declare(Options& options);
};

// Where a record lies by its own features x alone: (x R - mean) / ‖x R - mean‖, x first divided by its norm.
class RecordMap {
 public:
  RecordMap() = default;
  RecordMap(Matrix map, std::vector<Real> mean) : map_(std::move(map)), mean_(std::move(mean)) {}
  // Rows of norm 1 (or 0), one per record.
  Matrix operator()(const graph::Features& features) const;
  int64_t dim() const { return map_.cols(); }

  void save(nn::State& state, const std::string& prefix) const;
  static RecordMap loaded(const nn::State& state, const std::string& prefix);

 private:
  Matrix map_;  // features x dim
  std::vector<Real> mean_;
};

// The graph with its nodes' own places as features.
graph::Dataset embedded(const graph::Dataset& data, const RecordMap& records);

// With X the features, rows of norm 1, and S = D^-1/2 (A + I) D^-1/2 of the public graph:
//   Z = S² X V, V the leading right singular vectors of S² X;   node v sits at (z_v - mean) / ‖z_v - mean‖
//   R = (XᵀX + ridge I)⁻¹ Xᵀ Z;                                 a record x at (x R - mean) / ‖x R - mean‖
// So nodes whose neighborhoods are known and records of which only the own features are known share one space.
//
// Guarantee: everything is made from public data alone, so a record's row depends on that record and nothing else.
class PublicEmbedding {
 public:
  PublicEmbedding(const mechanism::Public<graph::Dataset>& data, const PublicEmbeddingOptions& options,
                  const Seed& seed);

  // Rows of norm 1 (or 0) of the public nodes, by their neighborhoods.
  const Matrix& nodes() const { return nodes_; }
  // Places records by their own features alone.
  const RecordMap& records() const { return records_; }

 private:
  Matrix nodes_;
  RecordMap records_;
};

// A public graph with its nodes' own places as features.
mechanism::Public<graph::Dataset> embedded(const mechanism::Public<graph::Dataset>& data,
                                           const PublicEmbedding& embedding);

}  // namespace graphveil::learn
