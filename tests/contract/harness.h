// The neighbor harness: records a run on a graph, replays it on a neighbor, and says what differs that should not.
//
// Replayed, a run is given the same releases whatever it reads, so everything that may be published must come out the
// same to the bit; and the values before the noise, which only this harness sees, may differ by their stated
// sensitivity.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/method/method.h"
#include "tests/contract/graphs.h"
#include "tests/mechanism/access.h"

namespace graphveil::contract {

struct HarnessOptions {
  double noise = 2;
  int64_t protect_degree = 100;
  uint64_t seed = 1;
  bool inference = true;  // whether to infer too
};

// By label of a line: the largest part of its bound by which a neighbor moved it.
using Shares = std::map<std::string, double>;

// A run and an inference with noise, and all that went in and came out.
//
// against() replays both on the other of two neighbors, of which this one may be either, and returns what is wrong, in
// words; empty: nothing. Checked are
//   (a) the un-noised value of every release differs by at most its stated sensitivity; under node, for a node of more
//       than the protected degree, by as much more as the law says of its kind of line; a sum over neighbors under node
//       outside of the node's own row; a sampled sum by at most (deletions + insertions) of it;
//   (b) given the same releases, public outputs and the owner outputs of everybody but the node are the same to the bit
//       (for neighbors under the relation that the method states for its predictions);
//   (c) the lines spent are the plan, on both graphs;
//   (d) no two releases share their noise;
//   (e) a line that samples is moved in no more of its uses than its rate allows, but for a chance of 1e-9.
class Recorded {
 public:
  // `method` must outlive it.
  Recorded(const method::Method& method, bound::Relation relation, const graph::Dataset& data,
           const graph::Split& split, const HarnessOptions& options = {});
  // What is wrong with this run alone: (c) and (d).
  const std::vector<std::string>& own_findings() const { return own_findings_; }
  std::vector<std::string> against(const Neighbors& neighbors, const graph::Dataset& other,
                                   Shares* shares = nullptr) const;
  // What goes into the releases of a training on other data that is given what this one was.
  std::vector<mechanism::Seen> replayed_values(const graph::Dataset& other) const;
  // Whether training and inference on other data, given what this one was, come to the same to the bit: values that go
  // into releases, the model and all predictions but those for the holder.
  bool same_on(const graph::Dataset& other) const;

  const mechanism::Plan& plan() const { return plan_; }
  const std::vector<mechanism::Seen>& values() const { return training_.watcher.seen; }
  const mechanism::Recording& outputs() const { return training_.recording; }
  const method::Output& output() const { return *output_; }
  double grid(const std::string& label) const { return grids_.at(label); }

 private:
  struct Part {
    mechanism::Recording recording;
    mechanism::Watcher watcher;
  };
  struct Replay {
    std::vector<mechanism::Seen> training, inference;
    method::Output output;
    method::Predictions predictions;
    std::vector<std::string> findings;
  };
  Replay replay(const graph::Dataset& other) const;
  void compare_values(const std::vector<mechanism::Seen>& a, const std::vector<mechanism::Seen>& b,
                      const mechanism::Plan& plan, const Neighbors& neighbors, std::vector<std::string>& out,
                      Shares* shares) const;
  void compare_predictions(const Neighbors& neighbors, const method::Predictions& a, const method::Predictions& b,
                           const char* when, std::vector<std::string>& out) const;

  const method::Method& method_;
  bound::Relation relation_;
  graph::Split split_;
  HarnessOptions options_;
  mechanism::Plan plan_, inference_plan_;
  Part training_, inference_;
  std::optional<method::Output> output_;
  std::optional<method::Predictions> predictions_;
  std::map<std::string, double> grids_;
  std::vector<std::string> own_findings_;
};

// A run on `present` against `other`.
std::vector<std::string> findings(const method::Method& method, bound::Relation relation, const Neighbors& neighbors,
                                  const HarnessOptions& options = {}, Shares* shares = nullptr);

// One release of numbers by a run on `present`.
struct Answer {
  std::string label;
  std::vector<double> output;  // what came out
  std::vector<double> value;   // what went in
  std::vector<double> other;   // what would have gone in on `other`, after the same releases
  double grid = 0;             // of the plan's line; a sum of gradients brings its own
  bool gradient = false;
};
// All that a run releases as numbers, in order.
std::vector<Answer> answers(const method::Method& method, bound::Relation relation, const Neighbors& neighbors,
                            const HarnessOptions& options = {});

// What a release gave out and what went in: for (d) between runs.
struct Noise {
  std::string label;
  std::vector<double> values;
};
// The noise of an inference with this seed, release by release.
std::vector<Noise> inference_noise(const method::Method& method, bound::Relation relation, const SmallGraph& graph,
                                   const nn::State& model, const Seed& seed, const HarnessOptions& options = {});
// Which of them are equal.
std::vector<std::string> shared_noise(const std::vector<Noise>& noise);

// The chance that at least so many of n independent events of this probability happen.
double binomial_upper_tail(int64_t happened, int64_t n, double probability);

}  // namespace graphveil::contract
