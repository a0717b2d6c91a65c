#include "graphveil/learn/pretrain_graphmae.h"

#include <algorithm>

#include "graphveil/base/error.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/nn/ops_elementwise.h"
#include "graphveil/nn/ops_linear.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/ops_normalize.h"
#include "graphveil/nn/ops_shape.h"

namespace graphveil::learn {
namespace {

constexpr Real kMinusOne = -1;

}  // namespace

using nn::Var;

GraphMae::GraphMae(const Backbone& backbone, const PretrainGraph& graph, const Seed& seed)
    : backbone_(backbone),
      graph_(graph),
      random_(seed, "graphmae"),
      decoder_({backbone.shape().kind, backbone.shape().hidden, graph.x.cols, 1}, random_),
      visible_(Matrix::uninitialized(graph.x.rows, graph.x.cols)),
      is_masked_(graph.x.rows, 1),
      targets_(Matrix::uninitialized(graph.x.rows / 2, graph.x.cols)),
      ones_(graph.x.cols, 1) {
  require(graph.x.rows >= 2, "{} nodes, want some to mask and some to see", graph.x.rows);
  const int64_t width = backbone.shape().hidden;
  token_ = head_.add("token", 1, graph.x.cols);
  to_decoder_ = head_.add("to_decoder", width, width);
  nn::fill_glorot(head_.value(to_decoder_), width, width, random_);
  kernels::fill(ones_, 1);
}

void GraphMae::mask(int64_t epoch) {
  random_.seek(static_cast<uint64_t>(epoch) + 1);
  const std::vector<int32_t> order = random_.permutation(graph_.x.rows);
  const auto half = order.begin() + graph_.x.rows / 2;
  masked_.assign(order.begin(), half);
  seen_.assign(half, order.end());
  std::ranges::sort(masked_);
  std::ranges::sort(seen_);
  kernels::copy(graph_.x, visible_);
  kernels::fill(is_masked_, 0);
  for (const int32_t v : masked_) {
    std::ranges::fill(visible_.row(v), Real(0));
    is_masked_(v, 0) = 1;
  }
  kernels::gather_rows(graph_.x, masked_, targets_);
  std::vector<Real> norms(masked_.size());
  kernels::normalize_rows(targets_, targets_, norms);
}

Var GraphMae::loss(nn::Tape& tape, int64_t epoch) {
  mask(epoch);
  const Var token = nn::matmul(tape.input(is_masked_), tape.parameter(head_, token_));
  const Var h = backbone_(nn::add(tape.input(visible_), token), graph_.edges);

  const Var code = nn::matmul(nn::gather_rows(h, seen_), tape.parameter(head_, to_decoder_));
  const Var remasked = nn::scatter_rows(code, seen_, h.rows());
  const Var restored = nn::normalize_rows(nn::gather_rows(decoder_(remasked, graph_.edges), masked_));

  // The mean over masked nodes of (cos - 1)².
  const Var cosines = nn::matmul(nn::multiply(restored, tape.constant(targets_)), tape.constant(ones_));
  const Var errors = nn::add_bias(cosines, tape.constant({&kMinusOne, 1, 1}));
  return nn::l2_penalty(errors, Real(2) / static_cast<Real>(masked_.size()));
}

}  // namespace graphveil::learn
