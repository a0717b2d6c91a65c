// What differential privacy allows an attack to find out.
#pragma once

namespace graphveil::attack {

// The largest true-positive rate of any test that tells two neighbors apart with this false-positive rate: beyond
// f(a) = max(0, 1 - delta - e^epsilon a, e^-epsilon (1 - delta - a)) no test's miss rate can fall (Kairouz, Oh and
// Viswanath 2015). It is concave, so that it also bounds rates that are averaged over many targets.
double allowed_tpr(double fpr, double epsilon, double delta);

// The area below that curve: the largest AUC.
double allowed_auc(double epsilon, double delta);

}  // namespace graphveil::attack
