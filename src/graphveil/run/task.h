// What a method is given to train on or to be asked about, made in one place.
#pragma once

#include "graphveil/mechanism/release.h"
#include "graphveil/method/method.h"
#include "graphveil/run/experiment.h"
#include "graphveil/run/parts.h"

namespace graphveil::run {

// Data that a method reads. All of it must outlive the task.
struct Given {
  const graph::Dataset& data;     // prepared as the method wants it
  const graph::Split& split;      // public ids
  const Parts* beside = nullptr;  // whose public graph and public arrays go with it; none: there are none
};

// For a training through `release`: validation labels pick the epoch where they are public.
method::Task training_task(const Prepared& prepared, const Given& given, const Seed& seed,
                           const mechanism::Release& release);
// For a question, where nobody is trained on. `seed` is the task's own.
method::Task asking_task(const Prepared& prepared, const Given& given, const Seed& seed);

}  // namespace graphveil::run
