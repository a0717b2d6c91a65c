// A training or a prediction of which several processes have a part each (base/ranks.h): what is told to all, cut into
// rows, and brought together again.
#pragma once

#include <string>

#include "graphveil/base/random.h"
#include "graphveil/base/ranks.h"
#include "graphveil/mechanism/plan.h"
#include "graphveil/method/method.h"
#include "graphveil/run/experiment.h"
#include "graphveil/run/parts.h"

namespace graphveil::run {

// Throws Unsupported, saying why, where ranks cannot share out a run of this experiment. Reads no data.
void check_on_ranks(const Experiment& experiment);

// Throws BadInput, before anybody draws noise, unless all ranks are about to do the same: the options as they were
// settled (the words of a command may name files that differ), and the plan that was priced.
void agree_on(const Prepared& prepared);

// The seed of rank 0; where there are no ranks, this one.
Seed shared_seed(const Seed& own);

// Between how many training nodes ranks may be cut, so that no block of a private training lies on two, and as the
// method's other trainings like it.
int64_t places_per_cut(const Prepared& prepared, int64_t train_nodes);

// This rank's rows of a data set that all ranks can read, as the method wants them, with their part of the split: about
// as many edges as any other rank has. Throws InvalidArgument where a rank would have no row, BadInput where a rank has
// other rows there than rank 0.
//
// Guarantee: none of its own. A run on parts releases what the run on the whole releases, bit for bit: messages are
// rounded where their node is and then summed in whole numbers, blocks of gradients are whole on one rank and their
// sums are added without error, trainings without noise add up in the order of rows whoever has them, and every row's
// noise is named by its place in the whole; what is one for all is drawn by all alike, from one seed.
struct OwnPart {
  graph::Dataset data;
  graph::Split split;
};
OwnPart own_part(Ranks& ranks, const method::Method& method, const graph::Dataset& whole, const graph::Split& split,
                 int64_t places);

// Rank 0's output is then about all nodes; the others keep theirs.
void bring_together(Ranks& ranks, const graph::Partition& part, method::Predictions& predictions);
void bring_together(Ranks& ranks, const graph::Partition& part, method::Output& output);

}  // namespace graphveil::run
