// Training once, and as often as the user asked.
#pragma once

#include <optional>
#include <vector>

#include "graphveil/nn/metrics.h"
#include "graphveil/run/certificate.h"
#include "graphveil/run/experiment.h"
#include "graphveil/run/parts.h"

namespace graphveil::run {

// How good the predictions are. Read off private labels: for the data holder.
struct Evaluation {
  double test_accuracy = 0;
  double val_accuracy = 0;
  double train_accuracy = 0;
  double macro_f1 = 0;            // of the test nodes
  std::optional<double> roc_auc;  // of the test nodes, where there are two classes and both occur
};
Evaluation evaluate(const Parts& parts, const Matrix& probabilities);

struct Trained {
  method::Output output;
  mechanism::Plan spent;
  double seconds = 0;
};

// One training of a prepared experiment. Noise and initial weights come from `seed`. Throws Internal when the run
// spends less than its plan.
//
// Guarantee: behind a private release, of the plan that was prepared.
Trained train_once(const Prepared& prepared, const Parts& parts, const Seed& seed);

struct TrainOutcome {
  Certificate certificate;  // of the first training; its file hashes are filled in when they are written
  std::vector<Evaluation> evaluations;
  std::vector<double> seconds;
  double calibration_seconds = 0;
  nn::MeanInterval test_accuracy;
  std::optional<nn::MeanInterval> test_roc_auc;  // where every repeat has one
  int64_t test_nodes = 0;                        // in the first training; 0: accuracy was not measured
  Trained trained;                     // the first: only its model may be released, each release costs epsilon
  std::vector<int32_t> predicted_ids;  // row i of its predictions is this node of the data; empty: node i
};

// Plans once, trains as often as --repeats says with different splits and seeds, evaluates each.
// Throws InvalidArgument for settings that the method or the graph cannot serve. `planned` is told what will be
// released before anything is trained.
TrainOutcome train(const Experiment& experiment, const InputData& input,
                   const std::function<void(const Prepared&)>& planned = {});

}  // namespace graphveil::run
