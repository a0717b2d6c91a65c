#include "graphveil/method/sage.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/bound/out_degree.h"
#include "graphveil/method/mlp.h"

namespace graphveil::method {
namespace {

// How much less the number of edges may cost than the edges themselves.
constexpr double kDensityNoise = 20;

// The pairs of nodes as cells of a table. Under undirected-edge the pair u < v is one cell, so that both directions
// flip together; under edge every ordered pair is one.
class PairTable {
 public:
  PairTable(int64_t nodes, bound::Relation relation)
      : nodes_(nodes), undirected_(relation == bound::Relation::UndirectedEdge) {
    require(nodes <= int64_t{1} << 31, "{} nodes are too many for a table of pairs", nodes);
  }
  int64_t cells() const { return nodes_ * nodes_; }
  // Cells that can hold an edge.
  double pairs() const {
    const double ordered = static_cast<double>(nodes_) * static_cast<double>(nodes_ - 1);
    return undirected_ ? ordered / 2 : ordered;
  }
  std::vector<int64_t> members(const graph::Graph& graph) const {
    std::vector<int64_t> cells;
    for (int64_t u = 0; u < nodes_; ++u) {
      for (int32_t v : graph.out(u)) {
        if (!undirected_ || u < v) cells.push_back(u * nodes_ + v);
      }
    }
    return cells;
  }
  // Cells that stand for no pair are dropped.
  graph::Graph graph(const std::vector<int64_t>& cells) const {
    std::vector<int32_t> from, to;
    for (int64_t cell : cells) {
      const auto u = static_cast<int32_t>(cell / nodes_), v = static_cast<int32_t>(cell % nodes_);
      if (undirected_ ? u >= v : u == v) continue;
      from.push_back(u);
      to.push_back(v);
    }
    return undirected_ ? graph::Graph::from_undirected_edges(nodes_, from, to)
                       : graph::Graph::from_edges(nodes_, from, to);
  }

 private:
  int64_t nodes_;
  bool undirected_;
};

}  // namespace

Description SageEdge::describe() const {
  if (private_) {
    return {"sage-edp", "edge", "GraphSAGE on a graph perturbed by asymmetric randomized response",
            "Wu et al. 2022; Imola et al. 2022; baseline of GAP"};
  }
  return {"sage-inf", "none", "GraphSAGE without noise", "Hamilton et al. 2017"};
}

void SageEdge::declare(Options& options) {
  architecture_.declare(options);
  declare_fit(options, fit_);
}

void SageEdge::use_paper_settings() {
  architecture_ = {};
  fit_ = {};
}

std::vector<bound::Relation> SageEdge::relations() const {
  if (!private_) return {};
  return {bound::Relation::UndirectedEdge, bound::Relation::Edge};
}

account::Ledger SageEdge::plan(double noise, bound::Relation relation, const PublicFacts&) const {
  return inference_plan(noise, relation);
}

account::Ledger SageEdge::inference_plan(double noise, bound::Relation) const {
  if (!private_) return {};
  return {account::Event("density", account::Laplace{kDensityNoise * noise}),
          account::Event("edges", account::RandomizedResponse{1 / noise, 2})};
}

graph::Graph SageEdge::visible_graph(const Task& task, double noise, mechanism::Release* release_or_null) const {
  if (!private_) return task.data.graph;
  mechanism::Release& release = required(release_or_null);
  const PairTable table(task.data.nodes(), task.relation);
  std::vector<int64_t> members = table.members(task.data.graph);

  // One edge more or less moves the count by one.
  const double noisy_count =
      release
          .laplace("density",
                   bound::Bounded<double>(static_cast<double>(members.size()), {1, bound::Norm::L1, task.relation}),
                   kDensityNoise * noise)
          .value();
  const double density = std::clamp(noisy_count / table.pairs(), 1 / table.pairs(), 0.5);

  // Thin the reports so that about as many edges come out as went in: t (a d + (1 - a)(1 - d)) = d.
  const double log_odds = 1 / noise;
  const double truth = 1 / (1 + std::exp(-log_odds));
  const double thinning = std::min(1.0, density / (truth * density + (1 - truth) * (1 - density)));
  return table.graph(release
                         .randomized_set("edges", {std::move(members), {1, bound::Norm::Hamming, task.relation}},
                                         table.cells(), log_odds, thinning)
                         .value());
}

Released SageEdge::run(const Task& task, double noise, mechanism::Release* release) const {
  const graph::Graph graph = visible_graph(task, noise, release);
  SageNetwork network(task.data, graph, architecture_, task.seed);
  fit(network, fit_data(task), fit_, task.seed, "training");
  Released out;
  network.save(out.model, "");
  out.probabilities = class_probabilities(network, task.data.nodes());
  return out;
}

Matrix SageEdge::infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const {
  const graph::Graph graph = visible_graph(task, noise, release);
  SageNetwork network(task.data, graph, architecture_, task.seed);
  network.load(model, "");
  return class_probabilities(network, task.data.nodes());
}

SageNode::SageNode() {
  architecture_.layers = 1;
  fit_ = PrivateFitOptions::big_batches(60, 0.01);
}

Description SageNode::describe() const {
  return {"sage-ndp", "node", "One-layer GraphSAGE by DP-SGD, with one noisy aggregation for predictions",
          "Daigavane et al. 2021; baseline of GAP"};
}

void SageNode::declare(Options& options) {
  options.integer("pre-layers", architecture_.pre_layers, 1, 64, "Linear layers before message passing");
  options.integer("post-layers", architecture_.post_layers, 1, 64, "Linear layers after message passing");
  options.integer("hidden-dim", architecture_.hidden_dim, 1, 65536, "Hidden units");
  declare_activation(options, architecture_.activation);
  fit_.declare(options);
  options.integer("max-degree", max_degree_, 1, 100000, "Outgoing edges kept per node");
  options.real("aggregation-noise", aggregation_noise_, 1e-3, 1e3,
               "Noise of the one aggregation for predictions, as a multiple of the training's");
}

void SageNode::use_paper_settings() {
  architecture_ = {};
  architecture_.layers = 1;
  fit_ = {};
  max_degree_ = 100;
  aggregation_noise_ = 1;
}

account::Ledger SageNode::plan(double noise, bound::Relation relation, const PublicFacts& facts) const {
  account::Ledger ledger{fit_event("training", fit_, noise, facts.train_nodes, reach())};
  ledger.add(inference_plan(noise, relation));
  return ledger;
}

account::Ledger SageNode::inference_plan(double noise, bound::Relation) const {
  return {account::Event("aggregation", account::Gaussian{aggregation_noise_ * noise})};
}

void SageNode::aggregate(SageNodeNetwork& network, const graph::Graph& bounded, double noise,
                         mechanism::Release& release) const {
  const bound::NeighborSumOptions options{
      .relation = bound::Relation::Node, .weights = bound::DegreeWeights::Drop, .max_out_degree = max_degree_};
  network.use_aggregation(release
                              .gaussian("aggregation", bound::neighbor_sum(bounded, network.messages(), options),
                                        aggregation_noise_ * noise)
                              .value());
}

Released SageNode::run(const Task& task, double noise, mechanism::Release* release_or_null) const {
  mechanism::Release& release = required(release_or_null);
  const graph::Graph bounded = bound::bound_out_degree(task.data.graph, max_degree_, task.seed);
  SageNodeNetwork network(task.data, bounded, architecture_, task.seed);
  fit_private(network, task.split.train, task.data.labels, fit_, noise, "training", task.seed, release, reach());
  aggregate(network, bounded, noise, release);
  Released out;
  network.save(out.model, "");
  out.model["aggregation/1"] = nn::to_tensor(network.aggregation());
  out.probabilities = class_probabilities(network, task.data.nodes());
  return out;
}

Matrix SageNode::infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const {
  const graph::Graph bounded = bound::bound_out_degree(task.data.graph, max_degree_, task.seed);
  SageNodeNetwork network(task.data, bounded, architecture_, task.seed);
  network.load(model, "");
  aggregate(network, bounded, noise, required(release));
  return class_probabilities(network, task.data.nodes());
}

}  // namespace graphveil::method
