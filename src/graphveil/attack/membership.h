// Node membership inference with shadow models (Shokri et al. 2017; on graphs: Olatunji, Nejdl and Khosla 2021).
#pragma once

#include <optional>

#include "graphveil/attack/roc.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/run/experiment.h"

namespace graphveil::attack {

struct MembershipOptions {
  int64_t shadow_per_class = 1000;  // nodes of the adversary's own graph; at most half of a class
  // Attack as GAP's authors do (Sajadmanesh et al. 2023): one model is trained, and no other. Of shadow_per_class nodes
  // of every class that has as many, two fifths train it on the whole graph and two fifths do not; the attack is told
  // of 6 in 10 of both who is a member, picks its epoch by 1 in 10, and is judged on the rest. It is easier than with a
  // shadow: the model that it learns from is the one that it attacks.
  bool one_model = false;
  int64_t repeats = 5;
  Seed seed = Seed::from_number(0);
};

struct MembershipResult {
  RocSummary members;  // who trained the model; of a public/private method: who is a private record
  // The attack on a public/private method asks which public nodes were in the pool that teachers may have labeled. They
  // stand for the private records by proxy (Olatunji, Funke and Khosla 2023).
  std::optional<RocSummary> labeled;
  int64_t target_nodes = 0, shadow_nodes = 0;
  // How much better the target does on members than on others: what there is to find.
  nn::MeanInterval member_accuracy, other_accuracy;
};

// The adversary has a graph of his own from the same source, trains the same method on half of its nodes, and learns
// with an MLP of three layers of 64 how posteriors of members differ from those of others; he then asks the target
// about nodes whose records he holds. Throws InvalidArgument when the graph is too small, and for one_model with a
// method that wants a public graph.
MembershipResult membership_attack(const run::Experiment& experiment, const graph::Dataset& data,
                                   const MembershipOptions& options);

}  // namespace graphveil::attack
