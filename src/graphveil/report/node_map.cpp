#include "graphveil/report/node_map.h"

#include <algorithm>
#include <cmath>

#include "graphveil/base/error.h"
#include "graphveil/kernels/symmetric_eigen.h"

namespace graphveil::report {
namespace {

struct Plane {
  std::vector<double> center, first, second;
};

Plane principal_plane(std::span<const ConstMatrixView> tables, int64_t classes) {
  const auto c = static_cast<size_t>(classes);
  Plane plane{std::vector<double>(c, 0.0), std::vector<double>(c, 0.0), std::vector<double>(c, 0.0)};
  double rows = 0;
  for (const ConstMatrixView& table : tables) {
    rows += static_cast<double>(table.rows);
    for (int64_t r = 0; r < table.rows; ++r) {
      for (int64_t k = 0; k < classes; ++k) plane.center[static_cast<size_t>(k)] += table(r, k);
    }
  }
  for (double& value : plane.center) value /= std::max(rows, 1.0);
  std::vector<double> covariance(c * c, 0.0), vectors(c * c, 0.0), moved(c);
  for (const ConstMatrixView& table : tables) {
    for (int64_t r = 0; r < table.rows; ++r) {
      for (size_t k = 0; k < c; ++k) moved[k] = table(r, static_cast<int64_t>(k)) - plane.center[k];
      for (size_t i = 0; i < c; ++i) {
        for (size_t j = 0; j < c; ++j) covariance[i * c + j] += moved[i] * moved[j];
      }
    }
  }
  kernels::symmetric_eigen({covariance.data(), classes, classes}, {vectors.data(), classes, classes});
  const auto column = [&](size_t which, std::vector<double>& out) {
    size_t largest = 0;
    for (size_t k = 0; k < c; ++k) {
      out[k] = vectors[k * c + which];
      // A later entry must be larger by more than rounding, so that ties have one answer.
      if (std::abs(out[k]) > std::abs(out[largest]) + 1e-9) largest = k;
    }
    if (out[largest] < 0) {
      for (double& value : out) value = -value;
    }
  };
  column(0, plane.first);
  column(1, plane.second);
  return plane;
}

}  // namespace

std::vector<std::vector<MapPoint>> node_maps(std::span<const ConstMatrixView> tables, int64_t most) {
  if (tables.empty()) return {};
  const int64_t classes = tables.front().cols;
  require(classes >= 3, "a map of {} classes, want at least 3", classes);
  for (const ConstMatrixView& table : tables) {
    require(table.cols == classes, "maps of {} and {} classes in one plane", classes, table.cols);
  }
  const Plane plane = principal_plane(tables, classes);
  std::vector<std::vector<MapPoint>> maps;
  for (const ConstMatrixView& table : tables) {
    const int64_t shown = std::min(most, table.rows);
    std::vector<MapPoint> points;
    for (int64_t i = 0; i < shown; ++i) {
      const std::span<const Real> row = table.row(i * table.rows / shown);
      MapPoint point{0, 0, static_cast<int32_t>(std::ranges::max_element(row) - row.begin())};
      for (size_t k = 0; k < row.size(); ++k) {
        point.x += (row[k] - plane.center[k]) * plane.first[k];
        point.y += (row[k] - plane.center[k]) * plane.second[k];
      }
      points.push_back(point);
    }
    maps.push_back(std::move(points));
  }
  return maps;
}

}  // namespace graphveil::report
