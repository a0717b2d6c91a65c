#include "graphveil/method/gap/networks.h"

#include <algorithm>

#include "graphveil/kernels/rows.h"
#include "graphveil/nn/ops_normalize.h"
#include "graphveil/nn/ops_row_parameter.h"
#include "graphveil/nn/ops_shape.h"

namespace graphveil::method {
namespace {

bool classifies(const GapArchitecture& architecture) { return architecture.encoder_rows == EncoderRows::Classes; }

// What one hop's MLP hands on.
int64_t base_width(const std::vector<ConstMatrixView>& hops, const GapArchitecture& architecture) {
  return architecture.base_layers == 0 ? hops.front().cols : architecture.hidden_dim;
}

int64_t combined_width(const std::vector<ConstMatrixView>& hops, const GapArchitecture& architecture) {
  const int64_t parts = architecture.combine == Combine::Concat ? architecture.hops + 1 : 1;
  return parts * base_width(hops, architecture);
}

Matrix dense_rows(const graph::Features& features) {
  Matrix out(features.rows(), features.cols());
  if (!features.is_sparse()) {
    for (int64_t r = 0; r < out.rows(); ++r) std::ranges::copy(features.dense().row(r), out.row(r).begin());
    return out;
  }
  const SparseView sparse = features.sparse();
  for (int64_t r = 0; r < out.rows(); ++r) {
    for (int64_t e = sparse.offsets[r]; e < sparse.offsets[r + 1]; ++e) {
      out(r, sparse.indices[e]) = sparse.values.empty() ? Real{1} : sparse.values[e];
    }
  }
  return out;
}

nn::Var activated(nn::Var x, std::optional<nn::BatchNorm>& norm, Activation activation) {
  return norm ? (*norm)(x, activation) : nn::activate(x, activation);
}

// max(a, b) entry by entry.
nn::Var larger(nn::Var a, nn::Var b) { return nn::add(a, nn::relu(nn::add(b, nn::scale(a, Real{-1})))); }

}  // namespace

void GapArchitecture::declare(Options& options) {
  options.integer("hops", hops, 1, 64, "Aggregation steps K");
  options.alias("k");
  options.integer("hidden-dim", hidden_dim, 1, 65536, "Hidden units, and width of the aggregated rows");
  options.integer("encoder-layers", encoder_layers, 0, 64, "Layers of the encoder; 0 aggregates the features");
  options.choice("encoder-rows", encoder_rows,
                 {{"embedding", EncoderRows::Embedding}, {"classes", EncoderRows::Classes}},
                 "What is aggregated: the encoder's last hidden layer, or its class probabilities less their mean");
  options.integer("base-layers", base_layers, 0, 64,
                  "Layers of each hop's MLP; 0: the head reads the hops as they are");
  options.integer("head-layers", head_layers, 1, 64, "Layers of the head MLP");
  options.choice("combine", combine,
                 {{"concat", Combine::Concat},
                  {"cat", Combine::Concat},  // as GAP's own program spells it
                  {"sum", Combine::Sum},
                  {"max", Combine::Max},
                  {"mean", Combine::Mean},
                  {"attention", Combine::Attention},
                  {"att", Combine::Attention}},
                 "How the hops are combined");
  declare_activation(options, activation);
  options.real("dropout", dropout, 0, 0.99, "Dropout after each activation within an MLP");
}

GapEncoder::GapEncoder(const graph::Dataset& data, const GapArchitecture& architecture, const Seed& seed)
    : architecture_(architecture),
      rows_(data.features),
      random_(seed, "encoder weights"),
      mlp_(parameters(), "encoder",
           {stack_widths(data.features.cols(), architecture.encoder_layers, architecture.hidden_dim,
                         classifies(architecture) ? data.classes : architecture.hidden_dim),
            architecture.activation, architecture.dropout, architecture.batch_norm, architecture.encoder_bias},
           random_),
      minus_mean_(1, data.classes) {
  rows_.keep_order();
  std::ranges::fill(minus_mean_.values(), Real{-1} / static_cast<Real>(data.classes));
  if (classifies(architecture)) {
    // A linear softmax starts best where all classes are equal.
    if (architecture.encoder_layers == 1) std::ranges::fill(parameters().values().values(), Real{0});
    return;
  }
  head_.emplace(parameters(), "encoder.head", architecture.hidden_dim, data.classes, random_);
  if (architecture.batch_norm) norm_.emplace(parameters(), "encoder.norm", architecture.hidden_dim);
}

nn::Var GapEncoder::embedding(nn::Tape& tape, std::span<const int32_t> nodes) {
  return nn::normalize_rows(mlp_(rows_(tape, nodes)));
}

nn::Var GapEncoder::scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  if (classifies(architecture_)) return mlp_(rows_(tape, nodes));
  return (*head_)(activated(embedding(tape, nodes), norm_, architecture_.activation));
}

nn::Var GapEncoder::messages(nn::Tape& tape, std::span<const int32_t> nodes) {
  if (!classifies(architecture_)) return embedding(tape, nodes);
  return nn::normalize_rows(nn::add_bias(nn::softmax(scores(tape, nodes)), tape.constant(minus_mean_)));
}

void GapEncoder::save(nn::State& state, const std::string& prefix) const {
  Network::save(state, prefix);
  mlp_.save(state, prefix);
  if (norm_) norm_->save(state, prefix);
}

void GapEncoder::load(const nn::State& state, const std::string& prefix) {
  Network::load(state, prefix);
  mlp_.load(state, prefix);
  if (norm_) norm_->load(state, prefix);
}

Matrix gap_embeddings(GapEncoder* encoder, const graph::Dataset& data) {
  const int64_t nodes = data.nodes();
  if (encoder == nullptr) {
    Matrix rows = dense_rows(data.features);
    std::vector<Real> norms(static_cast<size_t>(nodes));
    kernels::normalize_rows(rows, rows, norms);
    return rows;
  }
  return all_rows(nodes,
                  [&](nn::Tape& tape, std::span<const int32_t> piece) { return encoder->messages(tape, piece); });
}

namespace {

std::vector<ConstMatrixView> with_own(const Matrix& own, const std::vector<Matrix>& hops) {
  std::vector<ConstMatrixView> views{own};
  views.insert(views.end(), hops.begin(), hops.end());
  return views;
}

}  // namespace

GapClassifier::GapClassifier(const Matrix& own, const std::vector<Matrix>& hops, int32_t classes,
                             const GapArchitecture& architecture, const Seed& seed)
    : GapClassifier(with_own(own, hops), classes, architecture, seed) {}

GapClassifier::GapClassifier(const std::vector<ConstMatrixView>& hops, int32_t classes,
                             const GapArchitecture& architecture, const Seed& seed)
    : architecture_(architecture),
      hops_(hops.begin(), hops.end()),
      random_(seed, "classifier weights"),
      head_(
          parameters(), "head",
          {stack_widths(combined_width(hops, architecture), architecture.head_layers, architecture.hidden_dim, classes),
           architecture.activation, architecture.dropout, architecture.batch_norm},
          random_),
      ones_(1, base_width(hops, architecture)) {
  const bool linear = architecture.base_layers == 0 && architecture.head_layers == 1;
  if (linear && combined_width(hops, architecture) % classes == 0 && hops.front().cols == classes) {
    std::ranges::fill(parameters().values().values(), Real{0});
    MatrixView weight = parameters().value(0);
    for (int64_t i = 0; i < weight.rows; ++i) weight(i, i % classes) = static_cast<Real>(architecture.prior);
  }
  for (size_t k = 0; k < hops.size(); ++k) {
    base_.emplace_back(parameters(), "base" + std::to_string(k),
                       StackOptions{stack_widths(hops[k].cols, architecture.base_layers, architecture.hidden_dim,
                                                 architecture.hidden_dim),
                                    architecture.activation, architecture.dropout, architecture.batch_norm},
                       random_);
  }
  if (architecture.combine == Combine::Attention) {
    const int64_t one = base_width(hops, architecture);
    attention_ = parameters().add("attention", 1, one * static_cast<int64_t>(hops.size()));
    nn::fill_glorot(parameters().value(*attention_), one, 1, random_);
    std::ranges::fill(ones_.values(), Real{1});
  }
  if (architecture.batch_norm && architecture.base_layers > 0)
    norm_.emplace(parameters(), "norm", combined_width(hops, architecture));
}

nn::Var GapClassifier::scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  std::vector<nn::Var> parts;
  for (size_t k = 0; k < hops_.size(); ++k) parts.push_back(base_[k](hops_[k](tape, nodes)));
  const nn::Var x = combined(tape, parts);
  if (architecture_.base_layers == 0) return head_(x);
  return head_(activated(nn::normalize_rows(x), norm_, architecture_.activation));
}

nn::Var GapClassifier::combined(nn::Tape& tape, const std::vector<nn::Var>& parts) {
  switch (architecture_.combine) {
    case Combine::Concat: return nn::concat_columns(parts);
    case Combine::Sum:
    case Combine::Mean: {
      nn::Var sum = parts[0];
      for (size_t k = 1; k < parts.size(); ++k) sum = nn::add(sum, parts[k]);
      return architecture_.combine == Combine::Sum ? sum : nn::scale(sum, Real{1} / static_cast<Real>(parts.size()));
    }
    case Combine::Max: {
      nn::Var best = parts[0];
      for (size_t k = 1; k < parts.size(); ++k) best = larger(best, parts[k]);
      return best;
    }
    case Combine::Attention: break;
  }
  // The weights of the hops are softmax(<a_0, h^(0)>, ..., <a_K, h^(K)>).
  const nn::Var vectors = tape.parameter(parameters(), *attention_);
  const nn::Var weights =
      nn::softmax(nn::head_dot(nn::concat_columns(parts), vectors, static_cast<int64_t>(parts.size())));
  const nn::Var spread = tape.constant(ones_);
  std::optional<nn::Var> sum;
  for (size_t k = 0; k < parts.size(); ++k) {
    const nn::Var weight = nn::slice_columns(weights, static_cast<int64_t>(k), 1);
    const nn::Var term = nn::multiply(parts[k], nn::matmul(weight, spread));
    sum = sum ? nn::add(*sum, term) : term;
  }
  return *sum;
}

void GapClassifier::save(nn::State& state, const std::string& prefix) const {
  Network::save(state, prefix);
  for (const DenseStack& base : base_) base.save(state, prefix);
  head_.save(state, prefix);
  if (norm_) norm_->save(state, prefix);
}

void GapClassifier::load(const nn::State& state, const std::string& prefix) {
  Network::load(state, prefix);
  for (DenseStack& base : base_) base.load(state, prefix);
  head_.load(state, prefix);
  if (norm_) norm_->load(state, prefix);
}

}  // namespace graphveil::method
