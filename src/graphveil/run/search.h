// What --tune means before any data is read: which options are searched, and what that adds to the plan.
#pragma once

#include <string>
#include <vector>

#include "graphveil/mechanism/release.h"
#include "graphveil/method/method.h"
#include "graphveil/run/experiment.h"

namespace graphveil::run {

// The options that are searched under a relation: those that --tune-over names, or all that the method offers and
// nobody set; with --accounting published, and where nothing is promised, also what it offers unpaid. Throws
// InvalidArgument for names that the method does not offer, and when none is left.
std::vector<method::Tunable> searched(const Experiment& experiment, bound::Relation relation);
// Their names, as --tune-over takes them.
std::string searched_names(const Experiment& experiment, bound::Relation relation);

// Whether a search is charged: at node level every setting reads private records anew. As published it never is, which
// is one more reason why such a certificate is not valid.
bool charged(const Prepared& prepared);
// Throws InvalidArgument for a search that has no proof or nothing to choose.
void check_search(const Prepared& prepared);

// What a run of this noise releases: the method's plan; with a charged search the line `score` besides, a tenth of each
// trial's budget, and the whole as the best of a random number of trials.
//
// Guarantee: Papernot and Steinke, "Hyperparameter tuning with Renyi differential privacy", 2022 (account/tuned.h).
// Each trial draws its setting from a public list and its noise anew; the number of trials is drawn in secret, and only
// the best trial leaves. With --public-labels val the score is free where no line reads an edge: then a prediction
// about a validation node reads nothing private but the released parameters.
mechanism::Plan planned(const Prepared& prepared, double noise);

// Whether a plan has that line.
bool has_score(const mechanism::Plan& plan);
// Right predictions among the validation nodes, through the line `score`. `output` is what the method gave out: scores
// that were propagated over the graph afterwards have no bound.
double released_score(const method::Output& output, const method::Task& task, mechanism::Release& release);

// What the certificate says of the search.
std::string search_remark(const Prepared& prepared);

}  // namespace graphveil::run
