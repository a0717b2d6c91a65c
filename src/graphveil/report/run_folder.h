// The folder a training leaves behind:
//   model.safetensors, certificate.json, predictions.csv   may be released, as far as the certificate covers them
//   config.toml                                            the options of the run
//   metrics.jsonl                                          for the data holder alone: accuracies read private labels
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "graphveil/method/options.h"
#include "graphveil/report/fingerprint.h"
#include "graphveil/report/train_run.h"

namespace graphveil::report {

// Writes everything into a new folder beside `folder` and then gives it its name, so that a folder is there as a
// whole or not at all. Throws Io when `folder` exists already or cannot be made. Fills in the certificate's model hash.
// `data` is the fingerprint of the graph that was read, by which predict knows it again.
void write_run_folder(const std::string& folder, TrainOutcome& outcome, const method::Options& options,
                      const Fingerprint& data);

// node, label, one column per class. Row i is about node ids[i], or node i when ids is empty.
std::string predictions_csv(const Matrix& probabilities, std::span<const int32_t> ids = {});

}  // namespace graphveil::report
