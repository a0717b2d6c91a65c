// Predicting with a run folder, at a price that is known before anything is released.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphveil/artifact/certificate.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::run {

enum class PredictionKind {
  Stored,    // the training graph: what was made with the model
  Free,      // nothing about other records is released: the method reads the node's own record and the model
  Released,  // another graph, through noise: an entry in the log
  Raw,       // reads neighbors in the clear: for the holder
  Received,  // by somebody who has release/ alone, about a graph of their own (run/receive.h)
};

struct PredictOptions {
  // The most that training and all inferences together may cost; none: no more than training did.
  std::optional<double> total_epsilon;
  // Declares that nobody of this graph is in any other graph this run has read.
  bool disjoint = false;
  // The budget book of these people; empty: none. A run that was trained under one wants it.
  std::string book = {};
  // Of the data, for the book: the most nodes that one person is; none: they do not say who is who.
  std::optional<int64_t> largest_entity = std::nullopt;
  // The nodes whose ids the run has not seen join the graph that it was trained on: predictions are about them alone,
  // and cost nothing more where run/join.h has a proof.
  bool joined = false;
};

struct Prediction {
  PredictionKind kind = PredictionKind::Stored;
  mechanism::Audience audience = mechanism::Audience::Holder;
  bound::Relation relation = bound::Relation::Node;
  std::string csv;
  int64_t rows = 0;
  double delta = 0;
  // What this prediction costs by itself, and training and every inference so far with it (run/totals.h), under
  // `relation`; none: no guarantee covers it.
  std::optional<double> epsilon, epsilon_total;
  std::optional<int64_t> degree;            // of the nodes that these are quoted for; none: every degree, or edges
  std::vector<std::string> not_releasable;  // why nothing of the run may leave, if so
  std::vector<std::string> assumptions;     // what the user declared with it
  int64_t newcomers = 0;                    // it is about so many people who joined, and nobody else
  std::optional<int64_t> reserved_left;     // it was paid for with the training, and so are so many more
};

// Checks the certificate first: throws BadInput when a private run's certificate does not hold.
//
// Predictions of a run without a guarantee are the holder's. A prediction that was reserved with the training
// (run/reserve.h) is drawn from there, unless its graph is declared disjoint: it is written to the log as such, and
// costs nothing more. Given release/ alone it does what run/receive.h says.
//
// Guarantee: all that was ever released from the run, on whatever graph, composes and is written to the log before any
// noise is drawn; a graph declared disjoint composes with itself alone, told by its nodes' features. Throws
// BudgetExceeded, having drawn nothing, when that costs more than allowed. Everything that can fail is checked before
// the entry is made, by a rehearsal whose answer nobody sees. No two releases share noise: its stream is
// named by the entry's number and by a hash of everything that is read.
Prediction predict(const std::string& folder, const graph::Dataset& data, const PredictOptions& options);
// What the ranks but the first do while that one is in predict() (run/on_ranks.h). They write nothing, and hear of that
// one what the run folder says.
void predict_beside(const graph::Dataset& data);

}  // namespace graphveil::run
