#include "graphveil/method/method.h"

#include <utility>

#include <fmt/format.h>

#include "graphveil/mechanism/strength.h"

namespace graphveil::method {

const Matrix& values(const Predictions& predictions) {
  struct Visitor {
    const Matrix& operator()(const Public<Matrix>& p) const { return p.value(); }
    const Matrix& operator()(const Owner<Matrix>& p) const { return p.rows(); }
    const Matrix& operator()(const Holder<Matrix>& p) const { return p.private_value(); }
  };
  return std::visit(Visitor{}, predictions);
}

Audience audience(const Predictions& predictions) {
  struct Visitor {
    Audience operator()(const Public<Matrix>&) const { return Audience::Public; }
    Audience operator()(const Owner<Matrix>&) const { return Audience::Owner; }
    Audience operator()(const Holder<Matrix>&) const { return Audience::Holder; }
  };
  return std::visit(Visitor{}, predictions);
}

double stack_numbers(int64_t inputs, int64_t layers, int64_t hidden, int64_t outputs) {
  if (layers < 1) return 0;
  const auto in = static_cast<double>(inputs), wide = static_cast<double>(hidden), out = static_cast<double>(outputs);
  if (layers == 1) return in * out;
  return in * wide + static_cast<double>(layers - 2) * wide * wide + wide * out;
}

void add_drowned(std::vector<std::string>& warnings, const mechanism::PlanLine& line, const std::string& what,
                 double strength) {
  if (strength >= mechanism::kDrowned) return;
  warnings.push_back(fmt::format(
      "'{}' will be drowned in noise: {} is at most {:.2g} times as strong as the noise, and below {} nothing "
      "was seen to be learned; expect what always guessing the most frequent class would give. More "
      "records, a larger epsilon or another method would help",
      line.event.label(), what, strength, mechanism::kDrowned));
}

std::vector<std::string> Method::drowned(const Plan& plan, const Setting& setting) const {
  std::vector<std::string> out;
  for (const mechanism::PlanLine& line : plan.lines()) {
    if (!std::holds_alternative<bound::source::Gradients>(line.source())) continue;
    const double numbers = trained_numbers(line.event.label(), setting);
    if (numbers <= 0) continue;
    add_drowned(out, line, "what all gradients of the training could say together",
                mechanism::training_strength(line, static_cast<double>(setting.facts.train_nodes), numbers));
  }
  return out;
}

OptionValues sized(std::initializer_list<std::pair<const char*, std::optional<int64_t>>> values) {
  OptionValues out;
  for (const auto& [name, value] : values) {
    if (value) out.emplace_back(name, std::to_string(*value));
  }
  return out;
}

const PublicGraph& required_public(const Task& task) {
  if (!task.public_graph) fail(ErrorKind::Internal, "a method that wants a public graph was run without one");
  return *task.public_graph;
}

std::vector<Tunable> last_fit_tunables() {
  return {{"last-learning-rate", {"0.003", "0.01", "0.03", "0.1"}},
          {"last-weight-decay", {"0", "0.0001", "0.001"}},
          {"last-epochs", {"50", "100", "200"}}};
}

FitData fit_data(const Task& task) {
  FitData data{task.data.labels, task.split.train, {}, task.class_weights, task.data.graph.partition()};
  if (task.public_validation) data.public_validation = task.split.val;
  return data;
}

PrivateFitData private_fit_data(const Task& task) {
  return {.train = task.split.train,
          .labels = task.data.labels,
          .class_weights = task.class_weights,
          .part = task.data.graph.partition()};
}

Public<nn::State> joined(const Public<nn::State>& a, const Public<nn::State>& b) {
  return from_public(
      [](const nn::State& first, const nn::State& second) {
        nn::State both = first;
        both.insert(second.begin(), second.end());
        return both;
      },
      a, b);
}

Predictions predictions_for(Matrix probabilities, const Release& release) {
  if (!release.promises()) return Holder<Matrix>(std::move(probabilities));
  if (bound::edge_level(release.relation())) {
    return Public<Matrix>(std::move(probabilities), PublicData::under(release));
  }
  return Owner<Matrix>(std::move(probabilities));
}

}  // namespace graphveil::method
