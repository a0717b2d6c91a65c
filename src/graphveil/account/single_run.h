// One run of one mechanism, in closed form.
#pragma once

#include <optional>

#include "graphveil/account/event.h"

namespace graphveil::account {

// The smallest epsilon at 0 < delta < 1 of one run, by the mechanism's own formula, for no sampling and for Poisson
// sampling, which turns (e, d) into (ln(1 + rate (e^e - 1)), rate d) (Balle, Barthe, Gaboardi 2018, Theorem 8; exact
// for the direction present -> blank, which is the larger one where P and Q mirror each other). Empty for
// poisson-group.
std::optional<double> single_run_epsilon(const Mechanism& mechanism, const Sampling& sampling, double delta);

}  // namespace graphveil::account
