// A method of another project: own_method FOLDER registers it, trains it, and has it certified and verified.
//
// Class means: the sums of records' features by class are released once; a record is then given the class whose mean
// lies nearest its direction.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <vector>

#include <graphveil/graphveil.h>
#include <graphveil/own_method.h>

using namespace graphveil;

namespace {

constexpr const char* kSums = "class-sums";

class ClassMeans : public method::Method {
 public:
  method::Description describe() const override {
    return {"class-means", "node", "One noisy release of class sums; the nearest one names the class", "an example"};
  }
  void declare(Options& options) override {
    options.real("sharpness", sharpness_, 0.1, 100, "How sure the nearest class is");
  }
  void use_paper_settings() override {}
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node, bound::Relation::Record}; }
  method::PredictionCover predictions(bound::Relation relation) const override {
    return {mechanism::Audience::Owner, relation};
  }
  bool every_degree() const override { return true; }  // no edge is read

  method::Plan plan(double noise, const method::Setting& setting) const override {
    return {{account::Event(kSums, account::Gaussian{noise}), bound::class_sums_bound(setting.facts.classes)}};
  }
  method::Output run(const method::Task& task, method::Release& release) const override {
    std::vector<int32_t> labels;
    for (const int32_t u : task.split.train) labels.push_back(task.data.labels[u]);
    auto sums = release.gaussian(kSums, bound::class_sums(task.data.features.dense_rows_at(task.split.train), labels,
                                                          task.data.classes, task.relation, release.grid(kSums)));
    // From here on everything is made of the released sums, and of each record by itself.
    const auto model = mechanism::from_public(
        [](const Matrix& released) {
          return nn::State{{kSums, nn::to_tensor(released)}};
        },
        mechanism::Public<Matrix>(std::move(sums)));
    return {model, method::predictions_for(probabilities(model.value(), task.data), release)};
  }
  // Predicting reads the model and each record by itself: it releases nothing about another graph.
  method::Plan inference_plan(double, const method::Setting&) const override { return {}; }
  method::Predictions infer(const nn::State& model, const method::Task& task, method::Release& release) const override {
    return method::predictions_for(probabilities(model, task.data), release);
  }

 private:
  Matrix probabilities(const nn::State& model, const graph::Dataset& data) const {
    std::vector<int32_t> everybody(static_cast<size_t>(data.nodes()));
    std::iota(everybody.begin(), everybody.end(), 0);
    const Matrix features = data.features.dense_rows_at(everybody);
    Matrix sums(features.cols(), data.classes), out(features.rows(), data.classes);
    nn::read_matrix(model, kSums, sums);
    for (int64_t v = 0; v < out.rows(); ++v) {
      double total = 0;
      for (int32_t c = 0; c < data.classes; ++c) {
        double along = 0, length = 1e-12;
        for (int64_t j = 0; j < features.cols(); ++j) {
          along += features(v, j) * sums(j, c);
          length += sums(j, c) * sums(j, c);
        }
        out(v, c) = static_cast<Real>(std::exp(std::min(sharpness_ * along / std::sqrt(length), 50.0)));
        total += out(v, c);
      }
      for (int32_t c = 0; c < data.classes; ++c) out(v, c) = static_cast<Real>(out(v, c) / total);
    }
    return out;
  }
  double sharpness_ = 4;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: own_method FOLDER\n");
    return 2;
  }
  try {
    method::register_method("class-means", [] { return std::make_unique<ClassMeans>(); });
    const run::InputData input{graph::generate(graph::preset("social"), Seed::from_number(1)), std::nullopt};
    run::Experiment experiment("class-means");
    experiment.set("epsilon", 2);
    artifact::RunFolder folder(argv[1]);
    run::TrainOutcome outcome = run::train(experiment, input);
    report::write_run(folder, outcome, experiment, artifact::fingerprint(input.data));
    std::printf("%s", artifact::in_words(outcome.certificate).c_str());
    return run::verify_path(argv[1]).releasable() ? 0 : 1;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
