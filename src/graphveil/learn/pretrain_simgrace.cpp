#include "graphveil/learn/pretrain_simgrace.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graphveil/base/error.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/reduce.h"
#include "graphveil/nn/ops_linear.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/ops_normalize.h"
#include "graphveil/nn/ops_segment.h"
#include "graphveil/nn/ops_shape.h"

namespace graphveil::learn {
namespace {

constexpr int64_t kMaxRoots = 512;
constexpr double kPerturbation = 0.1;  // in standard deviations of each weight matrix
constexpr double kTemperature = 0.1;

double deviation(ConstMatrixView x) {
  const auto count = static_cast<double>(x.size());
  const double mean = kernels::sum(x) / count;
  return std::sqrt(std::max(0.0, kernels::sum_of_squares(x) / count - mean * mean));
}

}  // namespace

using nn::Var;

SimGrace::SimGrace(Backbone& backbone, const PretrainGraph& graph, const Seed& seed)
    : backbone_(backbone),
      graph_(graph),
      random_(seed, "simgrace"),
      projection_(head_, "projection",
                  {.widths = std::vector<int64_t>(3, backbone.shape().hidden), .activation = Activation::Relu},
                  random_),
      other_tape_(seed) {
  require(graph.x.rows >= 2, "{} nodes, want at least 2 to tell apart", graph.x.rows);
}

void SimGrace::draw_subgraphs() {
  const std::vector<int64_t> roots =
      random_.sample_without_replacement(graph_.x.rows, std::min(graph_.x.rows, kMaxRoots));
  offsets_.assign(1, 0);
  nodes_.clear();
  for (const int64_t root : roots) {
    const auto neighbors = graph_.graph.in(root);
    nodes_.push_back(static_cast<int32_t>(root));
    nodes_.insert(nodes_.end(), neighbors.begin(), neighbors.end());
    offsets_.push_back(static_cast<int64_t>(nodes_.size()));
  }
  same_.resize(roots.size());
  std::iota(same_.begin(), same_.end(), 0);
}

void SimGrace::with_perturbed_weights(const std::function<void()>& body) {
  nn::Parameters& parameters = backbone_.parameters();
  const Matrix kept = parameters.values().clone();
  for (nn::ParameterId id = 0; id < parameters.count(); ++id) {
    const double size = kPerturbation * deviation(parameters.value(id));
    for (int64_t r = 0; r < parameters.info(id).rows; ++r) {
      for (Real& w : parameters.value(id).row(r)) w += static_cast<Real>(size * random_.gaussian());
    }
  }
  body();
  kernels::copy(kept, parameters.values());
}

Var SimGrace::view(nn::Tape& tape) {
  const Var h = backbone_(tape.input(graph_.x), graph_.edges);
  return nn::normalize_rows(projection_(nn::segment_mean(nn::gather_rows(h, nodes_), offsets_)));
}

Var SimGrace::loss(nn::Tape& tape, int64_t epoch) {
  random_.seek(static_cast<uint64_t>(epoch) + 1);
  draw_subgraphs();
  with_perturbed_weights([&] {
    other_tape_.start(nn::Tape::Mode::Evaluate);
    const ConstMatrixView z = view(other_tape_).value();
    other_view_ = Matrix::uninitialized(z.cols, z.rows);
    for (int64_t i = 0; i < z.rows; ++i) {
      for (int64_t c = 0; c < z.cols; ++c) other_view_(c, i) = z(i, c) / static_cast<Real>(kTemperature);
    }
  });
  return nn::cross_entropy(nn::matmul(view(tape), tape.constant(other_view_)), same_);
}

}  // namespace graphveil::learn
