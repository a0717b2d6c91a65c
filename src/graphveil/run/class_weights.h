// How much each class counts in training (--class-weights), and what that releases.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graphveil/base/real.h"
#include "graphveil/graph/names.h"
#include "graphveil/mechanism/plan.h"
#include "graphveil/method/method.h"
#include "graphveil/run/experiment.h"

namespace graphveil::run {

// The weights that a text like "died=5,left=2" gives, one for each class, 1 for those that it does not name. Classes go
// by their names, or by number where there are none; `#2` is the class of that number, whatever its name. Throws
// InvalidArgument, naming what is there, for a class that is not or is there twice, a weight that is not in [1e-6,
// 1e6], or a text of another form.
std::vector<Real> given_weights(const std::string& text, int32_t classes, const graph::Names& names);

// The same with every class by its number: `#2=5`. For data whose class names nobody declared public, since options are
// published. `none` and `balanced` stay as they are. Throws as given_weights does.
std::string weights_by_number(const std::string& text, int32_t classes, const graph::Names& names);

// Such that every class weighs as much as any other: one over its count, times the mean count. Counts below `least`
// count as that.
std::vector<Real> balanced_weights(std::span<const double> counts, double least);

// Throws InvalidArgument for class weights that the method, its plan, the relation or the accounting has no proof or no
// use for. Reads no data.
void check_class_weights(const Prepared& prepared, const mechanism::Plan& plan);

// Throws as given_weights does for weights that do not go with the classes of the data, before anything is trained.
void check_given_weights(const Settings& settings, const graph::Dataset& data);

// Adds the line `class counts` to a method's plan where weights are balanced and labels are private: a twentieth of the
// budget.
//
// Guarantee: sums of the training nodes' one-hot labels, each less 1 / classes (bound/class_sums.h with rows of one
// entry, 1), behind Gaussian noise. Weights are post-processing of it; the number of training nodes is public.
void add_class_counts(const Prepared& prepared, mechanism::Plan& plan);
// Its two halves: the line beside a method's plan, and balanced weights of what that line gives out.
mechanism::PlanLine class_counts_line(const mechanism::Plan& plan, int32_t classes);
std::vector<Real> noisy_balanced_weights(const method::Task& task, mechanism::Release& release);

// Runs the method on `task` with the class weights that the settings ask for: those that were given, or balanced ones,
// of labels where those are public or nothing is promised, else of the line `class counts`, which this spends.
method::Output run_method(const Prepared& prepared, method::Task task, mechanism::Release& release);

}  // namespace graphveil::run
