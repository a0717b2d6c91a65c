// A graph in memory, a private model of it, its certificate, and a run folder: train_and_certify FOLDER
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

#include <graphveil/graphveil.h>

using namespace graphveil;

namespace {

// Two groups of people who mostly know their own, and two columns about each.
graph::Dataset people() {
  constexpr int32_t kPeople = 400;
  std::mt19937 random(7);
  std::vector<int32_t> sources, targets, labels;
  std::vector<std::string> ids;
  Matrix features(kPeople, 2);
  for (int32_t v = 0; v < kPeople; ++v) {
    labels.push_back(v % 2);
    ids.push_back("person " + std::to_string(v));
    features(v, v % 2) = 0.6f;
    for (int friends = 0; friends < 5; ++friends) {
      sources.push_back(v);
      targets.push_back(static_cast<int32_t>(random() % (kPeople / 2)) * 2 + (random() % 10 ? v % 2 : 1 - v % 2));
    }
  }
  graph::Dataset data;
  data.name = "people";
  data.graph = graph::Graph::from_undirected_edges(kPeople, sources, targets);
  data.features = std::move(features);
  data.labels = std::move(labels);
  data.classes = 2;
  data.ids = graph::Names(std::span<const std::string>(ids));
  return data;
}

// Told how far the work is; would stop it when somebody presses a button.
struct Watch : ProgressSink {
  bool button = false;
  void update(const ProgressUpdate& u) override {
    std::fprintf(stderr, "%s: %lld of %lld\n", u.task.c_str(), static_cast<long long>(u.done),
                 static_cast<long long>(u.total));
  }
  bool cancelled() override { return button; }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: train_and_certify FOLDER\n");
    return 2;
  }
  try {
    const ContextScope context({.threads = 2, .progress = std::make_shared<Watch>()});
    const run::InputData input{people(), std::nullopt};
    run::Experiment experiment("lap");
    experiment.set("epsilon", "2");
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
