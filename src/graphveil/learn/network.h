// A classifier under training.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/nn/parameters.h"
#include "graphveil/nn/state.h"
#include "graphveil/nn/tape.h"

namespace graphveil::learn {

class Network {
 public:
  virtual ~Network() = default;
  // Scores (logits) of every class for these nodes. `nodes` must outlive the step.
  virtual nn::Var scores(nn::Tape& tape, std::span<const int32_t> nodes) = 0;
  // The scores in a per-sample step, which reads each node's own sample alone.
  virtual nn::Var sample_scores(nn::Tape& tape, std::span<const int32_t> nodes) { return scores(tape, nodes); }
  // Whether a node's scores need the rows of other nodes, so that all nodes must be computed together.
  virtual bool needs_all_nodes() const { return false; }
  // Whether sample_scores writes to the tape alone: then threads can take per-sample steps side by side, each on a tape
  // of its own.
  virtual bool steps_keep_apart() const { return false; }
  // How many samples of a per-sample step to pass through the network at once; a larger batch is summed in pieces.
  virtual int64_t samples_at_once() const { return int64_t{1} << 15; }

  nn::Parameters& parameters() { return parameters_; }
  const nn::Parameters& parameters() const { return parameters_; }
  // All that scores depends on, under names that start with `prefix`.
  virtual void save(nn::State& state, const std::string& prefix) const;
  virtual void load(const nn::State& state, const std::string& prefix);

 private:
  nn::Parameters parameters_;
};

// The labels of these nodes.
void gather_labels(std::span<const int32_t> labels, std::span<const int32_t> nodes, std::vector<int32_t>& out);
// What `rows` gives for nodes 0 .. nodes-1, a piece at a time, without dropout: embeddings, or whatever a network makes
// of each node by itself.
Matrix all_rows(int64_t nodes, const std::function<nn::Var(nn::Tape&, std::span<const int32_t>)>& rows);
// Softmax of the scores of nodes 0 .. nodes-1.
Matrix class_probabilities(Network& network, int64_t nodes);
// The share of these nodes whose highest score is their label.
double evaluate_accuracy(Network& network, std::span<const int32_t> nodes, std::span<const int32_t> labels);
// How many of them, with a tape that the caller keeps: repeated calls then find its memory.
int64_t count_right(Network& network, std::span<const int32_t> nodes, std::span<const int32_t> labels, nn::Tape& tape);

}  // namespace graphveil::learn
