#include "graphveil/method/gap/gap.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/calibrate.h"
#include "graphveil/account/published_gap.h"
#include "graphveil/bound/out_degree.h"
#include "graphveil/method/gap/aggregation.h"
#include "graphveil/method/graph_share.h"
#include "graphveil/method/mlp.h"

namespace graphveil::method {
namespace {

constexpr const char* kByShares = "shares";
constexpr const char* kAuto = "auto";
constexpr double kEncoderShare = 0.9;  // of what training gets; the classifier reads few numbers
constexpr const char* kGapPaper = "Sajadmanesh et al., USENIX Security 2023";

// The values of D among which the paper chooses.
Tunable gap_degrees() { return {"max-degree", {"100", "200", "300", "400"}}; }

// What of GAP is replaced, in words, after what `parts` says already.
std::string gap_variant(const GapArchitecture& architecture, std::vector<std::string> parts) {
  if (architecture.encoder_layers == 0) {
    parts.insert(parts.begin(), "features are aggregated, not embeddings");
  } else if (architecture.encoder_rows == EncoderRows::Classes) {
    parts.insert(parts.begin(), "class probabilities are aggregated, not embeddings");
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

// Three positive numbers with colons between them.
std::array<double, 3> parse_split(const char* option, const std::string& text) {
  std::array<double, 3> parts{};
  const char* at = text.data();
  const char* end = at + text.size();
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, parts[i]);
    const bool last = i + 1 == parts.size();
    if (error != std::errc() || !(parts[i] > 0 && parts[i] < 1e6) ||
        (last ? next != end : next == end || *next != ':')) {
      fail(ErrorKind::InvalidArgument, "--{} is '{}', want three positive numbers such as 1:1:1", option, text);
    }
    at = next + 1;
  }
  return parts;
}

// How the parts of GAP come about: by training, or from a trained model. Training gives a public state.
struct Stages {
  std::function<Public<nn::State>(Network& encoder)> encoder;
  std::function<std::vector<Matrix>(const Matrix& rows, nn::State& released)> aggregate;  // as private_aggregation
  std::function<Public<nn::State>(Network& classifier)> classifier;
};

// GAP in the paper's order: encoder, PMA, classifier (Algorithm 2).
Output gap(const Task& task, const GapArchitecture& architecture, const Stages& stages, const Release& release) {
  std::optional<GapEncoder> encoder;
  std::optional<Public<nn::State>> encoder_state;
  if (architecture.encoder_layers > 0) {
    encoder.emplace(task.data, architecture, task.seed);
    encoder_state = stages.encoder(*encoder);
  }
  const Matrix own = gap_embeddings(encoder ? &*encoder : nullptr, task.data);
  nn::State sums;
  const std::vector<Matrix> hops = stages.aggregate(own, sums);
  GapClassifier classifier(own, hops, task.data.classes, architecture, task.seed);
  Public<nn::State> model = stages.classifier(classifier);
  if (encoder_state) model = joined(*encoder_state, model);
  return {std::move(model), predictions_for(class_probabilities(classifier, task.data.nodes()), release),
          Holder<nn::State>(std::move(sums))};
}

// The stages of a trained model, which is public.
Stages loaded(const nn::State& model, std::function<std::vector<Matrix>(const Matrix&, nn::State&)> aggregate) {
  const auto load = [&model](const char* prefix) {
    return [&model, prefix](Network& network) {
      network.load(model, prefix);
      return mechanism::from_public([] { return nn::State(); });  // what was loaded is not given out again
    };
  };
  return {load("encoder/"), std::move(aggregate), load("classifier/")};
}

constexpr const char* kGapAggregation = "aggregation";

mechanism::PlanLine aggregation_line(double noise_multiplier, int64_t hops, const bound::NeighborSumOptions& options) {
  return {account::Event(kGapAggregation, account::Gaussian{noise_multiplier}, {}, hops),
          bound::neighbor_sum_bound(options)};
}

}  // namespace

GapEdge::GapEdge(bool with_noise) : private_(with_noise) { architecture_.encoder_rows = EncoderRows::Classes; }

Description GapEdge::describe() const {
  if (private_) return {"gap-edp", "edge", "GAP: encoder, noisy multi-hop aggregation, classifier", kGapPaper};
  return {"gap-inf", "none", "GAP without noise: the accuracy that noise costs", kGapPaper};
}

void GapEdge::declare(Options& options) {
  architecture_.declare(options);
  options.boolean("batch-norm", architecture_.batch_norm, "Batch norm before each activation");
  fit_.declare(options);
  last_.declare(options);
  options.integer("encoder-epochs", encoder_epochs_, 1, 1000000, "Passes over the training nodes for the encoder");
}

OptionValues GapEdge::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"encoder-epochs", size.epochs}, {"hidden-dim", size.width}});
}

NetworkSize GapEdge::network() const {
  return {architecture_.hidden_dim,
          architecture_.encoder_layers + architecture_.base_layers + architecture_.head_layers, true};
}

std::string GapEdge::variant() const { return gap_variant(architecture_, {}); }

void GapEdge::use_paper_settings() {
  architecture_ = {};
  fit_ = {};
  last_ = {};
  encoder_epochs_ = 100;
}

std::vector<bound::Relation> GapEdge::relations() const {
  if (!private_) return {};
  return {bound::Relation::UndirectedEdge, bound::Relation::Edge};
}

std::optional<Published> GapEdge::published(double epsilon, double delta, const Setting& setting) const {
  if (!private_) return std::nullopt;
  Published found{account::published_gap_edge_noise(architecture_.hops, epsilon, delta) /
                      bound::neighbor_sum_sensitivity({.relation = setting.relation}),
                  {}};
  if (setting.relation == bound::Relation::UndirectedEdge) {
    found.reasons.push_back("the paper takes sensitivity 1, but an undirected edge changes two rows: it is sqrt(2)");
  }
  return found;
}

Plan GapEdge::inference_plan(double noise, const Setting& setting) const {
  return {aggregation_line(noise, architecture_.hops, {.relation = setting.relation})};
}

std::string GapEdge::one_machine(bound::Relation) const {
  return fit_.batch_size ? "trains in batches with --batch-size" : "";
}

// The classifier alone comes after the aggregations.
std::vector<Tunable> GapEdge::tunables(bound::Relation) const {
  std::vector<Tunable> out = last_fit_tunables();
  out.push_back({"base-layers", {"0", "1", "2"}});
  out.push_back({"head-layers", {"1", "2"}});
  return out;
}

std::vector<Tunable> GapEdge::unpaid_tunables(bound::Relation) const { return {{"hops", {"1", "2", "3", "4", "5"}}}; }

Output GapEdge::run(const Task& task, Release& release) const {
  FitOptions fit_encoder = fit_;
  fit_encoder.epochs = encoder_epochs_;
  const PublicData token = PublicData::under(release);
  const Stages stages{[&](Network& encoder) {
                        return fit(encoder, fit_data(task), fit_encoder, task.seed, "encoder", token, "encoder/");
                      },
                      [&](const Matrix& rows, nn::State& released) {
                        return private_aggregation(task.data.graph, rows, {.relation = task.relation}, kGapAggregation,
                                                   release, &released);
                      },
                      [&](Network& classifier) {
                        return fit(classifier, fit_data(task), last_.over(fit_), task.seed, "classifier", token,
                                   "classifier/");
                      }};
  return gap(task, architecture_, stages, release);
}

Predictions GapEdge::infer(const nn::State& model, const Task& task, Release& release) const {
  const auto aggregate = [&](const Matrix& rows, nn::State& /*released*/) {
    return private_aggregation(task.data.graph, rows, {.relation = task.relation}, kGapAggregation, release);
  };
  return gap(task, architecture_, loaded(model, aggregate), release).predictions;
}

// Linear models in big batches, and rows that need less noise.
GapNode::GapNode() : fit_(PrivateFitOptions::linear_softmax()), encoder_steps_(100) {
  architecture_.batch_norm = false;
  architecture_.encoder_rows = EncoderRows::Classes;
  architecture_.encoder_layers = 1;
  architecture_.base_layers = 0;
}

Description GapNode::describe() const {
  return {"gap-ndp", "node", "GAP with DP-SGD: encoder, noisy multi-hop aggregation, classifier", kGapPaper};
}

void GapNode::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
  options.integer("encoder-epochs", encoder_epochs_, 1, 1000000, "Passes over the training nodes for the encoder");
  options.when_set([this] { encoder_steps_.reset(); });
  options.integer_or("encoder-steps", encoder_steps_, "auto", 1, 100000000,
                     "Noisy steps of the encoder, instead of --encoder-epochs");
  scaling_.declare(options);
  options.choice("weights", weights_,
                 {{"sqrt-degree", bound::DegreeWeights::SqrtDegree},
                  {"soft-cap", bound::DegreeWeights::SoftCap},
                  {"drop", bound::DegreeWeights::Drop}},
                 "Under record, how a node's influence is bounded: messages times 1/sqrt(outdegree), or capped at "
                 "--max-degree, or edges beyond --max-degree dropped. Under node nothing is weighted or dropped");
  options.integer("max-degree", max_degree_, 1, INT32_MAX, "Outgoing edges that count, for soft-cap and drop");
  options.text("shares", shares_,
               "Shares of the budget for encoder, aggregation and classifier, as 2:7:1; auto: the aggregation gets the "
               "more the less training needs (few features and classes, many training nodes, a large epsilon)");
  options.text("noise-split", noise_split_,
               "Ratio of the noise multipliers of encoder, aggregation and classifier; shares: as --shares asks");
  declare_setting(options, setting_);
}

OptionValues GapNode::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs},
                {"steps", size.steps},
                {"encoder-epochs", size.epochs},
                {"encoder-steps", size.steps},
                {"hidden-dim", size.width}});
}

NetworkSize GapNode::network() const {
  return {architecture_.hidden_dim,
          architecture_.encoder_layers + architecture_.base_layers + architecture_.head_layers, true};
}

// The encoder; the classifier reads few numbers.
double GapNode::trained_numbers(const std::string& label, const Setting& setting) const {
  if (label != "encoder") return 0;
  const bool classes = architecture_.encoder_rows == EncoderRows::Classes;
  return stack_numbers(setting.facts.features, architecture_.encoder_layers, architecture_.hidden_dim,
                       classes ? setting.facts.classes : architecture_.hidden_dim);
}

std::string GapNode::variant() const {
  std::vector<std::string> parts;
  if (architecture_.encoder_layers == 1 && architecture_.base_layers == 0 && architecture_.head_layers == 1) {
    parts.emplace_back("encoder and classifier are linear, not MLPs");
  }
  if (weights_ != bound::DegreeWeights::Drop) {
    parts.emplace_back("messages are weighted under record, not dropped beyond a degree");
  }
  if (noise_split_ == kByShares) parts.emplace_back("the noise of the stages follows shares of the budget, not 1:1:1");
  return gap_variant(architecture_, std::move(parts));
}

void GapNode::use_paper_settings() {
  architecture_ = {};
  architecture_.batch_norm = false;
  fit_ = {};
  encoder_epochs_ = 10;
  encoder_steps_.reset();
  scaling_ = {};
  weights_ = bound::DegreeWeights::Drop;
  max_degree_ = 100;
  noise_split_ = "1:1:1";
}

bound::NeighborSumOptions GapNode::sum_options(bound::Relation relation, int64_t protect_degree) const {
  return {.relation = relation, .protect_degree = protect_degree, .weights = weights_, .max_out_degree = max_degree_};
}

GapNode::StageNoise GapNode::stage_noise(double noise, const Setting& setting) const {
  if (noise_split_ != kByShares) {
    const std::array<double, 3> split = parse_split("noise-split", noise_split_);
    return {noise * split[0], noise * split[1], noise * split[2]};
  }
  const std::array<double, 3> part = shares(noise, setting);
  const int64_t train_nodes = setting.facts.train_nodes;
  return {noise_for_share(encoder_fit(), train_nodes, noise, part[0]), aggregation_noise(noise, setting),
          noise_for_share(fit_, train_nodes, noise, part[2])};
}

double GapNode::aggregation_noise(double noise, const Setting& setting) const {
  if (noise_split_ != kByShares) return noise * parse_split("noise-split", noise_split_)[1];
  return noise * std::sqrt(static_cast<double>(architecture_.hops) / shares(noise, setting)[1]);
}

std::array<double, 3> GapNode::shares(double noise, const Setting& setting) const {
  std::array<double, 3> shares{};
  if (shares_ == kAuto) {
    const double graph = graph_share(1 / noise, setting, std::nullopt, false);
    shares = {kEncoderShare * (1 - graph), graph, (1 - kEncoderShare) * (1 - graph)};
  } else {
    shares = parse_split("shares", shares_);
  }
  if (architecture_.encoder_layers == 0) shares[0] = 0;
  const double all = shares[0] + shares[1] + shares[2];
  for (double& share : shares) share /= all;
  return shares;
}

GapArchitecture GapNode::architecture() const {
  GapArchitecture architecture = architecture_;
  architecture.encoder_bias = scaling_.bias_input == 0;
  return architecture;
}

PrivateFitOptions GapNode::encoder_fit() const {
  PrivateFitOptions fit_encoder = fit_;
  fit_encoder.epochs = encoder_epochs_;
  fit_encoder.steps = encoder_steps_;
  return fit_encoder;
}

Plan GapNode::plan(double noise, const Setting& setting) const {
  const StageNoise stage = stage_noise(noise, setting);
  Plan plan;
  if (architecture_.encoder_layers > 0) {
    plan.add(fit_line("encoder", encoder_fit(), stage.encoder, setting.facts.train_nodes));
  }
  plan.add(inference_plan(noise, setting));
  plan.add(fit_line("classifier", fit_, stage.classifier, setting.facts.train_nodes));
  return plan;
}

Plan GapNode::inference_plan(double noise, const Setting& setting) const {
  return {aggregation_line(aggregation_noise(noise, setting), architecture_.hops,
                           sum_options(setting.relation, setting.protect_degree))};
}

std::vector<Matrix> GapNode::aggregate(const Task& task, const graph::Graph& visible, const Matrix& rows,
                                       Release& release, nn::State* released) const {
  const bool drop = task.relation == bound::Relation::Record && weights_ == bound::DegreeWeights::Drop;
  const graph::Graph graph = drop ? bound::bound_out_degree(visible, max_degree_, task.seed).graph() : visible;
  return private_aggregation(graph, rows, sum_options(task.relation, task.protect_degree), kGapAggregation, release,
                             released);
}

std::optional<Published> GapNode::published(double epsilon, double delta, const Setting& setting) const {
  // The paper bounds degrees by dropping edges.
  if (weights_ != bound::DegreeWeights::Drop || setting.relation != bound::Relation::Record) return std::nullopt;
  const int64_t train_nodes = setting.facts.train_nodes;
  const auto cost = [&](double noise) {
    const StageNoise stage = stage_noise(noise, setting);
    account::Ledger encoder;
    if (architecture_.encoder_layers > 0) {
      encoder.add(fit_line("encoder", encoder_fit(), stage.encoder, train_nodes).event);
    }
    const account::Ledger classifier{fit_line("classifier", fit_, stage.classifier, train_nodes).event};
    const double sensitivity = bound::neighbor_sum_sensitivity(sum_options(setting.relation, setting.protect_degree));
    return account::published_gap_node_epsilon(encoder, classifier, max_degree_, architecture_.hops,
                                               stage.aggregation * sensitivity, delta);
  };
  return Published{account::smallest_noise(cost, epsilon, delta).noise,
                   {"the paper's program picks the epoch by private validation accuracy, which is not charged",
                    "the paper's program draws the neighbors of all nodes from one stream, so that one node's removal "
                    "changes other nodes' lists"}};
}

std::string GapNode::one_machine(bound::Relation relation) const {
  if (setting_ == GraphSetting::Inductive) return "cuts edges with --setting inductive, which makes a new graph";
  const bool drop = relation == bound::Relation::Record && weights_ == bound::DegreeWeights::Drop;
  return drop ? "drops edges with --weights drop, which makes a new graph" : "";
}

std::vector<Tunable> GapNode::tunables(bound::Relation relation) const {
  std::vector<Tunable> out{{"learning-rate", {"0.03", "0.1", "0.3"}}, {"max-grad-norm", {"0.1", "0.3", "1"}}};
  // D sets how large the sums' sensitivity is, and with it their noise, but no multiplier: the ledger is the same.
  const bool capped = weights_ == bound::DegreeWeights::Drop || weights_ == bound::DegreeWeights::SoftCap;
  if (relation == bound::Relation::Record && capped) out.push_back(gap_degrees());
  return out;
}

// Every hop is a release.
std::vector<Tunable> GapNode::unpaid_tunables(bound::Relation relation) const {
  std::vector<Tunable> out{{"hops", {"1", "2", "3", "4", "5"}}};
  const Tunable degrees = gap_degrees();
  const std::vector<Tunable> paid = tunables(relation);
  if (std::ranges::none_of(paid, [&](const Tunable& t) { return t.option == degrees.option; })) out.push_back(degrees);
  return out;
}

Output GapNode::run(const Task& task, Release& release) const {
  const graph::Graph visible = visible_graph(task.data.graph, task.split, setting_);
  const auto train = [&](Network& network, const PrivateFitOptions& options, const char* label) {
    return fit_private(network, private_fit_data(task), options, label, task.seed, release, std::string(label) + "/");
  };
  const Stages stages{
      [&](Network& encoder) { return train(encoder, encoder_fit(), "encoder"); },
      [&](const Matrix& rows, nn::State& released) { return aggregate(task, visible, rows, release, &released); },
      [&](Network& classifier) { return train(classifier, fit_, "classifier"); }};
  return gap(task, architecture(), stages, release);
}

Predictions GapNode::infer(const nn::State& model, const Task& task, Release& release) const {
  const auto aggregated = [&](const Matrix& rows, nn::State& /*released*/) {
    return aggregate(task, task.data.graph, rows, release, nullptr);
  };
  return gap(task, architecture(), loaded(model, aggregated), release).predictions;
}

}  // namespace graphveil::method
