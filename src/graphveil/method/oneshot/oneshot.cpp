#include "graphveil/method/oneshot/oneshot.h"

#include <numeric>
#include <utility>
#include <vector>

#include "graphveil/base/ranks.h"
#include "graphveil/bound/class_sums.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/nn/batches.h"

namespace graphveil::method {
namespace {

constexpr const char* kClassSumsLine = "class-sums";

std::vector<int32_t> labels_by(const Matrix& head, const Matrix& rows) {
  Matrix scores = Matrix::uninitialized(rows.rows(), head.cols());
  kernels::matmul(rows, head, scores);
  std::vector<int32_t> labels(static_cast<size_t>(rows.rows()));
  kernels::row_argmax(scores, labels);
  return labels;
}

}  // namespace

OneShot::OneShot() {
  fit_.learning_rate = 0.003;
  fit_.weight_decay = 1e-3;
}

Description OneShot::describe() const {
  return {"oneshot", "node", "One noisy release of class sums teaches a GraphSAGE student on a public graph", "ours"};
}

void OneShot::declare(Options& options) {
  embedding_.declare(options);
  options.real("label-ridge", head_.label_ridge, 1e-6, 1e9, "Ridge of the head against the noise of labels");
  options.real("noise-ridge", head_.noise_ridge, 1e-6, 1e9,
               "Ridge of the head against the released noise, times its variance");
  options.choice("relabel", relabel_, {{"all", Relabel::All}, {"pool", Relabel::Pool}},
                 "Public nodes that the head labels for the student: all, or all but the test nodes");
  student_.declare(options);
  fit_.declare(options);
}

OptionValues OneShot::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"hidden-dim", size.width}});
}

NetworkSize OneShot::network() const { return {student_.hidden_dim, student_.layers}; }

Plan OneShot::plan(double noise, const Setting& setting) const {
  return {{account::Event(kClassSumsLine, account::Gaussian{noise}), bound::class_sums_bound(setting.facts.classes)}};
}

Output OneShot::run(const Task& task, Release& release) const {
  const auto& [public_data, public_split, token] = required_public(task);
  const int32_t classes = task.data.classes;

  // Public data alone.
  const PublicEmbedding embedding(public_data, embedding_, task.seed);

  // The one look at private records: their own features and labels, no edge.
  const std::vector<int32_t>& private_nodes = task.split.train;
  nn::check_distinct(private_nodes);
  std::vector<int32_t> private_labels;
  for (const int32_t u : private_nodes) private_labels.push_back(task.data.labels[u]);
  const Matrix rows = embedding.records()(task.data.features.rows_at(private_nodes));
  const bool shared_out = task.data.graph.partition() != nullptr;
  const auto sums = release.gaussian(kClassSumsLine, bound::class_sums(rows, private_labels, classes, task.relation,
                                                                       release.grid(kClassSumsLine), shared_out));

  // From here on: post-processing of `sums` and public data, which every rank does alike. The number of private nodes
  // is public.
  const Public<graph::Dataset> student_data = embedded(public_data, embedding);
  ClassSumHeadOptions head_options = head_;
  const int64_t records = std::ssize(private_nodes);
  head_options.records = static_cast<double>(shared_out ? sum_over(*current_ranks(), records) : records);
  const Matrix head =
      class_sum_head(student_data.value().features.dense(), sums.value(), sums.noise_scale(), head_options);
  const std::vector<int32_t> labels = labels_by(head, embedding.nodes());
  std::vector<int32_t> labeled = public_split.train;
  if (relabel_ == Relabel::All) {
    labeled.resize(labels.size());
    std::iota(labeled.begin(), labeled.end(), 0);
  }
  Student student(student_data, classes, student_, task.seed);
  const Public<nn::State> taught = fit(student, {labels, labeled, {}}, fit_, task.seed, "student", token, "student/");
  nn::State map;
  embedding.records().save(map, "embedding/");
  return {joined(Public<nn::State>(std::move(map), token), taught),
          Public<Matrix>(class_probabilities(student, public_data.value().nodes()), token)};
}

Predictions OneShot::infer(const nn::State& model, const Task& task, Release&) const {
  const graph::Dataset data = embedded(task.data, RecordMap::loaded(model, "embedding/"));
  StudentNetwork student(data, data.classes, student_, task.seed);
  student.load(model, "student/");
  return Holder<Matrix>(class_probabilities(student, data.nodes()));
}

}  // namespace graphveil::method
