#include "graphveil/method/gap.h"

#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/published_gap.h"
#include "graphveil/bound/out_degree.h"
#include "graphveil/method/aggregation.h"
#include "graphveil/method/mlp.h"

namespace graphveil::method {
namespace {

constexpr const char* kPaper = "Sajadmanesh et al., USENIX Security 2023";

// Three positive numbers with colons between them.
std::array<double, 3> parse_split(const std::string& text) {
  std::array<double, 3> parts{};
  const char* at = text.data();
  const char* end = at + text.size();
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, parts[i]);
    const bool last = i + 1 == parts.size();
    if (error != std::errc() || !(parts[i] > 0 && parts[i] < 1e6) ||
        (last ? next != end : next == end || *next != ':')) {
      fail(ErrorKind::InvalidArgument, "--noise-split is '{}', want three positive numbers such as 1:1:1", text);
    }
    at = next + 1;
  }
  return parts;
}

// The aggregations of hops 1 .. K, which are public, as part of the model file.
void save_hops(const std::vector<Matrix>& hops, nn::State& state) {
  for (size_t k = 1; k < hops.size(); ++k) state[fmt::format("aggregation/{}", k)] = nn::to_tensor(hops[k]);
}

}  // namespace

Description GapEdge::describe() const {
  if (private_) return {"gap-edp", "edge", "GAP: encoder, noisy multi-hop aggregation, classifier", kPaper};
  return {"gap-inf", "none", "GAP without noise: the accuracy that noise costs", kPaper};
}

void GapEdge::declare(Options& options) {
  architecture_.declare(options);
  declare_fit(options, fit_);
  options.integer("encoder-epochs", encoder_epochs_, 1, 1000000, "Passes over the training nodes for the encoder");
}

void GapEdge::use_paper_settings() {
  architecture_ = {};
  fit_ = {};
  encoder_epochs_ = 100;
}

std::vector<bound::Relation> GapEdge::relations() const {
  if (!private_) return {};
  return {bound::Relation::UndirectedEdge, bound::Relation::Edge};
}

account::Ledger GapEdge::plan(double noise, bound::Relation relation, const PublicFacts&) const {
  return inference_plan(noise, relation);
}

std::optional<Published> GapEdge::published(double epsilon, double delta, bound::Relation, const PublicFacts&) const {
  if (!private_) return std::nullopt;
  return Published{account::published_gap_edge_noise(architecture_.hops, epsilon, delta), {}};
}

account::Ledger GapEdge::inference_plan(double noise, bound::Relation) const {
  if (!private_) return {};
  return {account::Event("aggregation", account::Gaussian{noise}, {}, architecture_.hops)};
}

std::vector<Matrix> GapEdge::aggregate(const Task& task, Matrix rows, double noise, mechanism::Release* release) const {
  if (!private_) return plain_aggregation(task.data.graph, std::move(rows), architecture_.hops);
  return private_aggregation(task.data.graph, std::move(rows), architecture_.hops, {.relation = task.relation}, noise,
                             "aggregation", required(release));
}

Released GapEdge::run(const Task& task, double noise, mechanism::Release* release) const {
  Released out;
  std::optional<GapEncoder> encoder;
  if (architecture_.encoder_layers > 0) {
    encoder.emplace(task.data, architecture_, task.seed);
    FitOptions fit_encoder = fit_;
    fit_encoder.epochs = encoder_epochs_;
    fit(*encoder, fit_data(task), fit_encoder, task.seed, "encoder");
    encoder->save(out.model, "encoder/");
  }
  const std::vector<Matrix> hops =
      aggregate(task, gap_embeddings(encoder ? &*encoder : nullptr, task.data), noise, release);
  GapClassifier classifier(hops, task.data.classes, architecture_, task.seed);
  fit(classifier, fit_data(task), fit_, task.seed, "classifier");
  classifier.save(out.model, "classifier/");
  save_hops(hops, out.model);
  out.probabilities = class_probabilities(classifier, task.data.nodes());
  return out;
}

Matrix GapEdge::infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const {
  std::optional<GapEncoder> encoder;
  if (architecture_.encoder_layers > 0) {
    encoder.emplace(task.data, architecture_, task.seed);
    encoder->load(model, "encoder/");
  }
  const std::vector<Matrix> hops =
      aggregate(task, gap_embeddings(encoder ? &*encoder : nullptr, task.data), noise, release);
  GapClassifier classifier(hops, task.data.classes, architecture_, task.seed);
  classifier.load(model, "classifier/");
  return class_probabilities(classifier, task.data.nodes());
}

GapNode::GapNode() { architecture_.batch_norm = false; }

Description GapNode::describe() const {
  return {"gap-ndp", "node", "GAP with DP-SGD: encoder, noisy multi-hop aggregation, classifier", kPaper};
}

void GapNode::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
  options.integer("encoder-epochs", encoder_epochs_, 1, 1000000, "Passes over the training nodes for the encoder");
  options.choice("weights", weights_,
                 {{"sqrt-degree", bound::DegreeWeights::SqrtDegree},
                  {"soft-cap", bound::DegreeWeights::SoftCap},
                  {"drop", bound::DegreeWeights::Drop}},
                 "How a node's influence is bounded: messages times 1/sqrt(outdegree), or capped at --max-degree, or "
                 "edges beyond --max-degree dropped");
  options.integer("max-degree", max_degree_, 1, INT32_MAX, "Outgoing edges that count, for soft-cap and drop");
  options.text("noise-split", noise_split_, "Ratio of the noise of encoder, aggregation and classifier");
}

void GapNode::use_paper_settings() {
  architecture_ = {};
  architecture_.batch_norm = false;
  fit_ = {};
  encoder_epochs_ = 10;
  weights_ = bound::DegreeWeights::Drop;
  max_degree_ = 100;
  noise_split_ = "1:1:1";
}

GapNode::StageNoise GapNode::stage_noise(double noise) const {
  const std::array<double, 3> split = parse_split(noise_split_);
  return {noise * split[0], noise * split[1], noise * split[2]};
}

PrivateFitOptions GapNode::encoder_fit() const {
  PrivateFitOptions fit_encoder = fit_;
  fit_encoder.epochs = encoder_epochs_;
  return fit_encoder;
}

account::Ledger GapNode::plan(double noise, bound::Relation, const PublicFacts& facts) const {
  const StageNoise stage = stage_noise(noise);
  account::Ledger ledger;
  if (architecture_.encoder_layers > 0) {
    ledger.add(fit_event("encoder", encoder_fit(), stage.encoder, facts.train_nodes));
  }
  ledger.add(account::Event("aggregation", account::Gaussian{stage.aggregation}, {}, architecture_.hops));
  ledger.add(fit_event("classifier", fit_, stage.classifier, facts.train_nodes));
  return ledger;
}

account::Ledger GapNode::inference_plan(double noise, bound::Relation) const {
  return {account::Event("aggregation", account::Gaussian{stage_noise(noise).aggregation}, {}, architecture_.hops)};
}

std::vector<Matrix> GapNode::aggregate(const Task& task, Matrix rows, double noise, mechanism::Release& release) const {
  const graph::Graph graph = weights_ == bound::DegreeWeights::Drop
                                 ? bound::bound_out_degree(task.data.graph, max_degree_, task.seed)
                                 : task.data.graph;
  return private_aggregation(graph, std::move(rows), architecture_.hops,
                             {.relation = bound::Relation::Node, .weights = weights_, .max_out_degree = max_degree_},
                             stage_noise(noise).aggregation, "aggregation", release);
}

Released GapNode::run(const Task& task, double noise, mechanism::Release* release_or_null) const {
  mechanism::Release& release = required(release_or_null);
  const StageNoise stage = stage_noise(noise);
  Released out;
  std::optional<GapEncoder> encoder;
  if (architecture_.encoder_layers > 0) {
    encoder.emplace(task.data, architecture_, task.seed);
    fit_private(*encoder, task.split.train, task.data.labels, encoder_fit(), stage.encoder, "encoder", task.seed,
                release);
    encoder->save(out.model, "encoder/");
  }
  const std::vector<Matrix> hops =
      aggregate(task, gap_embeddings(encoder ? &*encoder : nullptr, task.data), noise, release);
  GapClassifier classifier(hops, task.data.classes, architecture_, task.seed);
  fit_private(classifier, task.split.train, task.data.labels, fit_, stage.classifier, "classifier", task.seed, release);
  classifier.save(out.model, "classifier/");
  save_hops(hops, out.model);
  out.probabilities = class_probabilities(classifier, task.data.nodes());
  return out;
}

Matrix GapNode::infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const {
  std::optional<GapEncoder> encoder;
  if (architecture_.encoder_layers > 0) {
    encoder.emplace(task.data, architecture_, task.seed);
    encoder->load(model, "encoder/");
  }
  const std::vector<Matrix> hops =
      aggregate(task, gap_embeddings(encoder ? &*encoder : nullptr, task.data), noise, required(release));
  GapClassifier classifier(hops, task.data.classes, architecture_, task.seed);
  classifier.load(model, "classifier/");
  return class_probabilities(classifier, task.data.nodes());
}

}  // namespace graphveil::method
