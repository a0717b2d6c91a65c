// --curves, --log-tensorboard, --log-mlflow: what a training says of itself, step by step, for the holder.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "graphveil/base/curves.h"
#include "graphveil/run/train.h"

namespace graphveil::cli {

struct CurveWishes {
  std::string csv, tensorboard, mlflow;  // where to; empty: not wanted
  bool any() const { return !csv.empty() || !tensorboard.empty() || !mlflow.empty(); }
  // Throws Io or InvalidArgument, before the work, where the file cannot be written.
  void check() const;
};

void add_curve_options(CLI::App& command, CurveWishes& wishes);

// What is wished for, with the accuracies and options of the run.
void write_curves(const CurveWishes& wishes, const std::vector<Curve>& curves, const run::TrainOutcome& outcome,
                  const run::Experiment& experiment);

}  // namespace graphveil::cli
