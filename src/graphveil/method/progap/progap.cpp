#include "graphveil/method/progap/progap.h"

#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "graphveil/mechanism/strength.h"

namespace graphveil::method {
namespace {

constexpr const char* kProGapPaper = "Sajadmanesh and Gatica-Perez, WSDM 2024";
constexpr const char* kProGapAggregation = "aggregation";

std::string stage_name(int64_t stage) { return fmt::format("stage{}", stage); }

mechanism::PlanLine stage_line(double noise_multiplier, int64_t hops, const bound::NeighborSumOptions& options) {
  return {account::Event(kProGapAggregation, account::Gaussian{noise_multiplier}, {}, hops),
          bound::neighbor_sum_bound(options)};
}

struct Result {
  Matrix probabilities;
  nn::State sums;
};

// ProGAP in the paper's order (Algorithm 1): train a stage, aggregate what it has learned, train the next one on all
// that was aggregated so far. `obtain` trains the network of a stage, or loads it.
Result progap(const Task& task, const ProgapArchitecture& architecture, const bound::NeighborSumOptions& options,
              Release& release, const std::function<void(Network& network, const std::string& stage)>& obtain) {
  std::vector<Matrix> aggregations;
  nn::State before;
  for (int64_t stage = 0;; ++stage) {
    ProgapNetwork network(task.data, aggregations, architecture, task.seed);
    network.continue_from(before);
    obtain(network, stage_name(stage));
    if (stage == architecture.hops) {
      Result result{class_probabilities(network, task.data.nodes()), {}};
      for (size_t k = 0; k < aggregations.size(); ++k) {
        result.sums[fmt::format("aggregation/{}", k + 1)] = nn::to_tensor(aggregations[k]);
      }
      return result;
    }
    const Matrix rows = all_rows(task.data.nodes(), [&](nn::Tape& tape, std::span<const int32_t> nodes) {
      return network.messages(tape, nodes);
    });
    auto noisy = release.gaussian(
        kProGapAggregation, bound::neighbor_sum(task.data.graph, rows, options, release.grid(kProGapAggregation)));
    aggregations.push_back(std::move(noisy).value());
    before.clear();
    network.save(before, "");
  }
}

Output output_of(Result result, Public<nn::State> model, const Release& release) {
  return {std::move(model), predictions_for(std::move(result.probabilities), release),
          Holder<nn::State>(std::move(result.sums))};
}

Predictions inferred(const nn::State& model, const Task& task, const ProgapArchitecture& architecture,
                     const bound::NeighborSumOptions& options, Release& release) {
  Result result = progap(task, architecture, options, release,
                         [&](Network& network, const std::string& stage) { network.load(model, stage + "/"); });
  return predictions_for(std::move(result.probabilities), release);
}

}  // namespace

Description ProgapEdge::describe() const {
  return {"progap-edp", "edge", "ProGAP: stages of training on cached noisy aggregations", kProGapPaper};
}

void ProgapEdge::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
  last_.declare(options);
}

OptionValues ProgapEdge::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"hidden-dim", size.width}});
}

NetworkSize ProgapEdge::network() const {
  return {architecture_.hidden_dim, architecture_.base_layers + architecture_.head_layers, true};
}

void ProgapEdge::use_paper_settings() {
  architecture_ = {};
  fit_ = {};
  last_ = {};
}

std::vector<bound::Relation> ProgapEdge::relations() const {
  return {bound::Relation::UndirectedEdge, bound::Relation::Edge};
}

Plan ProgapEdge::inference_plan(double noise, const Setting& setting) const {
  return {stage_line(noise, architecture_.hops, {.relation = setting.relation})};
}

std::vector<Tunable> ProgapEdge::tunables(bound::Relation) const { return last_fit_tunables(); }

Output ProgapEdge::run(const Task& task, Release& release) const {
  const PublicData token = PublicData::under(release);
  nn::State model;
  Result result = progap(
      task, architecture_, {.relation = task.relation}, release, [&](Network& network, const std::string& stage) {
        const FitOptions options = stage == stage_name(architecture_.hops) ? last_.over(fit_) : fit_;
        const Public<nn::State> state = fit(network, fit_data(task), options, task.seed, stage, token, stage + "/");
        model.insert(state.value().begin(), state.value().end());
      });
  return output_of(std::move(result), Public<nn::State>(std::move(model), token), release);
}

Predictions ProgapEdge::infer(const nn::State& model, const Task& task, Release& release) const {
  return inferred(model, task, architecture_, {.relation = task.relation}, release);
}

ProgapNode::ProgapNode() : fit_(PrivateFitOptions::big_batches(100, 0.03)) {
  architecture_.batch_norm = false;
  architecture_.hops = 1;
  architecture_.hidden_dim = 8;
}

Description ProgapNode::describe() const {
  return {"progap-ndp", "node", "ProGAP with DP-SGD: stages of training on cached noisy aggregations", kProGapPaper};
}

void ProgapNode::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
  scaling_.declare(options);
  options.real("share", share_, 0.01, 0.99, "Share of the budget for the aggregations; the stages split the rest");
}

OptionValues ProgapNode::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"steps", size.steps}, {"hidden-dim", size.width}});
}

NetworkSize ProgapNode::network() const {
  return {architecture_.hidden_dim, architecture_.base_layers + architecture_.head_layers, true};
}

double ProgapNode::trained_numbers(const std::string&, const Setting& setting) const {
  return stack_numbers(setting.facts.features, architecture_.base_layers + architecture_.head_layers,
                       architecture_.hidden_dim, setting.facts.classes);
}

// A head reads the node's own row and its sums as one row of norm 1, so noise that is longer than any sum hides the own
// row too.
std::vector<std::string> ProgapNode::drowned(const Plan& plan, const Setting& setting) const {
  std::vector<std::string> out = Method::drowned(plan, setting);
  const int64_t messages = setting.relation == bound::Relation::Node ? setting.protect_degree : setting.facts.nodes;
  add_drowned(out, plan.line(kProGapAggregation), fmt::format("a sum over {} neighbors that agree", messages),
              mechanism::sum_strength(plan.line(kProGapAggregation), static_cast<double>(messages),
                                      static_cast<double>(architecture_.hidden_dim)));
  return out;
}

void ProgapNode::use_paper_settings() {
  architecture_ = {};
  architecture_.batch_norm = false;
  fit_ = {};
  scaling_ = {};
  share_ = 0.5;
}

ProgapArchitecture ProgapNode::architecture() const {
  ProgapArchitecture architecture = architecture_;
  architecture.feature_bias = scaling_.bias_input == 0;
  return architecture;
}

Plan ProgapNode::plan(double noise, const Setting& setting) const {
  const int64_t train_nodes = setting.facts.train_nodes, stages = architecture_.hops + 1;
  const double each = noise_for_share(fit_, train_nodes, noise, (1 - share_) / static_cast<double>(stages));
  Plan plan = inference_plan(noise, setting);
  for (int64_t stage = 0; stage < stages; ++stage) plan.add(fit_line(stage_name(stage), fit_, each, train_nodes));
  return plan;
}

Plan ProgapNode::inference_plan(double noise, const Setting& setting) const {
  return {stage_line(noise * std::sqrt(static_cast<double>(architecture_.hops) / share_), architecture_.hops,
                     {.relation = setting.relation, .protect_degree = setting.protect_degree})};
}

std::vector<Tunable> ProgapNode::tunables(bound::Relation) const {
  return {{"learning-rate", {"0.01", "0.03", "0.1"}}, {"max-grad-norm", {"0.3", "1", "3"}}};
}

Output ProgapNode::run(const Task& task, Release& release) const {
  std::optional<Public<nn::State>> model;
  Result result = progap(task, architecture(), {.relation = task.relation, .protect_degree = task.protect_degree},
                         release, [&](Network& network, const std::string& stage) {
                           Public<nn::State> state = fit_private(network, private_fit_data(task), fit_, stage,
                                                                 task.seed, release, stage + "/");
                           model = model ? joined(*model, state) : std::move(state);
                         });
  return output_of(std::move(result), std::move(*model), release);
}

Predictions ProgapNode::infer(const nn::State& model, const Task& task, Release& release) const {
  return inferred(model, task, architecture(), {.relation = task.relation, .protect_degree = task.protect_degree},
                  release);
}

}  // namespace graphveil::method
