// What a watcher of the machine could learn: running time and file sizes with and without one record.
#pragma once

#include <cstdint>

#include "graphveil/attack/canary.h"
#include "graphveil/nn/metrics.h"
#include "graphveil/run/parts.h"

namespace graphveil::attack {

struct TimingResult {
  nn::MeanInterval seconds_there, seconds_blank;
  // Student's t of the difference of the two means (Welch); beyond about 3 the two can be told apart by a clock.
  double t = 0;
  nn::MeanInterval model_bytes_there, model_bytes_blank;  // of the public model as a file
  nn::MeanInterval prediction_bytes_there, prediction_bytes_blank;
};

// Trains `repeats` times on either graph, in turns. Measured and reported, not judged: guarantees are about what is
// released, and say that time and sizes are not observed.
TimingResult timing_attack(const run::Prepared& prepared, const run::Parts& parts, const CanaryPair& canary,
                           int64_t repeats, const Seed& seed);

}  // namespace graphveil::attack
