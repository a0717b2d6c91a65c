// Certificates in plain words.
#pragma once

#include <optional>
#include <string>

#include "graphveil/artifact/certificate.h"

namespace graphveil::artifact {

// The guarantee in a few lines: who is protected against what, what may leave, what was assumed. Claims nothing for a
// certificate that is not valid. Of a run that was not `kept` nothing is there that may leave.
std::string in_words(const Certificate& certificate, bool kept = true);

// What epsilon and delta mean for one guess between two even chances: TPR <= e^eps FPR + delta and the same for the
// other answer bound the chance of a right guess by (e^eps + delta) / (1 + e^eps). The chance as "73.11%", never below
// it, and a sentence about it.
std::string sureness_text(double epsilon, double delta);
std::string plain_reading(double epsilon, double delta);

// One sentence on what a relation does not protect on this graph; empty where there is nothing to say.
std::string caveat(bound::Relation relation, bool symmetric);

// Four digits, never below the number: "4.2", "0.003471"; or "no finite number".
std::string epsilon_text(const std::optional<double>& epsilon, int digits = 4);

}  // namespace graphveil::artifact
