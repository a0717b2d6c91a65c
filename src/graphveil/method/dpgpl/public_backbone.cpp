#include "graphveil/method/dpgpl/public_backbone.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/bound/votes.h"
#include "graphveil/graph/subgraph.h"
#include "graphveil/kernels/reduce.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/spmm.h"

namespace graphveil::method {
namespace {

constexpr const char* kBasis = "basis.";
constexpr const char* kBackbone = "backbone.";

// The certificate lists these options, so they must be the file's.
void check_options(const Pretrained& pretrained, const PublicBackboneOptions& options) {
  PublicBackboneOptions of_file{options.file, pretrained.options, options.center}, asked = options;
  // The file keeps it as a Real.
  const double rate = options.pretrain.learning_rate;
  if (static_cast<Real>(rate) == static_cast<Real>(pretrained.options.learning_rate))
    of_file.pretrain.learning_rate = rate;
  Options theirs, ours;
  of_file.declare(theirs);
  asked.declare(ours);
  std::string flags;
  for (const Option& option : theirs.list()) {
    if (option.text() != ours.find(option.name)->text()) flags += fmt::format(" --{} {}", option.name, option.text());
  }
  if (flags.empty()) return;
  fail(ErrorKind::InvalidArgument,
       "{} was pre-trained otherwise than the options say, which the certificate lists; add{}", options.file, flags);
}

Pretrained from_file(const Task& task, const PublicBackboneOptions& options) {
  if (task.public_arrays == nullptr) fail(ErrorKind::Internal, "{} was not read", options.file);
  std::optional<Pretrained> pretrained;
  try {
    pretrained.emplace(Pretrained::loaded(*task.public_arrays, ""));
  } catch (const Error& error) {
    fail(ErrorKind::BadInput, "{}: is not a backbone of `graphveil pretrain`: {}", options.file, error.what());
  }
  check_options(*pretrained, options);
  return std::move(*pretrained);
}

}  // namespace

void PublicBackboneOptions::declare(Options& options) {
  options.text("backbone", file,
               "Backbone that `graphveil pretrain` wrote; empty: pre-trained in the run, on the public graph");
  options.choice<BackboneKind>(
      "arch", pretrain.architecture,
      {{"gcn", BackboneKind::Gcn}, {"gat", BackboneKind::Gat}, {"transformer", BackboneKind::Transformer}},
      "Layers of a backbone that is pre-trained in the run");
  options.choice<PretrainKind>("task", pretrain.task,
                               {{"dgi", PretrainKind::Dgi},
                                {"graphmae", PretrainKind::GraphMae},
                                {"edge", PretrainKind::Edge},
                                {"simgrace", PretrainKind::SimGrace}},
                               "What it learns from, without labels");
  options.integer("svd", pretrain.svd, 1, 4096, "Width that features are brought to, by a basis fitted on public data");
  options.integer("hidden-dim", pretrain.hidden, 1, 4096, "Width of its layers and of the embeddings");
  options.integer("backbone-layers", pretrain.layers, 1, 64, "Its layers");
  options.integer("heads", pretrain.heads, 1, 4096, "Its attention heads, of gat and transformer, within the width");
  options.integer("backbone-epochs", pretrain.epochs, 1, 1000000, "Passes over the public graph");
  options.real("backbone-learning-rate", pretrain.learning_rate, 0, 1e6, "Learning rate of the pre-training");
  options.boolean("center", center,
                  "Embeddings are read about their mean on the public graph, each of norm 1; false: as they are");
}

void PublicBackboneOptions::use_paper_settings() {
  *this = {};
  pretrain.task = PretrainKind::Dgi;
}

OptionValues PublicBackboneOptions::quick(const QuickSize& size) const {
  if (!file.empty()) return {};
  return sized({{"backbone-epochs", size.epochs}, {"svd", size.width}, {"hidden-dim", size.width}});
}

std::vector<std::string> PublicBackboneOptions::assumptions() const {
  if (file.empty()) return {};
  return {fmt::format("the backbone in {} was pre-trained on public data", file)};
}

PublicBackbone::PublicBackbone(FeatureBasis basis, Backbone network, Matrix rows, const graph::Graph& graph,
                               bool center)
    : basis_(std::move(basis)),
      network_(std::move(network)),
      center_embeddings_(center),
      graph_(std::move(rows), graph, network_, Standard::none(network_.shape().hidden)) {
  graph_.standard = standard(1);
  center_ = Matrix(1, graph_.rows.cols());
  kernels::column_sums(averaged_twice(), center_.row(0));
  for (Real& x : center_.values()) x /= static_cast<Real>(std::max<int64_t>(graph_.nodes(), 1));
}

PublicBackbone PublicBackbone::made(const Task& task, const PublicBackboneOptions& options) {
  const PublicGraph& graph = required_public(task);
  const graph::Dataset& data = graph.data.value();
  Pretrained pretrained =
      options.file.empty() ? pretrain(graph.data, options.pretrain, task.seed) : from_file(task, options);
  FeatureBasis basis = pretrained.basis_for(data.features, task.seed);
  Matrix rows = basis(data.features);
  PublicBackbone out(std::move(basis), std::move(pretrained.backbone), std::move(rows), data.graph, options.center);
  for (const Matrix* numbers : {&out.graph_.standard.shift, &out.center_}) {
    if (std::ranges::all_of(numbers->values(), [](Real x) { return std::isfinite(x); })) continue;
    fail(ErrorKind::BadInput, "{}: its numbers grow beyond a float's range on the public graph",
         options.file.empty() ? "the backbone" : options.file);
  }
  return out;
}

Standard PublicBackbone::standard(int64_t parts) const {
  std::vector<int32_t> part;
  for (int64_t v = 0; v < graph_.nodes(); ++v) part.push_back(static_cast<int32_t>(bound::teacher_of(v, parts)));
  const graph::Graph cut = graph::edges_within_parts(graph_.graph, part);
  return standard_of(network_.embed(graph_.rows, nn::Edges(cut.in_view(), edge_options(network_.shape().kind))));
}

Standard PublicBackbone::standard_alone() const {
  const graph::Graph alone = graph::Graph::from_edges(graph_.nodes(), {}, {});
  return standard_of(network_.embed(graph_.rows, nn::Edges(alone.in_view(), edge_options(network_.shape().kind))));
}

Standard PublicBackbone::standard_of(ConstMatrixView embeddings) const {
  if (center_embeddings_) return Standard::of(embeddings);
  Standard plain = Standard::none(network_.shape().hidden);
  plain.plain = true;
  return plain;
}

Matrix PublicBackbone::averaged_twice() const {
  const nn::Edges edges(graph_.graph.in_view(), {.self_loops = true, .weights = nn::EdgeWeights::Symmetric});
  Matrix once = Matrix::uninitialized(graph_.nodes(), graph_.rows.cols());
  Matrix twice = Matrix::uninitialized(graph_.nodes(), graph_.rows.cols());
  kernels::spmm(edges.in(), graph_.rows, once);
  kernels::spmm(edges.in(), once, twice);
  return twice;
}

Matrix PublicBackbone::smoothed() const {
  Matrix out = averaged_twice();
  for (int64_t v = 0; v < out.rows(); ++v) {
    for (int64_t c = 0; c < out.cols(); ++c) out(v, c) -= center_(0, c);
  }
  std::vector<Real> norms(static_cast<size_t>(out.rows()));
  kernels::normalize_rows(out, out, norms);
  return out;
}

void PublicBackbone::save(nn::State& state) const {
  basis_.save(state, kBasis);
  network_.save(state, kBackbone);
  if (center_embeddings_) state["standard.shift"] = nn::to_tensor(graph_.standard.shift);
  state["smoothed.center"] = nn::to_tensor(center_);
}

PublicBackbone PublicBackbone::loaded(const nn::State& state, const graph::Dataset& data) {
  FeatureBasis basis = FeatureBasis::loaded(state, kBasis);
  Matrix rows = basis(data.features);
  PublicBackbone out(std::move(basis), Backbone::loaded(state, kBackbone), std::move(rows), data.graph,
                     state.contains("standard.shift"));
  // What training knew of the public graph.
  nn::read_matrix(state, "smoothed.center", out.center_);
  if (out.center_embeddings_) nn::read_matrix(state, "standard.shift", out.graph_.standard.shift);
  return out;
}

PublicBackbone PublicBackbone::with(Backbone network) const {
  PublicBackbone out(basis_.clone(), std::move(network), graph_.rows.clone(), graph_.graph, center_embeddings_);
  out.graph_.standard = graph_.standard.clone();
  return out;
}

}  // namespace graphveil::method
