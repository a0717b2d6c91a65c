// What every method is: options, a plan that can be priced without data, and a run that spends exactly the plan.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/account/ledger.h"
#include "graphveil/base/matrix.h"
#include "graphveil/base/random.h"
#include "graphveil/bound/relation.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/method/guarantee.h"
#include "graphveil/method/options.h"
#include "graphveil/nn/state.h"

namespace graphveil::method {

// What a plan may know: public under every relation.
struct PublicFacts {
  int64_t nodes = 0;
  int64_t train_nodes = 0;
  int64_t features = 0;
  int32_t classes = 0;

  bool operator==(const PublicFacts&) const = default;
};

// What a run is given.
struct Task {
  const graph::Dataset& data;
  const graph::Split& split;
  bound::Relation relation = bound::Relation::Node;
  Seed seed;  // for initial weights, batches and dropout; noise has its own, in the release
  // Who vouches that validation labels are public, so that they may pick the epoch; none: the last epoch is kept.
  std::optional<std::string> public_validation;
  // For methods that want a public graph: that graph without labels, and which of its nodes may be given some (train).
  const graph::Dataset* public_data = nullptr;
  const graph::Split* public_split = nullptr;
  // Do as the paper does, also where that has no proof. `release` was then opened with the plan of `published`, and the
  // certificate is never valid.
  bool as_published = false;
};

// What a run gives out.
struct Released {
  nn::State model;       // everything prediction needs, cached aggregations included
  Matrix probabilities;  // of every class for every node of the training graph, or of the public one where there is one
};

// The paper's own arithmetic, for --accounting published.
struct Published {
  double noise = 0;                  // the value of plan's knob at which the paper's formula gives the wanted epsilon
  std::vector<std::string> reasons;  // why that formula is no proof
  // What a run as published spends where plan(noise) does not say it: its noise, priced tightly as that of the nearest
  // mechanism that has a proof.
  std::optional<account::Ledger> plan = std::nullopt;
};

struct Description {
  std::string name;
  std::string level;     // "edge", "node", "none"
  std::string releases;  // one line: what it is and what it gives out
  std::string paper;     // where it comes from
};

// A method with its options. plan, run and infer may be called in any order and often; none changes the object.
class Method {
 public:
  virtual ~Method() = default;
  virtual Description describe() const = 0;

  // Declares the options, bound to this object's members.
  virtual void declare(Options& options) = 0;
  // The data in the form run and infer take it. Reads each record by itself, so it costs nothing under any relation.
  virtual graph::Dataset prepare(const graph::Dataset& data) const { return data; }
  // The settings of the paper, for --preset paper.
  virtual void use_paper_settings() = 0;

  // The relations it can protect, the default first. Empty: it gives no guarantee, and plan is never called.
  virtual std::vector<bound::Relation> relations() const = 0;
  virtual Covers covers() const = 0;
  // Whether a run needs a public graph beside the private one.
  virtual bool wants_public_graph() const { return false; }
  // What else a reader of the certificate should know about the guarantee.
  virtual std::vector<std::string> remarks(bound::Relation /*relation*/) const { return {}; }

  // What a run would release with this noise. Throws InvalidArgument for options that do not fit together.
  virtual account::Ledger plan(double noise, bound::Relation relation, const PublicFacts& facts) const = 0;
  // What the paper's own arithmetic asks for, where it has a formula of its own. Never a proof.
  virtual std::optional<Published> published(double /*epsilon*/, double /*delta*/, bound::Relation /*relation*/,
                                             const PublicFacts& /*facts*/) const {
    return std::nullopt;
  }
  // Trains. `release` was opened with plan(noise, ...), or is null for a method without relations.
  virtual Released run(const Task& task, double noise, mechanism::Release* release) const = 0;

  // What predicting on another graph releases about that graph.
  virtual account::Ledger inference_plan(double noise, bound::Relation relation) const = 0;
  // Class probabilities of every node of another graph. `release` was opened with inference_plan, or is null.
  virtual Matrix infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const = 0;
};

// The release, or an Internal error: a private method was run without one.
mechanism::Release& required(mechanism::Release* release);

// The task's public graph, or an Internal error: a method that wants one was run without.
struct PublicGraph {
  const graph::Dataset& data;
  const graph::Split& split;
};
PublicGraph required_public(const Task& task);

}  // namespace graphveil::method
