#include "graphveil/run/finite.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"

namespace graphveil::run {
namespace {

constexpr int64_t kRowsAtOnce = 8192;

template <typename T>
bool all_numbers(const nn::Tensor& tensor) {
  for (size_t at = 0; at + sizeof(T) <= tensor.bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, tensor.bytes.data() + at, sizeof(T));
    if (!std::isfinite(value)) return false;
  }
  return true;
}

bool finite_row(std::span<const Real> row) {
  return std::all_of(row.begin(), row.end(), [](Real p) { return std::isfinite(p); });
}

// The rows, settled, and how many were not finite.
std::pair<Matrix, int64_t> settled(const Matrix& rows) {
  Matrix out = rows.clone();
  int64_t count = 0;
  for (int64_t v = 0; v < out.rows(); ++v) {
    if (finite_row(out.row(v))) continue;
    std::ranges::fill(out.row(v), 1 / static_cast<Real>(out.cols()));
    ++count;
  }
  return {std::move(out), count};
}

bool all_finite(const Matrix& rows) {
  std::atomic<bool> all{true};
  parallel_for(rows.rows(), kRowsAtOnce, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end && all.load(std::memory_order_relaxed); ++v) {
      if (!finite_row(rows.row(v))) all = false;
    }
  });
  return all;
}

constexpr const char* kAdvice = "try a lower learning rate, fewer layers or smaller features";

// Records that are nobody's: blank, equal in every column, and one column alone, in two pairs of friends.
graph::Dataset made_up_records(const method::PublicFacts& facts) {
  constexpr int64_t kNodes = 4;
  Matrix rows(kNodes, facts.features);
  std::ranges::fill(rows.row(1), 1 / std::sqrt(static_cast<Real>(std::max<int64_t>(facts.features, 1))));
  rows(2, 0) = 1;
  rows(3, facts.features - 1) = -1;
  graph::Dataset data;
  data.name = "made-up records";
  const std::vector<int32_t> from{0, 2}, to{1, 3};
  data.graph = graph::Graph::from_undirected_edges(kNodes, from, to);
  data.features = graph::Features(std::move(rows));
  data.labels = SharedArray<int32_t>(std::vector<int32_t>(kNodes, graph::kUnlabeled));
  data.classes = facts.classes;
  return data;
}

// Whether the model says numbers about them. Nothing private is read, so nothing is noised.
bool finite_on_made_up_records(const Prepared& prepared, const nn::State& model) {
  const method::Method& method = prepared.experiment->method();
  const graph::Dataset data = method.prepare(made_up_records(prepared.setting.facts));
  method::Setting setting = prepared.setting;
  setting.facts.nodes = data.nodes();
  mechanism::Release release = mechanism::Release::clear(setting.relation, method.inference_plan(0, setting));
  const graph::Split nobody;
  const method::Task task{.data = data,
                          .split = nobody,
                          .relation = setting.relation,
                          .protect_degree = setting.protect_degree,
                          .seed = Seed::from_number(0)};
  return all_finite(method::values(method.infer(model, task, release)));
}

}  // namespace

void check_parameters(const nn::State& model) {
  for (const auto& [name, tensor] : model) {
    const bool good = tensor.type == nn::ScalarType::F32   ? all_numbers<float>(tensor)
                      : tensor.type == nn::ScalarType::F64 ? all_numbers<double>(tensor)
                                                           : true;
    if (!good) fail(ErrorKind::NotConverged, "the training diverged: '{}' is not finite; {}", name, kAdvice);
  }
}

int64_t settle_rows(method::Predictions& predictions) {
  if (all_finite(method::values(predictions))) return 0;
  int64_t count = 0;
  struct Visitor {
    int64_t& count;
    method::Predictions operator()(const mechanism::Public<Matrix>& p) const {
      return mechanism::from_public(
          [this](const Matrix& rows) {
            auto [out, settled_rows] = settled(rows);
            count = settled_rows;
            return std::move(out);
          },
          p);
    }
    method::Predictions operator()(const mechanism::Owner<Matrix>& p) const {
      auto [out, settled_rows] = settled(p.rows());
      count = settled_rows;
      return mechanism::Owner<Matrix>(std::move(out));
    }
    method::Predictions operator()(const mechanism::Holder<Matrix>& p) const {
      auto [out, settled_rows] = settled(p.private_value());
      count = settled_rows;
      return mechanism::Holder<Matrix>(std::move(out));
    }
  };
  predictions = std::visit(Visitor{count}, std::as_const(predictions));
  return count;
}

void check_output(const Prepared& prepared, method::Output& output) {
  const nn::State& model = output.model.value();
  check_parameters(model);
  const bool everybody = !prepared.is_private() || method::audience(output.predictions) == mechanism::Audience::Public;
  if (everybody ? !all_finite(method::values(output.predictions)) : !finite_on_made_up_records(prepared, model)) {
    fail(ErrorKind::NotConverged, "the training diverged: its predictions are not finite; {}", kAdvice);
  }
  const int64_t rows = settle_rows(output.predictions);
  if (rows == 0) return;
  auto diagnostics = output.diagnostics.private_value();
  diagnostics["predictions that were no numbers"] = static_cast<double>(rows);
  output.diagnostics = mechanism::Holder(std::move(diagnostics));
}

}  // namespace graphveil::run
