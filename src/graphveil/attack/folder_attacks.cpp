#include "graphveil/attack/folder_attacks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <string_view>

#include "graphveil/base/error.h"
#include "graphveil/bound/grid.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/method/other_noise.h"

namespace graphveil::attack {
namespace {

std::vector<float> floats(const nn::Tensor& tensor) {
  if (tensor.type != nn::ScalarType::F32) return {};
  std::vector<float> out(static_cast<size_t>(tensor.elements()));
  std::memcpy(out.data(), tensor.bytes.data(), 4 * out.size());
  return out;
}

double log_of(const Matrix& p, int32_t node, int32_t label) { return std::log(std::max<double>(p(node, label), 1e-9)); }

}  // namespace

Roc own_list_attack(const graph::Dataset& data, const Matrix& predictions, const Matrix& without_list, int64_t pairs,
                    const Seed& seed) {
  require(predictions.rows() == data.nodes() && without_list.rows() == data.nodes(),
          "predictions about {} and {} nodes, the graph has {}", predictions.rows(), without_list.rows(), data.nodes());
  require(data.graph.edges() > 0, "the graph has no edges");
  RandomStream random(seed, "pairs");
  const auto any = [&] { return static_cast<int32_t>(random.below(static_cast<uint64_t>(data.nodes()))); };
  std::vector<double> scores;
  std::vector<uint8_t> joined;
  const auto add = [&](int32_t v, int32_t u, bool is_joined) {
    if (u == v || data.labels[u] == graph::kUnlabeled) return;
    const int32_t y = data.labels[u];
    scores.push_back(log_of(predictions, v, y) - log_of(without_list, v, y));
    joined.push_back(is_joined ? 1 : 0);
  };
  // The list of v is whom it points to.
  for (int64_t i = 0; i < 4 * pairs && std::ssize(scores) < 2 * pairs; ++i) {
    const int32_t v = any(), stranger = any();
    const auto list = data.graph.out(v);
    if (list.empty() || data.graph.has_edge(v, stranger)) continue;
    add(v, list[random.below(list.size())], true);
    add(v, stranger, false);
  }
  return roc(scores, joined);
}

Matrix read_predictions(const std::string& csv, int64_t classes, const std::string& what) {
  std::vector<Real> values;
  std::string_view rest = csv;
  int64_t rows = -1;  // the header
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (++rows == 0) continue;
    // The last columns are the probabilities; what comes before may hold commas in quotes.
    std::vector<Real> row(static_cast<size_t>(classes));
    for (int64_t k = classes - 1; k >= 0; --k) {
      const size_t comma = line.rfind(',');
      if (comma == std::string_view::npos) fail(ErrorKind::BadInput, "{}: row {} has too few columns", what, rows);
      const std::string_view cell = line.substr(comma + 1);
      const auto [at, error] = std::from_chars(cell.data(), cell.data() + cell.size(), row[static_cast<size_t>(k)]);
      if (error != std::errc() || at != cell.data() + cell.size()) {
        fail(ErrorKind::BadInput, "{}: row {}: '{}' is no probability", what, rows, cell);
      }
      line = line.substr(0, comma);
    }
    values.insert(values.end(), row.begin(), row.end());
  }
  Matrix out(std::max<int64_t>(rows, 0), classes);
  std::ranges::copy(values, out.values().begin());
  return out;
}

std::vector<OffGrid> support_attack(const nn::State& sums, const mechanism::Plan& plan) {
  const mechanism::Release release = mechanism::Release::clear(bound::Relation::Node, plan);
  // Of the line that a tensor's name begins with, "labels/2" with "labels"; else of the finest.
  double finest = std::numeric_limits<double>::infinity();
  std::map<std::string, double> grids;
  for (const mechanism::PlanLine& line : plan.lines()) {
    if (line.norm() == bound::Norm::Hamming) continue;
    const double grid = release.grid(line.event.label());
    grids[line.event.label()] = grid;
    finest = std::min(finest, grid);
  }
  std::vector<OffGrid> out;
  for (const auto& [name, tensor] : sums) {
    if (name.starts_with(method::kOtherNoise)) continue;  // for the holder's comparison: nothing that was released
    const auto own = grids.find(name.substr(0, name.rfind('/')));
    OffGrid found{name, 0, 0, own == grids.end() ? finest : own->second};
    for (const float x : floats(tensor)) {
      const double steps = static_cast<double>(x) / found.grid;
      ++found.numbers;
      found.off += !(steps == std::nearbyint(steps));
    }
    if (found.numbers > 0) out.push_back(std::move(found));
  }
  return out;
}

std::vector<Shared> difference_attack(const nn::State& a, const nn::State& b) {
  std::vector<Shared> out;
  for (const auto& [name, tensor] : a) {
    const auto other = b.find(name);
    if (other == b.end() || other->second.shape != tensor.shape) continue;
    const std::vector<float> x = floats(tensor), y = floats(other->second);
    if (x.size() != y.size() || x.empty()) continue;
    Shared found{name, 0, 0, {}, tensor.shape.empty() ? 1 : tensor.shape[0]};
    const size_t width = x.size() / static_cast<size_t>(std::max<int64_t>(found.rows, 1));
    for (size_t i = 0; i < x.size(); ++i) {
      if (x[i] == 0 && y[i] == 0) continue;  // what has no noise says nothing about it
      ++found.numbers;
      if (x[i] == y[i]) {
        ++found.equal;
        continue;
      }
      const auto row = static_cast<int64_t>(i / width);
      if (found.differing_rows.size() < 20 && (found.differing_rows.empty() || found.differing_rows.back() != row)) {
        found.differing_rows.push_back(row);
      }
    }
    if (found.numbers > 0) out.push_back(std::move(found));
  }
  return out;
}

}  // namespace graphveil::attack
