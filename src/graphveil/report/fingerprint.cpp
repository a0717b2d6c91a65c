#include "graphveil/report/fingerprint.h"

#include <span>

#include <fmt/format.h>

#include "graphveil/base/digest.h"

namespace graphveil::report {
namespace {

template <typename T>
std::string digest(std::span<const T> values) {
  return sha256_hex({reinterpret_cast<const uint8_t*>(values.data()), values.size_bytes()});
}

std::string digest(const std::string& text) { return digest(std::span<const char>(text)); }

// The shape is part of it: without it, arrays cut elsewhere could look the same.
std::string digest(const SparseView& matrix) {
  return digest(fmt::format("{}x{} {} {} {}", matrix.rows, matrix.cols, digest(matrix.offsets), digest(matrix.indices),
                            digest(matrix.values)));
}

}  // namespace

Fingerprint fingerprint(const graph::Dataset& data) {
  const graph::Features& features = data.features;
  if (features.is_sparse()) return {digest(data.graph.in_view()), digest(features.sparse().view())};
  return {digest(data.graph.in_view()),
          digest(fmt::format(
              "{}x{} {}", features.rows(), features.cols(),
              digest(std::span<const Real>(features.dense_values().begin(), features.dense_values().end()))))};
}

}  // namespace graphveil::report
