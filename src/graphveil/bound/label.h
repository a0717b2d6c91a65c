// A label, or the probabilities of labels, that one record may change to any other.
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/bound/bounded.h"

namespace graphveil::bound {

// Probabilities of labels: entries of at least 0 whose sum is at most 1.
struct Posterior {
  std::vector<double> probabilities;
};

// What a teacher trained on records says, as a label in [0, classes).
//
// Guarantee: one record may change it to any other label (Hamming sensitivity 1); with Poisson sampling of the records
// that the teacher saw, as `sampling` says. Throws InvalidArgument for a label out of range.
Bounded<int32_t> teacher_label(int32_t label, int32_t classes, Relation relation,
                               account::Sampling sampling = account::NoSampling{});

// The bound of such labels for a plan's line, of as many labels as its event counts. It is that of vote_winners
// (votes.h) too.
Bound teacher_labels_bound(source::TeacherReads teachers);

// What a teacher says as probabilities, which one record may change to any others. Throws InvalidArgument unless they
// are some: on logits or log-probabilities nothing bounds what one record does.
Bounded<Posterior> teacher_posterior(std::vector<double> probabilities, Relation relation,
                                     account::Sampling sampling = account::NoSampling{});

}  // namespace graphveil::bound
