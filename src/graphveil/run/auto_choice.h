// `train auto`: which method and which settings, from public facts alone. docs/methods/auto.md gives the reasons.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graphveil/base/options.h"
#include "graphveil/method/method.h"
#include "graphveil/run/parts.h"

namespace graphveil::run {

// What the user tells beyond the public facts. Nothing here is read off the data.
struct AutoWishes {
  bool predictions = true;            // whether predictions must be covered, not the parameters alone
  std::optional<double> mean_degree;  // declared: the true one is private

  void declare(Options& options);
};

struct AutoChoice {
  std::string method;
  std::vector<std::pair<std::string, std::string>> options;  // name, value; of the method and of train
  std::string why;
};

// An experiment that was chosen, and why.
struct AutoExperiment {
  std::unique_ptr<Experiment> experiment;
  AutoChoice choice;
  std::string lacking;  // as lacking_facts
};

// The facts that the choice would be better with, in a sentence for somebody who is new to them; empty: none is
// missing.
std::string lacking_facts(const AutoWishes& wishes, bound::Relation relation, int64_t protect_degree);

// `lap` has the settings that were given, --epsilon and --predictions among them: it is planned, from public numbers
// alone, to see what its noise leaves of the contacts. Throws as prepare() does.
AutoChoice choose_method(const AutoWishes& wishes, const Experiment& lap, bound::Relation relation,
                         const method::PublicFacts& facts);

// The chosen method with its options set. `given` are the settings that the user gave, by the names that every method
// has. From there on it is a run of that method, and its config file says so.
AutoExperiment choose_experiment(const AutoWishes& wishes, const Options& given, const InputData& input);

}  // namespace graphveil::run
