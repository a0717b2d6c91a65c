#include "graphveil/method/dpgpl/prompt_dpsgd.h"

#include <algorithm>
#include <utility>

#include "graphveil/account/calibrate.h"
#include "graphveil/graph/graph.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/learn/network.h"
#include "graphveil/method/dpgpl/gpf_plus.h"
#include "graphveil/method/dpgpl/prompt_student.h"
#include "graphveil/nn/batches.h"

namespace graphveil::method {
namespace {

constexpr const char* kPrompt = "prompt";

// A GPF-plus prompt of records that stand alone: row r of a step is one record, with no edge but to itself.
class LoneRecords final : public Network {
 public:
  LoneRecords(Matrix rows, const Backbone& backbone, Standard standard, int64_t tokens, int32_t classes,
              const Seed& seed)
      : rows_(std::move(rows)),
        backbone_(backbone),
        standard_(std::move(standard)),
        layers_(parameters(), tokens, backbone.shape(), classes, seed) {}

  nn::Var scores(nn::Tape& tape, std::span<const int32_t> nodes) override {
    const auto count = static_cast<int64_t>(nodes.size());
    batch_ = Matrix::uninitialized(count, rows_.cols());
    kernels::gather_rows(rows_, nodes, batch_);
    if (edges_.nodes() != count) {
      const graph::Graph alone = graph::Graph::from_edges(count, {}, {});
      edges_.assign(alone.in_view(), edge_options(backbone_.shape().kind));
    }
    return layers_.answer(standard_(backbone_(layers_.prompted(tape.input(batch_)), edges_)));
  }

 private:
  Matrix rows_;
  const Backbone& backbone_;
  Standard standard_;
  GpfPlusLayers layers_;
  // What the last step left on the tape.
  Matrix batch_;
  nn::Edges edges_;
};

}  // namespace

PromptDpSgd::PromptDpSgd() : fit_(PrivateFitOptions::big_batches(100, 0.05)) {}

Description PromptDpSgd::describe() const {
  return {"prompt-dpsgd", "node", "A GPF-plus prompt of a frozen backbone, tuned by DP-SGD", "baseline of DP-GPL"};
}

void PromptDpSgd::declare(Options& options) {
  options.integer("tokens", tokens_, 1, 1000, "Vectors of the prompt");
  options.integer_or("shots", shots_, "all", 1, INT32_MAX,
                     "Records that it is tuned on, for each class; drawn by their ids, whatever their labels are, so "
                     "that one record takes nobody else's place");
  declare_messages(options, messages_);
  fit_.declare(options);
  backbone_.declare(options);
}

OptionValues PromptDpSgd::quick(const QuickSize& size) const {
  OptionValues out = backbone_.quick(size);
  const OptionValues own = sized({{"epochs", size.epochs}, {"steps", size.steps}});
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

NetworkSize PromptDpSgd::network() const { return {backbone_.pretrain.hidden, backbone_.pretrain.layers}; }

void PromptDpSgd::use_paper_settings() {
  *this = PromptDpSgd();
  shots_ = 5;
  messages_ = Messages::Auto;
  backbone_.use_paper_settings();
}

PromptOptions PromptDpSgd::prompt() const {
  PromptOptions options;
  options.tokens = tokens_;
  return options;
}

int64_t PromptDpSgd::records(int64_t train_nodes, int32_t classes) const {
  return shots_ ? std::min(*shots_ * classes, train_nodes) : train_nodes;
}

Plan PromptDpSgd::steps(double noise, const Setting& setting) const {
  return {fit_line(kPrompt, fit_, noise, records(setting.facts.train_nodes, setting.facts.classes))};
}

Plan PromptDpSgd::plan(double noise, const Setting& setting) const {
  require_parts(messages_);
  return steps(noise, setting);
}

std::optional<Published> PromptDpSgd::published(double epsilon, double delta, const Setting& setting) const {
  if (!one_graph(true)) return std::nullopt;
  const double noise =
      account::calibrate([&](double tried) { return steps(tried, setting).ledger(); }, epsilon, delta).noise;
  return Published{.noise = noise, .reasons = {kWholeReason}, .plan = steps(noise, setting)};
}

Output PromptDpSgd::run(const Task& task, Release& release) const {
  require_parts(messages_, task, release);
  const PublicBackbone backbone = PublicBackbone::made(task, backbone_);
  const std::vector<int32_t> labels(task.data.labels.begin(), task.data.labels.end());
  LoneRecords network(backbone.rows(task.data.features), backbone.network(), backbone.standard_alone(), tokens_,
                      task.data.classes, task.seed);
  const std::vector<int32_t> read =
      chosen_queries(task.split.train, records(std::ssize(task.split.train), task.data.classes), task.seed);
  const Public<nn::State> tuned =
      fit_private(network, {.train = read, .labels = labels}, fit_, kPrompt, task.seed, release);
  // From the released steps on: post-processing, on public data.
  const auto student = [&](const nn::State& state) {
    auto prompt = make_prompt(this->prompt(), backbone.network(), task.data.classes, task.seed);
    prompt->load(state, "");
    return prompt;
  };
  return {
      mechanism::from_public([&](const nn::State& state) { return prompt_state(*student(state), backbone); }, tuned),
      mechanism::from_public(
          [&](const nn::State& state) {
            return student(state)->probabilities(backbone.graph(), first_numbers(backbone.graph().nodes()));
          },
          tuned)};
}

Predictions PromptDpSgd::infer(const nn::State& model, const Task& task, Release&) const {
  return Holder<Matrix>(ask_prompt_student(model, task.data, prompt(), {.kind = PromptStudentKind::Prompt}));
}

}  // namespace graphveil::method
