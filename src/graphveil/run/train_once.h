// Training once.
#pragma once

#include <string>

#include "graphveil/mechanism/answer_log.h"
#include "graphveil/run/experiment.h"
#include "graphveil/run/parts.h"

namespace graphveil::run {

struct Trained {
  method::Output output;
  mechanism::Plan spent;
  double seconds = 0;
};

// Answers that a run keeps as it gives them out, so that one that was killed can go on: none, or the log and the name
// of the training in it.
struct Keeping {
  mechanism::AnswerLog* log = nullptr;
  std::string training;
};

// One training of a prepared experiment. Noise and initial weights come from `seed`. Throws Internal when the run
// spends less than its plan.
//
// Guarantee: behind a private release, of the plan that was prepared. With answers that were kept, of a process that
// had the same seed, plan and data: what it gave out and what is given out now are together one run of that plan.
Trained train_once(const Prepared& prepared, const Parts& parts, const Seed& seed, const Keeping& keeping = {});

// Its parts besides run/task.h: the door that the plan asks for, and what is done with what the method gave out,
// predictions propagated where the settings say so.
mechanism::Release open_release(const Prepared& prepared, const Seed& seed);
Trained finished(const Prepared& prepared, const Parts& parts, method::Output output, const mechanism::Release& release,
                 double seconds);

}  // namespace graphveil::run
