// A trained model, as a run folder holds it.
#pragma once

#include <string>

#include "graphveil/base/matrix.h"
#include "graphveil/run/predict.h"

namespace graphveil::run {

// The model of a run folder, to ask about graphs.
class Model {
 public:
  // Throws Io or BadInput when the folder is not that of a run.
  explicit Model(std::string folder);

  const artifact::Certificate& certificate() const { return certificate_; }

  // Class probabilities, one row per node: run::predict, whose price and log this shares. Throws BudgetExceeded, having
  // drawn nothing, when that costs more than allowed. For whom they are, last_audience() says.
  Matrix predict(const graph::Dataset& data, const PredictOptions& options = {});

  // Of the last predictions; the holder before any were made.
  mechanism::Audience last_audience() const { return audience_; }

 private:
  std::string folder_;
  artifact::Certificate certificate_;
  mechanism::Audience audience_ = mechanism::Audience::Holder;
};

}  // namespace graphveil::run
