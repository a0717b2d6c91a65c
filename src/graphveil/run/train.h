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
  // Of the test nodes.
  double macro_f1 = 0;
  double weighted_f1 = 0;
  std::vector<nn::ClassScores> classes;
  std::vector<std::vector<int64_t>> confusion;  // [label][prediction]
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
  nn::MeanInterval test_accuracy, val_accuracy, macro_f1, weighted_f1;
  int64_t test_nodes = 0, val_nodes = 0;  // in the first training; 0: accuracy was not measured
  Trained trained;                        // the first: only its model may be released, each release costs epsilon
  std::vector<int32_t> predicted_ids;     // row i of its predictions is this node of the data; empty: node i
  graph::Names ids, class_names;          // of those nodes and of the classes, where the data has names
  std::string schema;                     // that the data declared public; empty: none
};

// Plans once, trains as often as --repeats says with different splits and seeds, evaluates each.
// Throws InvalidArgument for settings that the method or the graph cannot serve.
TrainOutcome train(const Experiment& experiment, const InputData& input);

}  // namespace graphveil::run
