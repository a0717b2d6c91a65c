#include "graphveil/method/gap.h"

#include <array>
#include <charconv>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/calibrate.h"
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

// How the parts of GAP come about: by training, or from a trained model.
struct Stages {
  std::function<void(Network& encoder)> encoder;
  std::function<std::vector<Matrix>(Matrix rows)> aggregate;
  std::function<void(Network& classifier)> classifier;
};

// The aggregations of hops 1 .. K, which are public, as part of the model file.
void save_hops(const std::vector<Matrix>& hops, nn::State& state) {
  for (size_t k = 1; k < hops.size(); ++k) state[fmt::format("aggregation/{}", k)] = nn::to_tensor(hops[k]);
}

// GAP in the paper's order: encoder, PMA, classifier (Algorithm 2).
Released gap(const Task& task, const GapArchitecture& architecture, const Stages& stages) {
  Released out;
  std::optional<GapEncoder> encoder;
  if (architecture.encoder_layers > 0) {
    encoder.emplace(task.data, architecture, task.seed);
    stages.encoder(*encoder);
    encoder->save(out.model, "encoder/");
  }
  const std::vector<Matrix> hops = stages.aggregate(gap_embeddings(encoder ? &*encoder : nullptr, task.data));
  GapClassifier classifier(hops, task.data.classes, architecture, task.seed);
  stages.classifier(classifier);
  classifier.save(out.model, "classifier/");
  save_hops(hops, out.model);
  out.probabilities = class_probabilities(classifier, task.data.nodes());
  return out;
}

// The stages of a trained model.
Stages loaded(const nn::State& model, std::function<std::vector<Matrix>(Matrix)> aggregate) {
  return {[&](Network& encoder) { encoder.load(model, "encoder/"); }, std::move(aggregate),
          [&](Network& classifier) { classifier.load(model, "classifier/"); }};
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

std::optional<Published> GapEdge::published(double epsilon, double delta, bound::Relation relation,
                                            const PublicFacts&) const {
  if (!private_) return std::nullopt;
  Published found{account::published_gap_edge_noise(architecture_.hops, epsilon, delta) /
                      bound::neighbor_sum_sensitivity({.relation = relation}),
                  {}};
  if (relation == bound::Relation::UndirectedEdge) {
    found.reasons.push_back("the paper takes sensitivity 1, but an undirected edge changes two rows: it is sqrt(2)");
  }
  return found;
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
  FitOptions fit_encoder = fit_;
  fit_encoder.epochs = encoder_epochs_;
  return gap(task, architecture_,
             {[&](Network& encoder) { fit(encoder, fit_data(task), fit_encoder, task.seed, "encoder"); },
              [&](Matrix rows) { return aggregate(task, std::move(rows), noise, release); },
              [&](Network& classifier) { fit(classifier, fit_data(task), fit_, task.seed, "classifier"); }});
}

Matrix GapEdge::infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const {
  return gap(task, architecture_,
             loaded(model, [&](Matrix rows) { return aggregate(task, std::move(rows), noise, release); }))
      .probabilities;
}

GapNode::GapNode() { architecture_.batch_norm = false; }

Description GapNode::describe() const {
  return {"gap-ndp", "node", "GAP with DP-SGD: encoder, noisy multi-hop aggregation, classifier", kPaper};
}

void GapNode::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
  options.integer("encoder-epochs", encoder_epochs_, 1, 1000000, "Passes over the training nodes for the encoder");
  options.when_set([this] { encoder_steps_.reset(); });
  options.integer_or("encoder-steps", encoder_steps_, "auto", 1, 100000000,
                     "Noisy steps of the encoder, instead of --encoder-epochs");
  declare_feature_scaling(options, unit_rows_);
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
  encoder_steps_.reset();
  unit_rows_ = false;
  weights_ = bound::DegreeWeights::Drop;
  max_degree_ = 100;
  noise_split_ = "1:1:1";
}

bound::NeighborSumOptions GapNode::sum_options() const {
  return {.relation = bound::Relation::Node, .weights = weights_, .max_out_degree = max_degree_};
}

GapNode::StageNoise GapNode::stage_noise(double noise) const {
  const std::array<double, 3> split = parse_split(noise_split_);
  return {noise * split[0], noise * split[1], noise * split[2]};
}

PrivateFitOptions GapNode::encoder_fit() const {
  PrivateFitOptions fit_encoder = fit_;
  fit_encoder.epochs = encoder_epochs_;
  fit_encoder.steps = encoder_steps_;
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
  return private_aggregation(graph, std::move(rows), architecture_.hops, sum_options(), stage_noise(noise).aggregation,
                             "aggregation", release);
}

std::optional<Published> GapNode::published(double epsilon, double delta, bound::Relation,
                                            const PublicFacts& facts) const {
  if (weights_ != bound::DegreeWeights::Drop) return std::nullopt;  // the paper bounds degrees by dropping edges
  const auto cost = [&](double noise) {
    const StageNoise stage = stage_noise(noise);
    account::Ledger encoder;
    if (architecture_.encoder_layers > 0) {
      encoder.add(fit_event("encoder", encoder_fit(), stage.encoder, facts.train_nodes));
    }
    const account::Ledger classifier{fit_event("classifier", fit_, stage.classifier, facts.train_nodes)};
    const double sensitivity = bound::neighbor_sum_sensitivity(sum_options());
    return account::published_gap_node_epsilon(encoder, classifier, max_degree_, architecture_.hops,
                                               stage.aggregation * sensitivity, delta);
  };
  return Published{account::smallest_noise(cost, epsilon, delta).noise,
                   {"the paper's program picks the epoch by private validation accuracy, which is not charged",
                    "the paper's program draws the neighbors of all nodes from one stream, so that one node's removal "
                    "changes other nodes' lists"}};
}

Released GapNode::run(const Task& task, double noise, mechanism::Release* release_or_null) const {
  mechanism::Release& release = required(release_or_null);
  const StageNoise stage = stage_noise(noise);
  const auto train = [&](Network& network, const PrivateFitOptions& options, double multiplier, const char* label) {
    fit_private(network, task.split.train, task.data.labels, options, multiplier, label, task.seed, release);
  };
  return gap(task, architecture_,
             {[&](Network& encoder) { train(encoder, encoder_fit(), stage.encoder, "encoder"); },
              [&](Matrix rows) { return aggregate(task, std::move(rows), noise, release); },
              [&](Network& classifier) { train(classifier, fit_, stage.classifier, "classifier"); }});
}

Matrix GapNode::infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const {
  return gap(task, architecture_,
             loaded(model, [&](Matrix rows) { return aggregate(task, std::move(rows), noise, required(release)); }))
      .probabilities;
}

}  // namespace graphveil::method
