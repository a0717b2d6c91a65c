#include "graphveil/method/dpar/dpar.h"

#include <utility>

#include <fmt/format.h>

#include "graphveil/graph/blank.h"
#include "graphveil/learn/propagate.h"
#include "graphveil/method/dpar/network.h"

namespace graphveil::method {
namespace {

constexpr const char* kDparPaper = "Zhang et al. 2024";
constexpr const char* kDparTraining = "training";
constexpr const char* kBetter =
    "mlp-dp --propagate 2 --alpha 0.25, which releases no PageRank, is better: by 26, 10 and 5 points at epsilon 1, 4 "
    "and 8 on cora_ml (docs/methods/dpar.md). --compare runs it beside this one";
const MlpArchitecture kPaperArchitecture{.layers = 2, .hidden_dim = 32, .activation = Activation::Relu};

const char* method_name(SelectionNoise noise) {
  switch (noise) {
    case SelectionNoise::Gaussian: return "dpar-gm";
    case SelectionNoise::Picks: return "dpar-em0";
    case SelectionNoise::PicksWithValues: return "dpar-em1";
  }
  fail(ErrorKind::Internal, "unknown selection noise");
}

// The data with only those who take part, by a stream for each node. Whoever does not is blank as the relation has it,
// so that a blank record is the same drawn or not: under record the edges that others list stay, for they would stay if
// it were drawn.
graph::Dataset drawn_records(const Task& task, double rate) {
  std::vector<bool> drawn(static_cast<size_t>(task.data.nodes()));
  for (size_t v = 0; v < drawn.size(); ++v) drawn[v] = RandomStream(task.seed, "records", v).bernoulli(rate);
  const bool own = task.relation == bound::Relation::Record;
  return graph::with_blanks(task.data, drawn, own ? graph::EdgesGone::Own : graph::EdgesGone::Both);
}

}  // namespace

void PowerIteration::declare(Options& options) {
  options.integer("inference-hops", hops, 0, 16, "How often predictions average over neighbors");
  options.real("inference-own", own, 0, 1, "Share of a node's own scores in each of these averages");
}

Predictions PowerIteration::operator()(MlpNetwork& network, const graph::Graph& graph) const {
  return Holder<Matrix>(propagate(graph, class_probabilities(network, graph.nodes()), hops, own));
}

// As mlp-dp trains: a linear softmax on rows of norm 1, full batches where they fit.
Dpar::Dpar(SelectionNoise noise)
    : selection_{.noise = noise, .sources = 70}, fit_(PrivateFitOptions::big_batches(200, 0.1)) {
  fit_.max_grad_norm = 0.5;
  architecture_.layers = 1;
  architecture_.init_scale = 0;
}

Description Dpar::describe() const {
  const char* how = selection_.noise == SelectionNoise::Gaussian ? "Gaussian noise"
                    : selection_.noise == SelectionNoise::Picks  ? "exponential mechanism"
                                                                 : "exponential mechanism, noisy values";
  return {method_name(selection_.noise), "node",
          std::string("DP-SGD on neighborhoods picked by private PageRank (") + how +
              "); predictions read neighbors in the clear",
          kDparPaper};
}

void Dpar::declare(Options& options) {
  selection_.declare(options);
  options.real("ppr-share", share_, 0.0001, 0.9999, "Share of the budget that PageRank gets");
  architecture_.declare(options);
  fit_.declare(options);
  scaling_.declare(options);
  declare_setting(options, setting_);
  inference_.declare(options);
  options.real("node-rate", node_rate_, 0.001, 1,
               "Chance of each record to take part; the others are blank. As published: share of the training nodes");
  options.real("column-norm", column_norm_, 1e-6, 1e6, "As published: each node's weights sum to at most this");
}

OptionValues Dpar::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"steps", size.steps}, {"hidden-dim", size.width}});
}

NetworkSize Dpar::network() const { return {architecture_.hidden_dim, architecture_.layers}; }

// Section 4. The split of the budget and tau are not given.
void Dpar::use_paper_settings() {
  selection_ = {.noise = selection_.noise,
                .sources = 70,
                .row_limit = selection_.noise == SelectionNoise::Gaussian ? 0.01 : 0.001,
                .weights = ListWeights::Values,
                .train_on = TrainOn::Sources};
  share_ = 0.5;
  architecture_ = kPaperArchitecture;
  fit_ = {.epochs = 200, .batch_size = 60, .learning_rate = 0.005};
  scaling_ = {};
  setting_ = GraphSetting::Inductive;
  node_rate_ = 0.09;
}

std::string Dpar::variant() const {
  std::vector<std::string> parts = selection_.differs();
  if (architecture_.layers != kPaperArchitecture.layers) {
    parts.push_back(architecture_.layers == 1
                        ? "the network is a linear softmax (the paper: 2 layers)"
                        : fmt::format("the network has {} layers (the paper: 2)", architecture_.layers));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<std::string> Dpar::outlook(const Plan& plan, const Setting& setting) const {
  const Selection selected = selection(setting.facts.nodes, setting.facts.train_nodes);
  std::vector<std::string> out{selected.outlook(plan, setting.facts.nodes)};
  if (selected.from != ListsFrom::Self) out.emplace_back(kBetter);
  return out;
}

Plan Dpar::plan(double noise, const Setting& setting) const {
  const int64_t train_nodes = setting.facts.train_nodes;
  const Selection selected = selection(setting.facts.nodes, train_nodes);
  const int64_t sources = selected.source_count(train_nodes), samples = selected.samples(train_nodes);
  Plan plan = selected.plan(selected.lines(noise, share_, sources), sources);
  const double training = noise == 0 ? 0 : noise_for_share(fit_, samples, noise, selected.releases() ? 1 - share_ : 1);
  plan.add(fit_line(kDparTraining, fit_, training, samples, {1, selected.cap() + 1, selected.cap()},
                    bound::source::Reach::ReleasedLists));
  return plan.on_sample(node_rate_);
}

Selection Dpar::selection(int64_t nodes, int64_t train_nodes) const {
  return selection_.fitted(setting_ == GraphSetting::Inductive ? train_nodes : nodes);
}

DparPublished Dpar::as_published() const { return {selection_, fit_, share_, node_rate_, column_norm_}; }

std::optional<Published> Dpar::published(double epsilon, double delta, const Setting& setting) const {
  return as_published().budget(epsilon, delta, setting.facts.train_nodes);
}

bound::Neighborhoods Dpar::neighborhoods(const Task& task, const graph::Graph& graph, Release& release) const {
  if (task.as_published) return as_published().neighborhoods(graph, task.split.train, task.seed, release);
  const auto train_nodes = static_cast<int64_t>(task.split.train.size());
  const Selection selected = selection(graph.nodes(), train_nodes);
  Lists lists = setting_ == GraphSetting::Inductive ? selected.lists_among(graph, task.split.train, task.seed, release)
                                                    : selected.lists(graph, task.split.train, task.seed, release);
  return {std::move(lists.sources), lists.entries, graph.nodes(), selected.cap()};
}

Output Dpar::run(const Task& task, Release& release) const {
  const graph::Graph graph = visible_graph(task.data.graph, task.split, setting_);
  const bool sampled = node_rate_ < 1 && !task.as_published;
  const graph::Dataset read = sampled ? drawn_records(task, node_rate_) : task.data;
  const bound::Neighborhoods lists =
      neighborhoods(task, sampled ? visible_graph(read.graph, task.split, setting_) : graph, release);
  DparNetwork network(read, lists, architecture_, task.seed, scaling_.bias_input == 0);
  const PrivateFitData data{
      .train = lists.sources(), .labels = read.labels, .neighborhoods = &lists, .class_weights = task.class_weights};
  Public<nn::State> model = fit_private(network, data, fit_, kDparTraining, task.seed, release);
  MlpNetwork plain(task.data, architecture_, false, task.seed, scaling_.bias_input == 0);
  plain.load(model.value(), "");
  return {std::move(model), inference_(plain, graph)};
}

Predictions Dpar::infer(const nn::State& model, const Task& task, Release&) const {
  MlpNetwork network(task.data, architecture_, false, task.seed, scaling_.bias_input == 0);
  network.load(model, "");
  return inference_(network, task.data.graph);
}

DparInf::DparInf()
    : selection_{.picks = 32, .row_limit = 1, .column_cap = INT32_MAX}, architecture_(kPaperArchitecture) {
  architecture_.hidden_dim = 64;
  fit_ = {.epochs = 200, .learning_rate = 0.01, .weight_decay = 1e-5};
}

Description DparInf::describe() const {
  return {"dpar-inf", "none", "DPAR on exact PageRank without noise: the accuracy that noise costs", kDparPaper};
}

void DparInf::declare(Options& options) {
  selection_.declare(options);
  architecture_.declare(options);
  fit_.declare(options);
  scaling_.declare_unit_rows(options);
  declare_setting(options, setting_);
  inference_.declare(options);
  options.real("node-rate", node_rate_, 0.001, 1,
               "Share of the training nodes that take part, with the edges among them");
}

OptionValues DparInf::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"hidden-dim", size.width}});
}

NetworkSize DparInf::network() const { return {architecture_.hidden_dim, architecture_.layers}; }

// Section 4; the weight decay is that of PPRGo, whose network the paper takes.
void DparInf::use_paper_settings() {
  selection_.picks = 2;
  selection_.weights = ListWeights::Values;
  architecture_ = kPaperArchitecture;
  fit_ = {.epochs = 200, .learning_rate = 0.005, .weight_decay = 1e-4, .batch_size = 60};
  scaling_ = {};
  inference_ = {};
  setting_ = GraphSetting::Inductive;
  node_rate_ = 0.09;
}

bool DparInf::among_trained() const { return setting_ == GraphSetting::Inductive || node_rate_ < 1; }

Plan DparInf::plan(double, const Setting& setting) const {
  const int64_t part = taking_part(node_rate_, setting.facts.train_nodes);
  const Selection selected = selection_.fitted(among_trained() ? part : setting.facts.nodes);
  return selected.plan({}, selected.source_count(part));
}

Output DparInf::run(const Task& task, Release& release) const {
  const graph::Graph graph = visible_graph(task.data.graph, task.split, setting_);
  const std::vector<int32_t> part =
      node_rate_ < 1 ? drawn_part(task.split.train, node_rate_, task.seed) : task.split.train;
  const Selection selected = selection_.fitted(among_trained() ? static_cast<int64_t>(part.size()) : graph.nodes());
  Lists made = among_trained() ? selected.lists_among(graph, part, task.seed, release)
                               : selected.lists(graph, part, task.seed, release);
  const bound::Neighborhoods lists(std::move(made.sources), made.entries, graph.nodes(), selected.column_cap);
  DparNetwork network(task.data, lists, architecture_, task.seed, true);
  Public<nn::State> model = fit(network, {task.data.labels, lists.sources(), {}, task.class_weights}, fit_, task.seed,
                                kDparTraining, PublicData::under(release));
  MlpNetwork plain(task.data, architecture_, false, task.seed);
  plain.load(model.value(), "");
  return {std::move(model), inference_(plain, graph)};
}

Predictions DparInf::infer(const nn::State& model, const Task& task, Release&) const {
  MlpNetwork network(task.data, architecture_, false, task.seed);
  network.load(model, "");
  return inference_(network, task.data.graph);
}

}  // namespace graphveil::method
