// What a ledger costs: epsilon for a delta, delta for an epsilon.
#pragma once

#include <string>

#include "graphveil/account/ledger.h"

namespace graphveil::account {

enum class Accountant {
  Pld,  // privacy-loss distributions: the default, tight. A ledger with a search in it is priced by Renyi divergences
  Rdp,  // Renyi divergences: looser, an independent check
};

// The smallest epsilon >= 0 we can prove such that the whole ledger is (epsilon, delta)-DP, in both directions
// (record present against blank, blank against present). delta in [0, 1]. +infinity when none can be proved: zero
// noise, or delta = 0 with unbounded loss. Throws Unsupported for a (mechanism, sampling) pair without a proof.
//
// Guarantee: an upper bound on the true value for any adaptive sequence of the ledger's events; numerical error
// is bounded and added. Pld is within 0.1 % of the exact epsilon of the dominating pairs for epsilon <= 100.
//
// Work is bounded, to about two seconds and a gigabyte: a ledger of more than 200 different lines is priced with lines
// that are alike joined (`looser` says so), one with too many different nests is refused (InvalidArgument).
struct Price {
  double epsilon = 0;
  std::string looser;  // what was given up for time, in words; empty: nothing
};
Price price(const Ledger& ledger, double delta, Accountant accountant = Accountant::Pld);

// The epsilon of `price` alone.
double spent_epsilon(const Ledger& ledger, double delta, Accountant accountant = Accountant::Pld);

// The smallest delta in [0, 1] we can prove for a given epsilon >= 0 (+infinity allowed).
double spent_delta(const Ledger& ledger, double epsilon, Accountant accountant = Accountant::Pld);

// Poisson sampling of whole runs at `rate`, when nothing else reveals who was sampled (Balle, Barthe, Gaboardi 2018,
// Theorem 8): a mechanism that is (epsilon, delta)-DP becomes (ln(1 + rate (e^epsilon - 1)), rate delta)-DP.
double amplified_epsilon(const Ledger& ledger, double rate, double delta, Accountant accountant = Accountant::Pld);
double amplified_delta(const Ledger& ledger, double rate, double epsilon, Accountant accountant = Accountant::Pld);

}  // namespace graphveil::account
