#include "graphveil/method/dpgpl/prompt.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/kernels/softmax.h"
#include "graphveil/method/dpgpl/all_in_one.h"
#include "graphveil/method/dpgpl/gpf_plus.h"
#include "graphveil/method/dpgpl/gppt.h"
#include "graphveil/nn/ops_linear.h"
#include "graphveil/nn/ops_normalize.h"
#include "graphveil/nn/optimizer.h"

namespace graphveil::method {

void PromptOptions::declare(Options& options) {
  options.choice(
      "prompt", kind,
      {{"gpf-plus", PromptKind::GpfPlus}, {"all-in-one", PromptKind::AllInOne}, {"gppt", PromptKind::Gppt}},
      "gpf-plus: vectors added to features by attention. all-in-one: a small graph of tokens linked to every node. "
      "gppt: class prototypes for each cluster of nodes");
  options.integer_or("tokens", tokens, "auto", 1, 1000,
                     "Vectors of gpf-plus (auto: 10), or tokens of all-in-one (auto: 2; many drown the nodes)");
  options.integer("epochs", epochs, 1, 1000000, "Steps of Adam that tune one prompt");
  options.real_or("learning-rate", learning_rate, "auto", 0, 1e6,
                  "Learning rate of the prompts; auto: 0.05, of gppt 0.01");
  options.alias("lr");
  options.real("weight-decay", weight_decay, 0, 1e6, "Weight decay of the prompts");
  options.choice("answer", answer, {{"own", AnswerOf::Own}, {"shared", AnswerOf::Shared}},
                 "own: a prompt's answer is tuned with it. shared: one answer for all prompts and the student, tuned "
                 "before on --shots private records of each class; that has no proof, and is for --accounting "
                 "published and references alone");
}

double PromptOptions::rate() const {
  if (learning_rate) return *learning_rate;
  switch (kind) {
    case PromptKind::Gppt: return 0.01;
    case PromptKind::AllInOne: return 0.05;
    case PromptKind::GpfPlus: return 0.05;
  }
  fail(ErrorKind::Internal, "unknown prompt");
}

Standard Standard::of(ConstMatrixView embeddings) {
  const int64_t n = embeddings.rows, width = embeddings.cols;
  require(n >= 1, "no embeddings to take the mean of");
  Standard out = none(width);
  for (int64_t c = 0; c < width; ++c) {
    double mean = 0;
    for (int64_t r = 0; r < n; ++r) mean += embeddings(r, c) / static_cast<double>(n);
    out.shift(0, c) = static_cast<Real>(-mean);
  }
  return out;
}

nn::Var Standard::operator()(nn::Var embeddings) const {
  if (plain) return embeddings;
  return nn::normalize_rows(nn::add_bias(embeddings, embeddings.tape->constant(shift)));
}

PromptGraph::PromptGraph(Matrix rows_, graph::Graph graph_, const Backbone& backbone, Standard standard_)
    : rows(std::move(rows_)),
      graph(std::move(graph_)),
      edges(graph.in_view(), edge_options(backbone.shape().kind)),
      standard(std::move(standard_)) {
  require(rows.rows() == graph.nodes(), "{} rows of features for {} nodes", rows.rows(), graph.nodes());
}

Matrix Prompt::probabilities(const PromptGraph& graph, std::span<const int32_t> nodes) {
  nn::Tape tape(Seed::from_number(0));  // nothing is dropped out
  tape.start(nn::Tape::Mode::Evaluate);
  const nn::Var said = scores(tape, graph, nodes);
  Matrix out = Matrix::uninitialized(said.rows(), said.cols());
  kernels::softmax(said.value(), out);
  return out;
}

std::unique_ptr<Prompt> make_prompt(const PromptOptions& options, const Backbone& backbone, int32_t classes,
                                    const Seed& seed) {
  require(options.kind != PromptKind::Gppt || options.answer == AnswerOf::Own,
          "--answer is shared, but gppt has no answer beside its tokens; use --prompt all-in-one or gpf-plus");
  switch (options.kind) {
    case PromptKind::Gppt: return std::make_unique<Gppt>(options, backbone, classes);
    case PromptKind::AllInOne: return std::make_unique<AllInOne>(options, backbone, classes, seed);
    case PromptKind::GpfPlus: return std::make_unique<GpfPlus>(options, backbone, classes, seed);
  }
  fail(ErrorKind::Internal, "unknown prompt");
}

void adam_steps(nn::Parameters& parameters, int64_t steps, const PromptOptions& options, const Seed& seed,
                const std::function<nn::Var(nn::Tape&)>& loss) {
  nn::Tape tape(seed);
  nn::Adam adam({.weight_decay = options.weight_decay});
  for (int64_t step = 0; step < steps; ++step) {
    tape.start();
    const nn::Var value = loss(tape);
    parameters.zero_gradients();
    tape.backward(value);
    adam.step(parameters, options.rate());
  }
}

void save_under(const nn::Parameters& parameters, nn::State& state, const std::string& prefix) {
  for (nn::ParameterId id = 0; id < parameters.count(); ++id) {
    state[prefix + parameters.info(id).name] = nn::to_tensor(parameters.value(id));
  }
}

void load_under(const nn::State& state, nn::Parameters& parameters, const std::string& prefix) {
  for (nn::ParameterId id = 0; id < parameters.count(); ++id) {
    nn::read_matrix(state, prefix + parameters.info(id).name, parameters.value(id));
  }
}

std::vector<int32_t> first_numbers(int64_t count) {
  std::vector<int32_t> out(static_cast<size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

}  // namespace graphveil::method
