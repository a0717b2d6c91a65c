// Numbers that are none, such as infinity less infinity, are not given out.
#pragma once

#include "graphveil/method/method.h"
#include "graphveil/run/experiment.h"

namespace graphveil::run {

// Throws NotConverged, naming the array, for a parameter that is not finite.
void check_parameters(const nn::State& model);

// Every row that is not finite becomes 1 / classes throughout: each by itself, so that it says nothing about others.
// Returns how many there were, which is for the audience of the predictions.
int64_t settle_rows(method::Predictions& predictions);

// What a training gives out. Throws NotConverged where everybody may know why: a parameter is not finite, or a public
// prediction, or one of a run that promises nothing; or, where predictions are not public, what the model says about a
// few made-up records. An owner's or the holder's row that is not finite is settled instead, since a refusal would tell
// everybody about private records; the holder finds how many in the diagnostics.
//
// Guarantee: whether it throws is a function of what is released and of public numbers.
void check_output(const Prepared& prepared, method::Output& output);

}  // namespace graphveil::run
