// Graph prompts: a few trained numbers around a frozen backbone that make it classify nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/base/options.h"
#include "graphveil/base/random.h"
#include "graphveil/graph/graph.h"
#include "graphveil/learn/backbone.h"
#include "graphveil/nn/edges.h"
#include "graphveil/nn/parameters.h"
#include "graphveil/nn/state.h"
#include "graphveil/nn/tape.h"

namespace graphveil::method {

using namespace learn;

enum class PromptKind { Gppt, AllInOne, GpfPlus };

// Whose answer a prompt has: its own, tuned with it, or one that all prompts of a run share (shared_answer.h).
enum class AnswerOf { Own, Shared };

// Class scores of rows of standardized embeddings, linear in them.
struct LinearAnswer {
  Matrix weight;  // width x classes
  Matrix bias;    // 1 x classes
};

struct PromptOptions {
  PromptKind kind = PromptKind::GpfPlus;
  std::optional<int64_t> tokens = std::nullopt;  // of gpf-plus and all-in-one; none: 10 and 2
  int64_t epochs = 150;
  std::optional<double> learning_rate = std::nullopt;  // none: by the kind
  double weight_decay = 1e-4;
  AnswerOf answer = AnswerOf::Own;

  void declare(Options& options);
  // What holds for this kind.
  int64_t token_count() const { return tokens.value_or(kind == PromptKind::AllInOne ? 2 : 10); }
  double rate() const;
};

// What embeddings are read as: rows about a mean, each of norm 1. (Columns are not scaled: few of them tell classes
// apart, and those vary most.) Or plain: as they are.
struct Standard {
  Matrix shift;  // 1 x width
  bool plain = false;

  // About the mean of these embeddings, which must be public, or the reader's own.
  static Standard of(ConstMatrixView embeddings);
  // About zero, where nothing is known.
  static Standard none(int64_t width) { return {Matrix(1, width)}; }
  Standard clone() const { return {shift.clone(), plain}; }
  nn::Var operator()(nn::Var embeddings) const;
};

// A graph as a backbone reads it: features in the backbone's width, edges of its kind, and how its embeddings lie.
struct PromptGraph {
  PromptGraph(Matrix rows, graph::Graph graph, const Backbone& backbone, Standard standard);

  Matrix rows;
  graph::Graph graph;
  nn::Edges edges;
  Standard standard;

  int64_t nodes() const { return rows.rows(); }
};

// Tuned on one graph and asked about another. The backbone must outlive it and stays as it is.
class Prompt {
 public:
  virtual ~Prompt() = default;
  // Class scores of these nodes, one row each.
  virtual nn::Var scores(nn::Tape& tape, const PromptGraph& graph, std::span<const int32_t> nodes) = 0;
  // Fits prompt and answer to the labels of these nodes. What it leaves depends on the graph, the labels and the seed
  // alone.
  virtual void tune(const PromptGraph& graph, std::span<const int32_t> nodes, std::span<const int32_t> labels,
                    const Seed& seed) = 0;
  // Of --answer shared: takes this answer over, which tune() then leaves as it is. Throws InvalidArgument for a kind
  // that has none.
  virtual void keep_answer(const LinearAnswer& answer) = 0;
  // Everything that was tuned, under names that start with `prefix`.
  virtual void save(nn::State& state, const std::string& prefix) const = 0;
  virtual void load(const nn::State& state, const std::string& prefix) = 0;

  // Softmax of the scores.
  Matrix probabilities(const PromptGraph& graph, std::span<const int32_t> nodes);
};

// The prompt starts with initial weights from the seed.
std::unique_ptr<Prompt> make_prompt(const PromptOptions& options, const Backbone& backbone, int32_t classes,
                                    const Seed& seed);

// Adam on the loss: the steps that all tuning loops share.
void adam_steps(nn::Parameters& parameters, int64_t steps, const PromptOptions& options, const Seed& seed,
                const std::function<nn::Var(nn::Tape&)>& loss);

void save_under(const nn::Parameters& parameters, nn::State& state, const std::string& prefix);
void load_under(const nn::State& state, nn::Parameters& parameters, const std::string& prefix);

// 0, 1, ..., count - 1.
std::vector<int32_t> first_numbers(int64_t count);

}  // namespace graphveil::method
