#include "graphveil/run/auto_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graphveil/run/reserve.h"
#include "graphveil/run/signals.h"

namespace graphveil::run {
namespace {

constexpr double kHardlyAnyEdges = 1;  // mean degree below which lists of one's own say nothing either
constexpr double kSparse = 8;          // below it, scores are best propagated twice
constexpr double kMedium = 20;
constexpr double kDense = 50;
constexpr double kFewLabels = 0.5;  // training nodes among all

// Under record: the denser the graph, the more the label sums say about a node, and the more of the budget they
// deserve.
const char* share_for(const std::optional<double>& mean_degree) {
  if (!mean_degree) return "0.5";
  if (*mean_degree < kMedium) return "0.3";
  return *mean_degree < kDense ? "0.5" : "0.7";
}

}  // namespace

void AutoWishes::declare(Options& options) {
  options.choice("coverage", predictions, {{"predictions", true}, {"parameters", false}},
                 "What the guarantee must cover: parameters and predictions, or parameters only");
  options.real_or("mean-degree", mean_degree, "unknown", 0, 1e9,
                  "Mean out-degree that you declare public; it is never read off the data");
}

namespace {

// Which methods predict on other graphs for nothing, behind the choice of one that does not.
std::string free_ones(bound::Relation relation, std::optional<int64_t> predictions) {
  return fmt::format("; predictions on other graphs {}, those of {} cost nothing",
                     predictions ? fmt::format("are charged, {} of them beforehand", *predictions) : "are charged",
                     fmt::join(free_predictors(relation), ", "));
}

// lap with what is known, or assumed, of its contacts.
std::unique_ptr<Experiment> told(const Experiment& lap, double mean_degree) {
  return with_options(lap, {{"mean-degree", fmt::format("{:g}", mean_degree)}});
}

}  // namespace

AutoChoice choose_method(const AutoWishes& wishes, const Experiment& lap, bound::Relation relation,
                         const method::PublicFacts& facts) {
  const std::optional<int64_t> predictions = lap.settings().predictions;
  AutoChoice choice{"lap", {}, {}};
  if (bound::edge_level(relation)) {
    choice.why = "edges alone are private, so neighbors' labels can be summed as they are: lap, at its defaults" +
                 free_ones(relation, predictions);
    return choice;
  }
  const double mean_degree = wishes.mean_degree.value_or(assumed_degree(relation, lap.settings().protect_degree));
  const std::string degree =
      wishes.mean_degree
          ? fmt::format("declared mean degree {:g}", *wishes.mean_degree)
          : fmt::format("how many contacts people have was not declared, so {:g} are assumed", mean_degree);
  const std::string so_often =
      predictions ? fmt::format(" when they are paid for {} times, for {} predictions", *predictions + 1, *predictions)
                  : "";
  // Under record a node also reads what its list says, which helps where its own row alone would not.
  const bool rows_alone = relation == bound::Relation::Node || predictions || mean_degree < kHardlyAnyEdges;
  const std::unique_ptr<Experiment> planned = told(lap, mean_degree);
  if (rows_alone && contacts_drowned(signals_of(prepare(*planned, relation, facts), mean_degree))) {
    choice.method = "mlp-dp";
    choice.why = fmt::format(
        "{}: sums over so few are drowned in noise{}, so all of the budget goes to the features; predictions on other "
        "graphs cost nothing",
        degree, so_often);
  } else {
    if (relation == bound::Relation::Record) {
      choice.options.emplace_back("share", share_for(wishes.mean_degree));
      choice.why = fmt::format("{}: neighbors' labels get {} of the budget", degree, choice.options.back().second);
    } else {
      choice.options.emplace_back("mean-degree", fmt::format("{:g}", mean_degree));
      choice.why = degree + ": neighbors' labels get what training can spare of the budget";
    }
    const double label_rate = static_cast<double>(facts.train_nodes) / static_cast<double>(facts.nodes);
    if (label_rate < kFewLabels) {
      choice.options.emplace_back("rounds", "3");
      choice.why += fmt::format("; {:.0f}% of the nodes have labels, so the others guess theirs in two further rounds",
                                100 * label_rate);
    }
  }
  if (choice.method == "lap") choice.why += free_ones(relation, predictions);
  if (!wishes.predictions) {
    const bool twice = choice.method != "lap" || (wishes.mean_degree && *wishes.mean_degree < kSparse);
    choice.options.emplace_back("propagate", twice ? "2" : "1");
    choice.options.emplace_back("propagate-on", twice ? "logits" : "probabilities");
    choice.options.emplace_back("alpha", "0.25");
    choice.why += "; predictions need no cover, so they are propagated over the graph";
    if (relation == bound::Relation::Node) {
      choice.why += " (on cora_ml at epsilon 4: 88% are right, where dpar-gm, the paper's way, has 78%)";
    }
  }
  return choice;
}

std::string lacking_facts(const AutoWishes& wishes, bound::Relation relation, int64_t protect_degree) {
  std::vector<std::string> facts;
  if (!wishes.mean_degree) facts.emplace_back("--mean-degree, how many contacts a person has on average");
  if (relation == bound::Relation::Node && protect_degree == Settings().protect_degree) {
    facts.push_back(
        fmt::format("--protect-degree, the most contacts for which you give your word (now {})", protect_degree));
  }
  if (facts.empty()) return "";
  return fmt::format("what would help, if it is public: {}; `graphveil advise` says by how much",
                     fmt::join(facts, ", and "));
}

AutoExperiment choose_experiment(const AutoWishes& wishes, const Options& given, const InputData& input) {
  const auto copy_settings = [&](Experiment& experiment) {
    for (const Option& option : given.list()) {
      if (experiment.options().find(option.name) != nullptr) experiment.set(option.name, option.text());
    }
  };
  Experiment lap("lap");
  copy_settings(lap);
  const bound::Relation relation = chosen_relation(lap, input.data.graph.symmetric());
  AutoExperiment out;
  out.choice = choose_method(wishes, lap, relation, planned_facts(lap, input));
  out.experiment = std::make_unique<Experiment>(out.choice.method);
  copy_settings(*out.experiment);
  out.experiment->set("relation", std::string(bound::name(relation)));
  for (const auto& [name, value] : out.choice.options) out.experiment->set(name, value);
  out.lacking = lacking_facts(wishes, relation, out.experiment->settings().protect_degree);
  return out;
}

}  // namespace graphveil::run
