// Predicting with what a run published: for whoever received release/ and has a graph of their own.
#pragma once

#include <string>

#include "graphveil/artifact/certificate.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/nn/state.h"
#include "graphveil/run/predict.h"

namespace graphveil::run {

// Whether this is the folder of a certificate without the rest of its run.
bool is_release_alone(const std::string& folder);

// Guarantee: the model is public, so what is made of it and of the receiver's own graph costs the people it was trained
// on nothing. What it tells about the people of that graph is the receiver's to protect, and so is the answer. Where
// predicting would add noise and write to the log of the run, nothing is predicted: published predictions about these
// very ids are given, where there are any, and else this throws Unsupported and says who can predict, and why. Throws
// BadInput for a certificate that does not hold, or that is of a run of which nothing may leave.
Prediction predict_received(const std::string& folder, const graph::Dataset& data, const PredictOptions& options);

// The data with the model's classes. Throws BadInput, saying why, where they do not fit.
graph::Dataset fitted_to(const artifact::Certificate& certificate, const graph::Dataset& data);
// The model beside the certificate of a run folder, or of release/ alone, and where that lies.
std::string model_path(const std::string& folder);
nn::State read_model(const std::string& folder);

}  // namespace graphveil::run
