#include "graphveil/attack/member_model.h"

#include <algorithm>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/graph/public_private.h"
#include "graphveil/graph/subgraph.h"
#include "graphveil/run/ask.h"
#include "graphveil/run/train_once.h"

namespace graphveil::attack {

MemberModels::MemberModels(const run::Experiment& experiment, const Candidates& candidates, int64_t members)
    : experiment_(experiment), candidates_(candidates) {
  const method::Method& method = experiment.method();
  require(members >= 1, "an attack wants members");
  require(method.wants_public_graph() == candidates.public_data.has_value(), "{} {} a public graph",
          method.describe().name, method.wants_public_graph() ? "wants" : "takes no");
  people_ = method.prepare(candidates.people);
  method::PublicFacts facts{members, members, candidates.people.features.cols(), candidates.people.classes, 0};
  if (candidates.public_data) {
    graph::Dataset prepared = method.prepare(*candidates.public_data);
    public_graph_ = method.reads_public_labels() ? std::move(prepared) : graph::without_labels(prepared);
    // The first half of the public nodes may be given labels; the others are asked about.
    for (int32_t v = 0; v < public_graph_->nodes() / 2; ++v) pool_.push_back(v);
    facts.public_pool = static_cast<int64_t>(pool_.size());
    public_arrays_ = run::read_public_arrays(method);
  }
  prepared_ = run::prepare(experiment, run::chosen_relation(experiment, candidates.people.graph.symmetric()), facts);
}

MemberModel MemberModels::train(const std::vector<int32_t>& members, const Seed& seed) const {
  const method::Method& method = experiment_.method();
  run::Parts parts;
  parts.data = method.prepare(graph::induced_subgraph(candidates_.people, members));
  parts.split = run::labeled_nodes(parts.data);
  parts.public_graph = public_graph_;
  parts.public_arrays = public_arrays_;
  parts.evaluated = public_graph_ ? *public_graph_ : parts.data;
  if (public_graph_) parts.evaluated_split.train = pool_;
  const run::Trained trained = run::train_once(prepared_, parts, seed);

  const Seed asking = seed.derived("asking");
  mechanism::Release door = run::asking_door(prepared_, asking);
  const graph::Split everybody = run::labeled_nodes(people_);
  MemberModel out;
  out.people =
      method::values(run::ask(prepared_, trained.output.model.value(), {people_, everybody, &parts}, door, asking))
          .clone();
  if (public_graph_) {
    out.public_nodes = method::values(trained.output.predictions).clone();
    out.pool = pool_;
  }
  return out;
}

std::vector<int32_t> candidates_of(const graph::Dataset& people, std::optional<int64_t> shots, int64_t others) {
  std::vector<int32_t> out;
  std::vector<int64_t> taken(static_cast<size_t>(people.classes), 0);
  for (int32_t v = 0; v < people.nodes(); ++v) {
    const int32_t y = people.labels[v];
    if (y == graph::kUnlabeled) continue;
    if (shots && taken[static_cast<size_t>(y)]++ >= (1 + others) * *shots) continue;
    out.push_back(v);
  }
  return out;
}

std::vector<int32_t> random_members(const graph::Dataset& people, const std::vector<int32_t>& candidates,
                                    std::optional<int64_t> shots, const Seed& seed) {
  std::vector<int32_t> order = candidates, out;
  RandomStream random(seed, "members");
  random.shuffle(std::span(order));
  if (!shots) {
    out.assign(order.begin(), order.begin() + std::ssize(order) / 2);
  } else {
    std::vector<int64_t> taken(static_cast<size_t>(people.classes), 0);
    for (const int32_t v : order) {
      if (taken[static_cast<size_t>(people.labels[v])]++ < *shots) out.push_back(v);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace graphveil::attack
