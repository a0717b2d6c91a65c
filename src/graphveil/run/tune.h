// --tune: several trainings with settings drawn at random, of which the best is kept.
#pragma once

#include <memory>
#include <vector>

#include "graphveil/run/search.h"
#include "graphveil/run/train_once.h"

namespace graphveil::run {

// One setting that was tried. At node level for the holder: only the best one leaves, and how many there were does not.
struct Trial {
  method::OptionValues values;  // of the options that were searched; empty: as they were
  double score = 0;             // share of right predictions about validation nodes, with noise where it was charged
  bool kept = false;
};

struct TunedTraining {
  std::unique_ptr<Experiment> experiment;  // with the options that were chosen
  Prepared prepared;                       // of that experiment
  Trained trained;
  std::vector<Trial> trials;
};

// Settings.tune of the prepared experiment says how many. At edge level, and for methods that promise nothing: the
// options as they are, then settings without a repetition; the labels of validation nodes judge, or those of training
// nodes in turn where there are none. At node level as many as account::trials_of_mean says.
//
// With --accounting published every combination of values, or as many of them as --tune says, and validation labels
// choose, private or not.
//
// Guarantee: none with --accounting published. Else that of the prepared plan. At edge level one training goes through
// the private door and all others replay what it released: they read public data and released values alone, and so does
// the choice. At node level: see planned() in run/search.h; every trial has noise of its own.
TunedTraining tune(const Prepared& prepared, const Parts& parts, const Seed& seed);

}  // namespace graphveil::run
