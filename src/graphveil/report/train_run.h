// Training as the user asked: split, calibration, repeats, certificate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphveil/account/ledger.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/method/method.h"
#include "graphveil/method/options.h"
#include "graphveil/nn/metrics.h"
#include "graphveil/report/certificate.h"

namespace graphveil::report {

// The options that every method has.
struct TrainSettings {
  double epsilon = 1;
  std::optional<double> delta;              // none: 1 / 10^digits(private entities)
  std::optional<bound::Relation> relation;  // none: the method's default for the graph
  Accounting accounting = Accounting::Tight;
  int64_t propagate = 0;  // see method/propagate.h
  double alpha = 0.25;
  std::string split = "75/10/15";  // or "file": the masks that came with the data
  std::string public_data;         // "val": validation labels are declared public; empty: nothing is
  int64_t repeats = 1;
  std::optional<int64_t> seed;  // none: from the operating system

  void declare(method::Options& options);
};

// One training on one split.
struct Repeat {
  double test_accuracy = 0;
  double val_accuracy = 0;
  double train_accuracy = 0;
  double macro_f1 = 0;  // of the test nodes
  double seconds = 0;
};

struct TrainOutcome {
  Certificate certificate;  // of the first repeat; its model hash is filled in when the model is written
  double noise = 0;         // the calibrated knob; 0 for a method without noise
  std::vector<Repeat> repeats;
  nn::MeanInterval test_accuracy;
  method::Released released;  // of the first repeat
};

// Plans, calibrates once, trains `repeats` times with different splits and seeds, evaluates each. Only the first
// repeat's model may be released: each release costs epsilon.
// Throws InvalidArgument for settings that the method or the graph cannot serve.
TrainOutcome train(const method::Method& method, const graph::Dataset& data, const TrainSettings& settings);

// What `settings` ask for on this graph, for calibrate and train alike.
bound::Relation chosen_relation(const method::Method& method, const graph::Graph& graph, const TrainSettings& settings);
double chosen_delta(bound::Relation relation, const graph::Dataset& data, const TrainSettings& settings);
method::PublicFacts public_facts(const graph::Dataset& data, const graph::Split& split);
// 1 / 10^digits, for instance 1e-5 for 18,939.
double automatic_delta(int64_t private_entities);

}  // namespace graphveil::report
