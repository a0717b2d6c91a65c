#include "graphveil/run/model.h"

#include <utility>

#include "graphveil/artifact/predictions_csv.h"
#include "graphveil/run/verify.h"

namespace graphveil::run {

Model::Model(std::string folder) : folder_(std::move(folder)), certificate_(verify_files(folder_).certificate) {}

Matrix Model::predict(const graph::Dataset& data, const PredictOptions& options) {
  const Prediction prediction = run::predict(folder_, data, options);
  audience_ = prediction.audience;
  return artifact::probabilities_from_csv(prediction.csv);
}

}  // namespace graphveil::run
