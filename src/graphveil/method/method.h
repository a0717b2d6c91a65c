// What every method is: options, a plan that can be priced without data, and a run that reads its noise from the plan.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/base/options.h"
#include "graphveil/base/random.h"
#include "graphveil/bound/relation.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/learn/fit.h"
#include "graphveil/learn/fit_private.h"
#include "graphveil/mechanism/audience.h"
#include "graphveil/mechanism/plan.h"
#include "graphveil/mechanism/public_facts.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/method/work.h"
#include "graphveil/nn/state.h"

namespace graphveil::method {

// Methods are put together from what learn/ has, and give out what mechanism/ has made safe.
using namespace learn;
using mechanism::Audience;
using mechanism::Holder;
using mechanism::Owner;
using mechanism::Plan;
using mechanism::Public;
using mechanism::PublicData;
using mechanism::PublicFacts;
using mechanism::Release;

// What is protected, and the public numbers of the data.
struct Setting {
  bound::Relation relation = bound::Relation::Node;
  int64_t protect_degree = 100;  // node: epsilon is quoted for nodes with at most so many outgoing edges
  PublicFacts facts;
  // What was asked for, so that a method may choose sizes and mechanisms by it; the plan's price is another matter.
  double epsilon = 1;
  double delta = 1e-5;  // where the plan's noise needs one
};

// A public graph beside the private one, without labels, and which of its nodes may be given some (train).
struct PublicGraph {
  Public<graph::Dataset> data;
  const graph::Split& split;
  PublicData vouched;  // who says so: for what is made from it and from released values alone
};

// What a run is given.
struct Task {
  const graph::Dataset& data;
  const graph::Split& split;  // of public ids; a blank node keeps its place
  bound::Relation relation = bound::Relation::Node;
  int64_t protect_degree = 100;
  Seed seed;  // for initial weights, batches and dropout; noise has its own, in the release
  // Who vouches that validation labels are public, so that they may pick the epoch; none: the last epoch is kept.
  std::optional<PublicData> public_validation = std::nullopt;
  std::optional<PublicGraph> public_graph = std::nullopt;
  const nn::State* public_arrays = nullptr;  // of the method's public_file, where it names one
  // Public weights of the classes in the losses of every training on labels, for a method that weighs them; empty: all
  // alike.
  std::span<const Real> class_weights = {};
  // Do as the paper does, also where that has no proof. `release` was then opened with the plan of `published`, and the
  // certificate is never valid.
  bool as_published = false;
};

// Class probabilities of every node, for whom they may be.
using Predictions = std::variant<Public<Matrix>, Owner<Matrix>, Holder<Matrix>>;
const Matrix& values(const Predictions& predictions);
Audience audience(const Predictions& predictions);

// What a run gives out, each part with its audience.
struct Output {
  Public<nn::State> model;  // the parameters: all that predicting on another graph needs
  // Predictions about every node of the training graph, or of the public one where there is one.
  Predictions predictions;
  Holder<nn::State> sums = Holder<nn::State>({});  // released sums that may not leave, by name
  // Numbers read off private values without noise, by name: never part of a certificate.
  Holder<std::map<std::string, double>> diagnostics = Holder<std::map<std::string, double>>({});
};

// The paper's own arithmetic, for --accounting published.
struct Published {
  double noise = 0;                  // the value of plan's knob at which the paper's formula gives the wanted epsilon
  std::vector<std::string> reasons;  // why that formula is no proof
  // What a run as published spends where plan(noise) does not say it: its noise, priced tightly as that of the nearest
  // mechanism that has a proof.
  std::optional<Plan> plan = std::nullopt;
  std::optional<double> epsilon = std::nullopt;  // what the paper's formula says, where an option fixed the noise
};

// Some of the records, told by a rule that is public, whom every line of a plan moves by `share` of its sensitivity.
struct RecordClass {
  std::string who;  // "records with at most 2 outgoing edges"
  double share = 1;
};

struct Description {
  std::string name;
  std::string level;     // "edge", "node", "none"
  std::string releases;  // one line: what it is and what it gives out
  std::string paper;     // where it comes from
};

// Names of options with values.
using OptionValues = std::vector<std::pair<std::string, std::string>>;

// How small Method::quick makes a run.
struct QuickSize {
  int64_t epochs = 20;                  // of every training that has epochs
  int64_t steps = 10;                   // of every training that can be told its steps
  int64_t width = 8;                    // of hidden layers and of what features are brought to
  std::optional<int64_t> queries = 20;  // that teachers answer; none: as many as without
};

// What a network takes, from the options alone.
struct NetworkSize {
  int64_t width = 0;   // of the widest hidden layer
  int64_t layers = 0;  // all together
  bool rows = false;   // whether rows of that width are kept for every node, to be aggregated
};

// Settings by name, for --preset.
struct Preset {
  std::string name;
  std::string what;  // which row of which table, or what they are for
};

// An option whose value a search may choose, and from which values.
struct Tunable {
  std::string option;
  std::vector<std::string> values;
};

// Which predictions a method makes under a relation: for whom, and what holds for them.
struct PredictionCover {
  Audience audience = Audience::Holder;
  bound::Relation relation = bound::Relation::Node;  // of public and owner predictions
};

// A method with its options. plan, run and infer may be called in any order and often; none changes the object.
class Method {
 public:
  virtual ~Method() = default;
  virtual Description describe() const = 0;

  // Declares the options, bound to this object's members.
  virtual void declare(Options& options) = 0;
  // Values of its options that make a run small, in the order in which they are to be set: for audits and tests, which
  // want many runs. They change how long a run takes and how well it learns, never what is promised.
  virtual OptionValues quick(const QuickSize& /*size*/) const { return {}; }
  // The size of its networks; of several that are trained one after the other, what they take together.
  virtual NetworkSize network() const { return {}; }
  // The data in the form run and infer take it. Reads each record by itself, so it costs nothing under any relation.
  virtual graph::Dataset prepare(const graph::Dataset& data) const { return data; }
  // Which parts of its paper's algorithm these options replace and by what, in words; empty: none, or no paper.
  virtual std::string variant() const { return {}; }
  // The settings of the paper, for --preset paper.
  virtual void use_paper_settings() = 0;
  // The presets beside "default"; the first is "paper". A name may be chosen before any option is set.
  virtual std::vector<Preset> presets() const { return {{"paper", "the paper's settings"}}; }
  // Takes the settings of one of them.
  virtual void use_preset(const std::string& /*name*/) { use_paper_settings(); }

  // The relations it can protect, the default first. Empty: it gives no guarantee and runs behind a clear release.
  virtual std::vector<bound::Relation> relations() const = 0;
  virtual PredictionCover predictions(bound::Relation relation) const = 0;
  // Whether its epsilon under node and record holds for nodes of every degree: no edge is read but through clipped
  // rows.
  virtual bool every_degree() const { return false; }
  // The number of outgoing edges of a node for which the plan is made, under node without every_degree.
  virtual int64_t quoted_degree(const Setting& setting) const { return setting.protect_degree; }
  // Classes of records that the plan, made for the dearest, costs less: each gets its own statement.
  virtual std::vector<RecordClass> record_classes() const { return {}; }
  // Whether its trainings on labels heed the task's class weights under this relation.
  virtual bool weighs_classes(bound::Relation /*relation*/) const { return false; }
  // Whether a run needs a public graph beside the private one.
  virtual bool wants_public_graph() const { return false; }
  // Whether the two, where they are parts of one graph, stay masks on it with all of its edges, so that private records
  // send messages to public nodes: for runs as published and for references that promise nothing.
  virtual bool one_graph(bool /*as_published*/) const { return false; }
  // A file of named arrays, public, that a run reads; empty: none.
  virtual std::string public_file() const { return {}; }
  // Whether that graph comes with the labels of the nodes that may be given some: for references that promise nothing.
  virtual bool reads_public_labels() const { return false; }
  // Whether a run that goes on after a kill asks its release for the labels that were given out before
  // (Release::given). Others begin anew with the same seed, from their last checkpoints on.
  virtual bool resumable() const { return false; }
  // Why a run of it stays on one machine, in words that go on from "it"; empty: ranks can share its rows out
  // (base/ranks.h). Each is then given its own rows, and what run() gives out about nodes is about those alone.
  virtual std::string one_machine(bound::Relation /*relation*/) const { return "reads the whole graph at once"; }
  // After multiples of how many training nodes its trainings without noise want ranks to be cut.
  virtual int64_t places_per_cut(bound::Relation /*relation*/, int64_t /*train_nodes*/) const { return 1; }
  // What --tune may choose under a relation, prepare() never reading it. At edge level, and without a relation: options
  // that act after the last release alone, so that all settings share the releases of one run. At node level: options
  // that leave the events of the plan as they are.
  virtual std::vector<Tunable> tunables(bound::Relation /*relation*/) const { return {}; }
  // What the paper chooses by validation labels besides, although each value releases something else: only for
  // --accounting published, where nobody pays for a search.
  virtual std::vector<Tunable> unpaid_tunables(bound::Relation /*relation*/) const { return {}; }
  // What else a reader of the certificate should know, and what was taken for granted.
  virtual std::vector<std::string> remarks(bound::Relation /*relation*/) const { return {}; }
  virtual std::vector<std::string> assumptions(bound::Relation /*relation*/) const { return {}; }

  // What a run would release with this noise; with noise 0 what it would pass through a clear release. Throws
  // InvalidArgument for options that do not fit together or with the relation.
  virtual Plan plan(double noise, const Setting& setting) const = 0;
  // What the noise of this plan means for what comes out, in words and from public numbers alone: shown before a run.
  virtual std::vector<std::string> outlook(const Plan& /*plan*/, const Setting& /*setting*/) const { return {}; }
  // What a run of this plan does, from public numbers alone; none: nobody has counted it yet.
  virtual std::optional<Work> work(const Plan& /*plan*/, const Setting& /*setting*/, const GraphSize& /*graph*/) const {
    return std::nullopt;
  }
  // How many numbers the training of this line learns, at least; 0: not known, or nothing is trained.
  virtual double trained_numbers(const std::string& /*label*/, const Setting& /*setting*/) const { return 0; }
  // Which lines of this plan are so noisy that nothing can be learned from them, in words and from public numbers alone
  // (mechanism/strength.h): a warning before a run. As it stands it judges trainings whose size is known; a method that
  // hangs on sums or votes adds those.
  virtual std::vector<std::string> drowned(const Plan& plan, const Setting& setting) const;
  // Values of its options worth pricing beside each other, for `calibrate`.
  virtual std::vector<OptionValues> trade_offs(const Setting& /*setting*/) const { return {}; }
  // What the paper's own arithmetic asks for, where it has a formula of its own. Never a proof.
  virtual std::optional<Published> published(double /*epsilon*/, double /*delta*/, const Setting& /*setting*/) const {
    return std::nullopt;
  }
  // Trains. `release` has plan(noise, ...).
  virtual Output run(const Task& task, Release& release) const = 0;

  // What predicting on another graph releases about that graph.
  virtual Plan inference_plan(double noise, const Setting& setting) const = 0;
  // Class probabilities of every node of another graph. `release` has inference_plan(noise, ...).
  virtual Predictions infer(const nn::State& model, const Task& task, Release& release) const = 0;
};

// Numbers as the values of options, but for those that there are not.
OptionValues sized(std::initializer_list<std::pair<const char*, std::optional<int64_t>>> values);

// The task's public graph, or an Internal error: a method that wants one was run without.
const PublicGraph& required_public(const Task& task);

// The weights of linear layers one after the other, without their biases.
double stack_numbers(int64_t inputs, int64_t layers, int64_t hidden, int64_t outputs);

// The warning that this line, called `what`, is no stronger against its noise than `strength`; none where that is
// enough. For drowned().
void add_drowned(std::vector<std::string>& warnings, const mechanism::PlanLine& line, const std::string& what,
                 double strength);

// The choices of --tune among the options of LastFitOptions.
std::vector<Tunable> last_fit_tunables();

// The task's data as fit wants it; validation nodes only where the task says they are public.
FitData fit_data(const Task& task);
// The task's training nodes as fit_private wants them, each sample reading its own node alone.
PrivateFitData private_fit_data(const Task& task);

// Two public states as one.
Public<nn::State> joined(const Public<nn::State>& a, const Public<nn::State>& b);

// Predictions that read the node's own record: public where records are, else the node's own.
Predictions predictions_for(Matrix probabilities, const Release& release);

}  // namespace graphveil::method
