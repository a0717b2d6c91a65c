#include "graphveil/method/dpgpl/prompt_references.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/softmax.h"
#include "graphveil/method/dpgpl/prompt_student.h"
#include "graphveil/method/dpgpl/prompt_teachers.h"
#include "graphveil/method/dpgpl/shared_answer.h"
#include "graphveil/nn/ops_linear.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/ops_shape.h"
#include "graphveil/nn/optimizer.h"

namespace graphveil::method {
namespace {

constexpr const char* kAnswer = "answer/";

std::string teacher_prefix(int64_t t) { return fmt::format("teacher{}/", t); }

Matrix answered(const PublicBackbone& backbone, AnswerLayer& answer) {
  nn::Tape tape(Seed::from_number(0));
  tape.start(nn::Tape::Mode::Evaluate);
  const PromptGraph& graph = backbone.graph();
  const nn::Var scores = answer(graph.standard(backbone.network()(tape.input(graph.rows), graph.edges)));
  Matrix out = Matrix::uninitialized(scores.rows(), scores.cols());
  kernels::softmax(scores.value(), out);
  return out;
}

}  // namespace

Description PromptReference::describe() const {
  constexpr const char* kPaper = "references of DP-GPL";
  switch (kind_) {
    case Kind::LowerBound: return {"prompt-lb", "none", "A frozen backbone with an answer that nobody tuned", kPaper};
    case Kind::Prompt: return {"prompt-inf", "none", "A graph prompt tuned on private records, without noise", kPaper};
    case Kind::FineTune:
      return {"prompt-ft", "none", "A backbone fine-tuned on private records, without noise", kPaper};
    case Kind::Ensemble: return {"prompt-ens", "none", "Votes of prompts of disjoint records, without noise", kPaper};
    case Kind::UpperBound:
      return {"prompt-ub", "none", "The best of those prompts, told by labels of the public pool", kPaper};
  }
  fail(ErrorKind::Internal, "unknown reference");
}

void PromptReference::declare(Options& options) {
  if (of_teachers()) {
    options.integer("teachers", teachers_, 1, 1000000, "Prompts among which the records are split, by a hash of ids");
    options.integer_or("shots", shots_, "all", 1, INT32_MAX, "Records that one prompt is tuned on, at most");
    declare_shots_per(options, shots_per_);
  } else {
    options.integer_or("shots", shots_, "all", 1, INT32_MAX, "Private records of each class that it is tuned on");
  }
  if (kind_ == Kind::FineTune) {
    options.real("body-rate", body_rate_, 0, 1,
                 "Learning rate of the backbone's weights, as a share of the answer's: a small one keeps what was "
                 "pre-trained");
  }
  declare_messages(options, messages_);
  prompt_.declare(options);
  backbone_.declare(options);
}

OptionValues PromptReference::quick(const QuickSize& size) const {
  OptionValues out = backbone_.quick(size);
  out.emplace_back("epochs", std::to_string(size.epochs));
  return out;
}

NetworkSize PromptReference::network() const { return {backbone_.pretrain.hidden, backbone_.pretrain.layers}; }

void PromptReference::use_paper_settings() {
  *this = PromptReference(kind_);
  shots_ = 5;
  teachers_ = 200;
  if (of_teachers()) prompt_.kind = PromptKind::AllInOne;
  backbone_.use_paper_settings();
}

nn::State PromptReference::untuned(const PublicBackbone& backbone, const Task& task) const {
  AnswerLayer answer(backbone.network().shape(), task.data.classes);
  if (prompt_.answer == AnswerOf::Shared) {
    answer.set(shared_answer(task, backbone, prompt_, shots_));
  } else {
    answer.draw(task.seed);
  }
  nn::State state;
  backbone.save(state);
  save_under(answer.parameters(), state, kAnswer);
  return state;
}

nn::State PromptReference::tuned(const PublicBackbone& backbone, const Task& task) const {
  const std::vector<int32_t> records = few_of_each_class(task, shots_);
  const PromptGraph graph = private_graph(task, backbone, backbone.network());
  const std::unique_ptr<Prompt> prompt = make_prompt(prompt_, backbone.network(), task.data.classes, task.seed);
  if (const auto answer = answer_for(task, backbone, prompt_, shots_)) prompt->keep_answer(*answer);
  prompt->tune(graph, records, labels_of(task, records), task.seed);
  return prompt_state(*prompt, backbone);
}

nn::State PromptReference::fine_tuned(const PublicBackbone& backbone, const Task& task) const {
  const std::vector<int32_t> records = few_of_each_class(task, shots_), labels = labels_of(task, records);
  nn::State weights;
  backbone.network().save(weights, "");
  Backbone network = Backbone::loaded(weights, "");
  network.freeze(false);
  const PromptGraph graph = private_graph(task, backbone, network);
  AnswerLayer answer(network.shape(), task.data.classes);
  nn::Adam body({.weight_decay = prompt_.weight_decay}), head({.weight_decay = prompt_.weight_decay});
  nn::Tape tape(task.seed);
  for (int64_t epoch = 0; epoch < prompt_.epochs; ++epoch) {
    tape.start();
    const nn::Var loss = nn::cross_entropy(
        answer(graph.standard(nn::gather_rows(network(tape.input(graph.rows), graph.edges), records))), labels);
    network.parameters().zero_gradients();
    answer.parameters().zero_gradients();
    tape.backward(loss);
    body.step(network.parameters(), body_rate_ * prompt_.rate());
    head.step(answer.parameters(), prompt_.rate());
  }
  network.freeze();
  nn::State state;
  backbone.with(std::move(network)).save(state);
  save_under(answer.parameters(), state, kAnswer);
  return state;
}

nn::State PromptReference::of_votes(const PublicBackbone& backbone, const Task& task) const {
  const bool shared = shots_ && shots_per_ == ShotsPer::Class;
  Prompts prompts = tuned_prompts(
      task, backbone, prompt_, shared ? shared_parts(task, teachers_, *shots_) : parts_by_id(task, teachers_, shots_),
      answer_for(task, backbone, prompt_, shots_), one_graph(false));
  std::erase_if(prompts, [](const std::unique_ptr<Prompt>& prompt) { return !prompt; });
  require(!prompts.empty(), "no private record has a label");
  nn::State state;
  backbone.save(state);
  if (kind_ == Kind::Ensemble) {
    state["teachers"] = nn::to_tensor(std::ssize(prompts));
    for (size_t t = 0; t < prompts.size(); ++t) prompts[t]->save(state, teacher_prefix(static_cast<int64_t>(t)));
    return state;
  }
  const PublicGraph& graph = required_public(task);
  const bound::Votes votes = votes_of(prompts, backbone.graph(), graph.split.train);
  const auto right = [&](const std::vector<int32_t>& said) {
    int64_t count = 0;
    for (size_t i = 0; i < said.size(); ++i) count += said[i] == graph.data.value().labels[graph.split.train[i]];
    return count;
  };
  size_t best = 0;
  for (size_t t = 1; t < votes.size(); ++t) best = right(votes[t]) > right(votes[best]) ? t : best;
  return prompt_state(*prompts[best], backbone);
}

Output PromptReference::run(const Task& task, Release& release) const {
  const PublicGraph& graph = required_public(task);
  const PublicBackbone backbone = PublicBackbone::made(task, backbone_);
  nn::State model = [&] {
    switch (kind_) {
      case Kind::LowerBound: return untuned(backbone, task);
      case Kind::Prompt: return tuned(backbone, task);
      case Kind::FineTune: return fine_tuned(backbone, task);
      case Kind::Ensemble:
      case Kind::UpperBound: return of_votes(backbone, task);
    }
    fail(ErrorKind::Internal, "unknown reference");
  }();
  const Task asked{.data = graph.data.value(), .split = graph.split, .seed = task.seed};
  Predictions said = infer(model, asked, release);
  return {Public<nn::State>(std::move(model), PublicData::under(release)), std::move(said)};
}

Predictions PromptReference::infer(const nn::State& model, const Task& task, Release&) const {
  const int32_t classes = task.data.classes;
  if (kind_ == Kind::Prompt || kind_ == Kind::UpperBound) {
    return Holder<Matrix>(ask_prompt_student(model, task.data, prompt_, {.kind = PromptStudentKind::Prompt}));
  }
  const PublicBackbone backbone = PublicBackbone::loaded(model, task.data);
  if (kind_ != Kind::Ensemble) {
    AnswerLayer answer(backbone.network().shape(), classes);
    load_under(model, answer.parameters(), kAnswer);
    return Holder<Matrix>(answered(backbone, answer));
  }
  Prompts prompts;
  for (int64_t t = 0; t < nn::read_number(model, "teachers"); ++t) {
    prompts.push_back(make_prompt(prompt_, backbone.network(), classes, task.seed));
    prompts.back()->load(model, teacher_prefix(t));
  }
  const bound::Votes votes = votes_of(prompts, backbone.graph(), first_numbers(task.data.nodes()));
  Matrix shares(task.data.nodes(), classes);
  for (const std::vector<int32_t>& said : votes) {
    for (size_t v = 0; v < said.size(); ++v) {
      // A vote that was not cast is for every class.
      const auto row = shares.row(static_cast<int64_t>(v));
      if (said[v] != bound::kNoVote) {
        row[static_cast<size_t>(said[v])] += 1 / static_cast<Real>(votes.size());
      } else {
        for (Real& x : row) x += 1 / static_cast<Real>(votes.size() * static_cast<size_t>(classes));
      }
    }
  }
  return Holder<Matrix>(std::move(shares));
}

}  // namespace graphveil::method
