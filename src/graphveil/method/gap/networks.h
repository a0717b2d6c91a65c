// The two networks of GAP (Sajadmanesh, Shamsabadi, Bellet, Gatica-Perez 2023, section 4): the encoder, which is
// trained before any edge is read, and the classifier on the aggregations.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "graphveil/graph/dataset.h"
#include "graphveil/learn/dense_stack.h"
#include "graphveil/learn/feature_rows.h"
#include "graphveil/learn/network.h"

namespace graphveil::method {

using namespace learn;

enum class Combine { Concat, Sum, Max, Mean, Attention };

// What the encoder hands to the aggregation.
enum class EncoderRows {
  Embedding,  // the last hidden layer, scaled to norm 1: the paper's
  Classes,    // class probabilities less 1/classes of an MLP: narrow, and already in the coordinates of the answer
};

struct GapArchitecture {
  int64_t hops = 2;
  int64_t hidden_dim = 16;
  int64_t encoder_layers = 2;  // 0: no encoder, the features themselves are aggregated
  bool encoder_bias = true;    // false: the features have a constant column instead
  EncoderRows encoder_rows = EncoderRows::Embedding;
  int64_t base_layers = 1;  // 0: the head reads the hops as they are
  int64_t head_layers = 1;
  Combine combine = Combine::Concat;
  Activation activation = Activation::Selu;
  double dropout = 0;      // after each activation within an MLP
  bool batch_norm = true;  // edge level only: DP-SGD refuses it
  double prior = 3;        // where a linear classifier of classes' rows starts: a hop's class speaks for that class

  void declare(Options& options);
};

// X^(0) = rows of MLP_enc(X) scaled to norm 1; trained with a softmax head that is thrown away afterwards. With
// EncoderRows::Classes there is no embedding: an MLP classifies, and its probabilities are aggregated.
class GapEncoder final : public Network {
 public:
  GapEncoder(const graph::Dataset& data, const GapArchitecture& architecture, const Seed& seed);
  nn::Var embedding(nn::Tape& tape, std::span<const int32_t> nodes);
  nn::Var scores(nn::Tape& tape, std::span<const int32_t> nodes) override;
  bool steps_keep_apart() const override { return !architecture_.batch_norm; }
  // What is aggregated, of norm at most 1.
  nn::Var messages(nn::Tape& tape, std::span<const int32_t> nodes);
  void save(nn::State& state, const std::string& prefix) const override;
  void load(const nn::State& state, const std::string& prefix) override;

 private:
  GapArchitecture architecture_;
  FeatureRows rows_;
  RandomStream random_;
  DenseStack mlp_;
  std::optional<nn::BatchNorm> norm_;
  std::optional<nn::Linear> head_;
  Matrix minus_mean_;  // 1 x classes, of -1/classes
};

// Rows of norm at most 1 for every node: the encoder's, or without an encoder the features'.
Matrix gap_embeddings(GapEncoder* encoder, const graph::Dataset& data);

// MLP_head(COMBINE(MLP_base^(0)(X^(0)), ..., MLP_base^(K)(X^(K)))).
class GapClassifier final : public Network {
 public:
  // `own` is X^(0), hops[k - 1] is X^(k), one row per node; they must outlive the network.
  GapClassifier(const Matrix& own, const std::vector<Matrix>& hops, int32_t classes,
                const GapArchitecture& architecture, const Seed& seed);
  nn::Var scores(nn::Tape& tape, std::span<const int32_t> nodes) override;
  bool steps_keep_apart() const override { return !architecture_.batch_norm; }
  void save(nn::State& state, const std::string& prefix) const override;
  void load(const nn::State& state, const std::string& prefix) override;

 private:
  GapClassifier(const std::vector<ConstMatrixView>& hops, int32_t classes, const GapArchitecture& architecture,
                const Seed& seed);
  nn::Var combined(nn::Tape& tape, const std::vector<nn::Var>& parts);

  GapArchitecture architecture_;
  std::vector<MatrixRows> hops_;
  RandomStream random_;
  std::vector<DenseStack> base_;
  std::optional<nn::ParameterId> attention_;
  std::optional<nn::BatchNorm> norm_;
  DenseStack head_;
  Matrix ones_;  // 1 x hidden: spreads a node's attention weight over its columns
};

}  // namespace graphveil::method
