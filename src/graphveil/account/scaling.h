// The same noise on a value that another record moves less, or more: events as they cost somebody else.
#pragma once

#include <cstdint>

#include "graphveil/account/event.h"

namespace graphveil::account {

// The event for a record that moves the value by 1 / `factor` of the stated sensitivity: the same noise is then
// `factor` times as large against what it hides. The factor is that of the norm in which the mechanism states its
// sensitivity (L2 for Gaussian noise, L1 for Laplace noise). Throws Internal for a mechanism whose noise does not grow
// with a size (exponential, randomized response) and for a nest of events, InvalidArgument unless the factor is
// positive and finite.
Event rescaled(const Event& event, double factor);

// A training event for a record that touches `deletions` samples when it is there, in whose place `insertions` changed
// ones stand when it is blank, where the event was made for one that touches `planned` of both together. A sampled
// event says so in its sampling; without sampling the noise multiplier is per changed sample times their number, so the
// event is rescaled by planned / (deletions + insertions). Throws InvalidArgument unless deletions and planned are at
// least 1 and insertions at least 0.
Event regrouped(const Event& event, int64_t planned, int64_t deletions, int64_t insertions);

}  // namespace graphveil::account
