// Learning rates that change with the step, and stopping early on public data.
#pragma once

#include <cstdint>
#include <string>

#include "graphveil/base/matrix.h"
#include "graphveil/nn/parameters.h"

namespace graphveil::nn {

enum class Decay {
  Constant,
  Step,    // times `factor` every `every` steps
  Cosine,  // half a cosine from 1 down to `factor` over `total` steps
  Linear,  // a line from 1 down to `factor` over `total` steps
};

struct Schedule {
  double learning_rate = 0.01;
  Decay decay = Decay::Constant;
  double factor = 0.1;
  int64_t every = 100;
  int64_t total = 100;
  int64_t warmup = 0;  // steps over which the rate first rises linearly from learning_rate / warmup
};

// The rate of step 0, 1, 2, ... Throws InvalidArgument for a schedule out of range.
double learning_rate(const Schedule& schedule, int64_t step);

// Somebody's word that some data is public, in their words: it becomes an assumption of the certificate.
class PublicData {
 public:
  // Throws InvalidArgument for an empty declaration.
  explicit PublicData(std::string declaration);
  const std::string& declaration() const { return declaration_; }

 private:
  std::string declaration_;
};

// Keeps the parameters with the best score and says when to stop. The score decides what is released, so it may
// be computed from public data only: there is no way to make one without a declaration of what that is.
class EarlyStopping {
 public:
  // Stops after `patience` scores in a row without a better one.
  EarlyStopping(PublicData data, int64_t patience);

  // Higher is better. Returns whether to stop.
  bool observe(double public_score, const Parameters& parameters);
  // Puts the best parameters back; nothing when none were seen.
  void restore(Parameters& parameters) const;
  double best_score() const { return best_score_; }
  const PublicData& data() const { return data_; }

 private:
  PublicData data_;
  int64_t patience_;
  int64_t since_best_ = 0;
  double best_score_ = 0;
  Matrix best_;
};

}  // namespace graphveil::nn
