// Teachers: classifiers of private records that answer for public nodes. What they say is private until a mechanism has
// made it noisy.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"
#include "graphveil/base/options.h"
#include "graphveil/base/random.h"
#include "graphveil/bound/source.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/learn/public_embedding.h"
#include "graphveil/learn/student.h"

namespace graphveil::learn {

enum class TeacherKind {
  Ridge,  // ridge regression on the labels, in a public embedding; reads no private edge
  Sage,   // GraphSAGE on the induced subgraph of the records; the query is seen with its public neighborhood
  Mlp,    // the same network without edges
};

// What such a teacher reads, for the lines of plans.
bound::source::TeacherReads teacher_reads(TeacherKind kind);

struct TeacherOptions {
  TeacherKind kind = TeacherKind::Ridge;
  double ridge = 0.3;
  StudentArchitecture network = {};  // of sage and mlp
  int64_t epochs = 200;
  double learning_rate = 0.01;

  // The options have names that start with "teacher".
  void declare(Options& options);
};

// All that teachers are made from. Answers may be asked for by several threads at once.
//
// Guarantee: posteriors(records, ...) reads of the private data the labels and features of `records` and the edges that
// join two of them, and nothing else: blanking another record leaves its answer the same to the bit. A record without
// a label is left out, so it is as if it were not among them.
class Teachers {
 public:
  // The arguments must outlive it; the embedding is that of the public graph.
  Teachers(const graph::Dataset& private_data, const mechanism::Public<graph::Dataset>& public_data,
           const PublicEmbedding& embedding, const TeacherOptions& options);

  // Class probabilities (queries x classes) that a fresh teacher of these records, rising, gives for public nodes. Its
  // initial weights and dropout come from `seed`. With one
  // record: its label. Without any: a class drawn from `seed` for each query.
  Matrix posteriors(std::span<const int32_t> records, std::span<const int32_t> queries, const Seed& seed) const;

 private:
  Matrix by_ridge(std::span<const int32_t> records, std::span<const int32_t> queries) const;
  Matrix by_network(std::span<const int32_t> records, std::span<const int32_t> queries, const Seed& seed) const;

  const graph::Dataset& private_data_;
  const graph::Dataset& public_data_;
  const PublicEmbedding& embedding_;
  TeacherOptions options_;
  Matrix rows_;  // ridge: private records in the public embedding, each by its own features
};

}  // namespace graphveil::learn
