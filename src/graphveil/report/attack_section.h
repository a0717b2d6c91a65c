// What a report shows of the files that `attack --out` and `audit --out` write.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace graphveil::report {

// The largest true-positive rate that (epsilon, delta) allows at a false-positive rate, of somebody who must tell one
// protected thing there from the same thing absent: min(1, e^eps FPR + delta, 1 - e^-eps (1 - delta - FPR)).
double allowed_true_positives(double false_positives, double epsilon, double delta);
// The area under that curve.
double allowed_area(double epsilon, double delta);

// Curves over the repeats, at rates that are dense where few are accused, with what (epsilon, delta) allows where the
// guarantee is about what the attack asks. `what` names the file in errors. Throws BadInput, naming the field.
nlohmann::ordered_json attack_section(const nlohmann::json& document, const std::string& what);

// Claims with their lower bounds. Throws BadInput, naming the field.
nlohmann::ordered_json audit_section(const nlohmann::json& document, const std::string& what);

}  // namespace graphveil::report
