// Training once, and as often as the user asked.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/nn/metrics.h"
#include "graphveil/run/certify.h"
#include "graphveil/run/evaluate.h"
#include "graphveil/run/experiment.h"
#include "graphveil/run/parts.h"
#include "graphveil/run/reserve.h"
#include "graphveil/run/train_once.h"
#include "graphveil/run/tune.h"

namespace graphveil::run {

struct TrainOutcome {
  artifact::Certificate certificate;  // of the first training; its file hashes are filled in when they are written
  std::vector<Evaluation> evaluations;
  std::vector<double> seconds;
  double calibration_seconds = 0;
  double certificate_seconds = 0;  // its statements, and what later predictions would cost
  nn::MeanInterval test_accuracy, val_accuracy, macro_f1, weighted_f1, balanced_accuracy;
  std::optional<nn::MeanInterval> test_roc_auc;  // where every repeat has one
  int64_t test_nodes = 0, val_nodes = 0;         // in the first training; 0: accuracy was not measured
  Trained trained;                     // the first: only its model may be released, each release costs epsilon
  std::vector<int32_t> predicted_ids;  // row i of its predictions is this node of the data; empty: node i
  graph::Names ids, class_names;       // of those nodes and of the classes, where the data has names
  std::string book;                    // where its budget book lies; empty: it has none
  std::string schema;                  // that the data declared public; empty: none
  std::unique_ptr<Experiment> tuned;   // with --tune: the experiment with the options that were chosen; else none
  // Test accuracies of what the run would have predicted with other noise (method/other_noise.h), over the repeats. For
  // the holder.
  std::map<std::string, std::vector<double>> other_noise;
  LaterPredictions later;                  // on other graphs
  std::vector<std::vector<Trial>> trials;  // with --tune: what was tried in each repeat. For the holder

  // What was run, where `asked` is what was asked for.
  const Experiment& ran(const Experiment& asked) const { return tuned ? *tuned : asked; }
};

// How a training is watched, and where it goes on.
struct TrainHooks {
  std::optional<Seed> seed = std::nullopt;                 // none: what the settings ask for
  mechanism::AnswerLog* log = nullptr;                     // of a run that can go on after a kill
  std::function<void(const Prepared&)> planned = nullptr;  // told what will be released, before anything is trained
  std::function<void()> before_noise = nullptr;            // called before the first noise of what is kept is drawn
};

// Plans once, trains as often as --repeats says with different splits and seeds, evaluates each.
// Throws InvalidArgument for settings that the method or the graph cannot serve.
TrainOutcome train(const Experiment& experiment, const InputData& input, const TrainHooks& hooks = {});
// What the ranks but the first do while that one is in train() (run/on_ranks.h). They write nothing.
void train_beside(const Experiment& experiment, const InputData& input);
// The seed that the settings ask for: that of a number, or fresh.
Seed run_seed(const Settings& settings);

}  // namespace graphveil::run
