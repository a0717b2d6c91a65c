#include "graphveil/learn/network.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/softmax.h"

namespace graphveil::learn {
namespace {

constexpr int64_t kRowsAtOnce = 1 << 15;
constexpr int64_t kLabelsAtOnce = 1 << 13;

// Nothing is dropped out in evaluation: the seed is not used.
nn::Tape evaluation_tape() { return nn::Tape(Seed::from_number(0)); }

// visit(first, rows) over pieces of `nodes`, in order. More than one: no bit depends on where they are cut.
template <typename Rows, typename Visit>
void for_each_piece(nn::Tape& tape, std::span<const int32_t> nodes, int64_t step, nn::Tape::Mode mode, Rows&& rows,
                    Visit&& visit) {
  const auto total = static_cast<int64_t>(nodes.size());
  for (int64_t first = 0; first < total; first += step) {
    const auto piece = nodes.subspan(static_cast<size_t>(first), static_cast<size_t>(std::min(step, total - first)));
    tape.start(mode);
    visit(first, rows(tape, piece).value());
  }
}

// The same with the scores of a network; one piece when rows need each other.
template <typename Visit>
void for_each_piece(nn::Tape& tape, Network& network, std::span<const int32_t> nodes, Visit&& visit) {
  for_each_piece(
      tape, nodes, network.needs_all_nodes() ? static_cast<int64_t>(nodes.size()) : kRowsAtOnce,
      network.needs_all_nodes() ? nn::Tape::Mode::Evaluate : nn::Tape::Mode::RowsApart,
      [&](nn::Tape& step, std::span<const int32_t> piece) { return network.scores(step, piece); }, visit);
}

std::vector<int32_t> first_nodes(int64_t nodes) {
  std::vector<int32_t> all(static_cast<size_t>(nodes));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

void gather_labels(std::span<const int32_t> labels, std::span<const int32_t> nodes, std::vector<int32_t>& out) {
  out.resize(nodes.size());
  parallel_for(std::ssize(nodes), kLabelsAtOnce, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      out[i] = labels[static_cast<size_t>(nodes[i])];
    }
  });
}

void Network::save(nn::State& state, const std::string& prefix) const {
  for (int32_t id = 0; id < parameters_.count(); ++id) {
    state[prefix + parameters_.info(id).name] = nn::to_tensor(parameters_.value(id));
  }
}

void Network::load(const nn::State& state, const std::string& prefix) {
  for (int32_t id = 0; id < parameters_.count(); ++id) {
    nn::read_matrix(state, prefix + parameters_.info(id).name, parameters_.value(id));
  }
}

Matrix all_rows(int64_t nodes, const std::function<nn::Var(nn::Tape&, std::span<const int32_t>)>& rows) {
  const std::vector<int32_t> all = first_nodes(nodes);
  Matrix out;
  nn::Tape tape = evaluation_tape();
  for_each_piece(tape, all, kRowsAtOnce, nn::Tape::Mode::RowsApart, rows, [&](int64_t first, ConstMatrixView piece) {
    if (out.rows() == 0) out = Matrix::uninitialized(nodes, piece.cols);
    kernels::copy(piece, out.view().rows_at(first, piece.rows));
  });
  return out;
}

Matrix class_probabilities(Network& network, int64_t nodes) {
  const std::vector<int32_t> all = first_nodes(nodes);
  Matrix probabilities;
  nn::Tape tape = evaluation_tape();
  for_each_piece(tape, network, all, [&](int64_t first, ConstMatrixView scores) {
    if (probabilities.rows() == 0) probabilities = Matrix::uninitialized(nodes, scores.cols);
    kernels::softmax(scores, probabilities.view().rows_at(first, scores.rows));
  });
  return probabilities;
}

double evaluate_accuracy(Network& network, std::span<const int32_t> nodes, std::span<const int32_t> labels) {
  if (nodes.empty()) return 0;
  nn::Tape tape = evaluation_tape();
  return static_cast<double>(count_right(network, nodes, labels, tape)) / static_cast<double>(nodes.size());
}

int64_t count_right(Network& network, std::span<const int32_t> nodes, std::span<const int32_t> labels, nn::Tape& tape) {
  std::atomic<int64_t> right = 0;
  std::vector<int32_t> best, wanted;
  for_each_piece(tape, network, nodes, [&](int64_t first, ConstMatrixView scores) {
    best.resize(static_cast<size_t>(scores.rows));
    kernels::row_argmax(scores, best);
    gather_labels(labels, nodes.subspan(static_cast<size_t>(first), best.size()), wanted);
    parallel_for(std::ssize(best), kLabelsAtOnce, [&](int64_t begin, int64_t end) {
      int64_t here = 0;
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) here += best[i] == wanted[i];
      right += here;
    });
  });
  return right;
}

}  // namespace graphveil::learn
