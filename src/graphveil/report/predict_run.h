// Predicting with a run folder, at a price that is known before anything is read.
#pragma once

#include <string>

#include "graphveil/graph/dataset.h"
#include "graphveil/method/method.h"
#include "graphveil/report/certificate.h"
#include "graphveil/report/train_run.h"

namespace graphveil::report {

enum class PredictionKind {
  Stored,    // the training graph: what was released with the model
  Free,      // nothing about other records is released: the method reads the node's own record and the model
  Released,  // another graph, through noise: an entry in inference.jsonl
  Raw,       // the method's predictions read neighbors in the clear: no guarantee covers them
};

struct Prediction {
  PredictionKind kind = PredictionKind::Stored;
  std::string csv;  // node, label, probabilities
  double delta = 0;
  double epsilon = 0;        // what this prediction costs the people of the graph
  double graph_epsilon = 0;  // with all earlier predictions on this graph
  double with_training = 0;  // for somebody who is in the training graph as well
};

// `method` and `settings` are those of the run's config.toml. Checks the certificate first: throws BadInput when a
// private run's certificate does not hold.
//
// Guarantee: a new Gaussian line is written to inference.jsonl before any noisy value leaves. The events on one graph,
// those of the training included when it is the training graph, together never cost more than the certificate's
// epsilon; throws BudgetExceeded instead. Graphs are told apart by their edges.
Prediction predict(const std::string& folder, const method::Method& method, const TrainSettings& settings,
                   const graph::Dataset& data);

// The guarantee of a prediction in plain words.
std::string in_words(const Prediction& prediction);

}  // namespace graphveil::report
