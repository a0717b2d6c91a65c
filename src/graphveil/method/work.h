// What a run does, counted from public numbers alone: for forecasts of its time, memory and traffic (run/forecast.h).
#pragma once

#include <cstdint>

#include "graphveil/mechanism/plan.h"

namespace graphveil::method {

// What a plan does not need to know of a graph, and its cost does.
struct GraphSize {
  double edges = 0;        // directed: an undirected edge counts twice
  double row_entries = 0;  // feature values that are stored in a row: all columns where features are dense
};

// A network by what it costs to read a row: so many feature values meet so many units each, and there are `rest`
// weights behind them.
struct Reader {
  double row_entries = 0;
  double first_width = 0;
  double rest = 0;
  // Linear layers one after the other.
  static Reader stack(double row_entries, int64_t layers, int64_t hidden, int64_t outputs);
};

struct Work {
  double sums = 0;            // over all neighbors: how often every edge is walked
  double columns = 0;         // of the widest row that is sent along an edge
  double edge_terms = 0;      // added along edges, all sums together
  double noise = 0;           // numbers that get noise of their own: one for each node and column
  double samples = 0;         // rows that trainings look at, one at a time
  double own_products = 0;    // multiply-adds with feature rows where they lie, in training and prediction
  double products = 0;        // other multiply-adds
  double turns = 0;           // sums that go from rank to rank, where rows are shared out
  double turn_numbers = 0;    // floats in all of these together
  double node_numbers = 0;    // floats kept for every node at the peak, beside the graph, its features and labels
  double feature_copies = 0;  // of all features beside the graph's own: scaled rows, rows of a batch

  // `count` sums over neighbors of rows of so many columns, with noise.
  void add_sums(double count, double nodes, double edges, double row_columns);
  // A training that looks at so many rows in all, forward and backward.
  void add_training(double rows, const Reader& reader);
  // Sums over shared rows in so many steps of a training without noise: of the gradients of `layers` layers with so
  // many weights, the moments of `norms` batch normalizations of so many columns in all, and the loss.
  void add_turns(double steps, double layers, double weights, double norms, double norm_columns);
  // The scores of so many nodes.
  void add_prediction(double nodes, const Reader& reader);
};

// How many samples the noisy training of this line looks at.
double trained_samples(const mechanism::PlanLine& line, int64_t train_nodes);

}  // namespace graphveil::method
