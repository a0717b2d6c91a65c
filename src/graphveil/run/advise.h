// Which method, from public numbers alone: what each would cost in noise, and whether anything is left of the signal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/run/auto_choice.h"
#include "graphveil/run/experiment.h"
#include "graphveil/run/signals.h"

namespace graphveil::run {

// What somebody knows about data without reading it.
struct KnownFacts {
  method::PublicFacts facts;
  std::optional<double> mean_degree;  // none: one is assumed (run/signals.h)
  std::optional<int64_t>
      max_degree;  // the most that anybody has, by a rule and not by a look; none: --protect-degree's own
  double epsilon = 1;
  bound::Relation relation = bound::Relation::Node;
};

struct Advised {
  std::string method;
  double noise = 0;  // the largest multiplier among its lines: standard deviation over sensitivity
  Signals signals;
  method::PredictionCover predictions;
  bool every_degree = false;
  std::string refused;  // why it cannot be had with these facts; empty: it can
};

// A fact that the holder may know, and what declaring it would do.
struct Worth {
  std::string option, what, gain;
};

struct Advice {
  std::vector<Advised> methods;  // those of one's own use that protect the relation: strongest signal first
  AutoChoice choice;
  double mean_degree = kAssumedDegree;  // for which the signals of contacts are: declared or assumed
  std::vector<Worth> worth;             // two
};
// Throws InvalidArgument for numbers that are out of range.
Advice advise(const KnownFacts& known);

}  // namespace graphveil::run
