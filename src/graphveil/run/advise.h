// Which method, from public numbers alone: what each would cost in noise, and whether anything is left of the signal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/run/auto_choice.h"
#include "graphveil/run/experiment.h"

namespace graphveil::run {

// What somebody knows about data without reading it.
struct KnownFacts {
  method::PublicFacts facts;
  std::optional<double> mean_degree;  // none: kAssumedDegree is taken for it
  std::optional<int64_t>
      max_degree;  // the most that anybody has, by a rule and not by a look; none: --protect-degree's own
  double epsilon = 1;
  bound::Relation relation = bound::Relation::Node;
};
inline constexpr double kAssumedDegree = 10;

// How strong what a plan releases can be against its noise, at most: if all of it agreed. Infinite without noise.
struct Signals {
  std::optional<double> features;  // of the weakest training, of the size of a linear softmax where the method does not
                                   // tell its own; none: there is no noisy one
  std::optional<double> contacts;  // of the weakest sum or count over the neighbors of a node; none: there is none
};
// From public numbers alone.
Signals signals_of(const Prepared& prepared, const std::optional<double>& mean_degree);
// "drowned", "weak", "clear": below mechanism::kDrowned nothing was seen to be learned, below three times it little.
const char* signal_word(double strength);
// "features 370 (clear), contacts 0.12 (drowned)"; empty: neither is known.
std::string signals_text(const Signals& signals);

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
  std::vector<Worth> worth;  // two
};
// Throws InvalidArgument for numbers that are out of range.
Advice advise(const KnownFacts& known);

}  // namespace graphveil::run
