#include "graphveil/learn/pretrain_dgi.h"

#include "graphveil/kernels/rows.h"
#include "graphveil/nn/ops_elementwise.h"
#include "graphveil/nn/ops_linear.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/ops_row_parameter.h"
#include "graphveil/nn/ops_segment.h"

namespace graphveil::learn {

using nn::Var;

Dgi::Dgi(const Backbone& backbone, const PretrainGraph& graph, const Seed& seed)
    : backbone_(backbone),
      graph_(graph),
      random_(seed, "dgi"),
      corrupted_(Matrix::uninitialized(graph.x.rows, graph.x.cols)),
      whole_{0, graph.x.rows},
      real_(static_cast<size_t>(graph.x.rows), 1),
      fake_(static_cast<size_t>(graph.x.rows), 0) {
  const int64_t width = backbone.shape().hidden;
  discriminator_ = head_.add("discriminator", width, width);
  nn::fill_glorot(head_.value(discriminator_), width, width, random_);
}

Var Dgi::loss(nn::Tape& tape, int64_t epoch) {
  random_.seek(static_cast<uint64_t>(epoch) + 1);
  kernels::gather_rows(graph_.x, random_.permutation(graph_.x.rows), corrupted_);

  // An activation after the last layer, as the authors have it: the embeddings themselves are read without.
  const Var h = nn::leaky_relu(backbone_(tape.input(graph_.x), graph_.edges));
  const Var corrupted = nn::leaky_relu(backbone_(tape.input(corrupted_), graph_.edges));
  const Var summary = nn::sigmoid(nn::segment_mean(h, whole_));
  const Var direction = nn::matmul(summary, tape.parameter(head_, discriminator_));
  return nn::add(nn::logistic_loss(nn::head_dot(h, direction, 1), real_),
                 nn::logistic_loss(nn::head_dot(corrupted, direction, 1), fake_));
}

}  // namespace graphveil::learn
