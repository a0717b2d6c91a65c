#include "graphveil/attack/links.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/base/progress.h"
#include "graphveil/run/ask.h"
#include "graphveil/run/train.h"

namespace graphveil::attack {
namespace {

struct Pair {
  int32_t u, v;
  bool joined;
};

// A node as one finds it at the end of an edge: those with many edges more often, as among the joined pairs.
int32_t at_the_end_of_an_edge(const graph::Graph& graph, RandomStream& random) {
  return graph.out_lists().neighbors[static_cast<int64_t>(random.below(static_cast<uint64_t>(graph.edges())))];
}

// As many joined pairs as not, of one class where asked.
std::vector<Pair> random_pairs(const graph::Dataset& data, int64_t count, bool one_class, RandomStream& random) {
  const auto fits = [&](int32_t u, int32_t v) {
    return u != v && (!one_class || (data.labels[u] == data.labels[v] && data.labels[u] != graph::kUnlabeled));
  };
  std::vector<Pair> out;
  std::vector<int32_t> with_edges;
  for (int32_t u = 0; u < data.nodes(); ++u) {
    if (data.graph.out_degree(u) > 0) with_edges.push_back(u);
  }
  require(!with_edges.empty(), "the graph has no edges to steal");
  int64_t joined = 0, others = 0;
  for (int64_t tries = 0; tries < 200 * count && (joined < count || others < count); ++tries) {
    const int32_t u = with_edges[random.below(with_edges.size())];
    if (joined < count) {
      const auto list = data.graph.out(u);
      const int32_t v = list[random.below(list.size())];
      if (fits(u, v)) {
        out.push_back({u, v, true});
        ++joined;
      }
    }
    const int32_t w = at_the_end_of_an_edge(data.graph, random);
    if (others < count && fits(u, w) && !data.graph.has_edge(u, w) && !data.graph.has_edge(w, u)) {
      out.push_back({u, w, false});
      ++others;
    }
  }
  require(joined > 0 && others > 0, "the graph has too few {} pairs to attack", joined > 0 ? "unjoined" : "joined");
  return out;
}

template <typename Score>
Roc roc_of(const std::vector<Pair>& pairs, Score&& score) {
  std::vector<double> scores;
  std::vector<uint8_t> joined;
  for (const Pair& pair : pairs) {
    scores.push_back(score(pair));
    joined.push_back(pair.joined ? 1 : 0);
  }
  return roc(scores, joined);
}

// The same data with the features of `node` replaced by those of `other`.
graph::Dataset with_features_of(const graph::Dataset& data, int32_t node, int32_t other) {
  std::vector<int32_t> rows(static_cast<size_t>(data.nodes()));
  for (int32_t v = 0; v < data.nodes(); ++v) rows[static_cast<size_t>(v)] = v == node ? other : v;
  graph::Dataset out = data;
  out.features = data.features.rows_at(rows);
  return out;
}

// Asks a trained model about a graph.
class Asked {
 public:
  Asked(const run::Prepared& prepared, const graph::Split& split, const nn::State& model)
      : prepared_(prepared), split_(split), model_(model) {}
  Matrix operator()(const graph::Dataset& data, const Seed& seed) const {
    mechanism::Release door = run::asking_door(prepared_, seed.derived("noise"));
    return method::values(run::ask(prepared_, model_, {data, split_}, door, seed.derived("training"))).clone();
  }

 private:
  const run::Prepared& prepared_;
  const graph::Split& split_;
  const nn::State& model_;
};

Roc influence(const run::Experiment& experiment, const run::Parts& parts, const Asked& ask, int64_t sources,
              const Seed& seed, Progress& progress) {
  RandomStream random(seed, "sources");
  const Seed fixed = seed.derived("first question");
  const Matrix before = ask(parts.data, fixed);
  std::vector<double> scores;
  std::vector<uint8_t> joined;
  for (int64_t s = 0; s < sources; ++s) {
    const auto u = static_cast<int32_t>(random.below(static_cast<uint64_t>(parts.data.nodes())));
    const auto other = static_cast<int32_t>(random.below(static_cast<uint64_t>(parts.data.nodes())));
    progress.advance();
    if (u == other || parts.data.graph.out_degree(u) == 0) continue;
    // Without noise every answer is the same; with noise each has its own.
    const Matrix after =
        ask(with_features_of(parts.data, u, other),
            experiment.method().relations().empty() ? fixed : seed.derived(fmt::format("question {}", s)));
    const auto add = [&](int32_t v, bool is_joined) {
      double moved = 0;
      for (int64_t k = 0; k < before.cols(); ++k) moved += std::pow(after(v, k) - before(v, k), 2);
      scores.push_back(std::sqrt(moved));
      joined.push_back(is_joined ? 1 : 0);
    };
    const auto list = parts.data.graph.out(u);
    for (const int32_t v : list) add(v, true);
    for (size_t i = 0; i < list.size(); ++i) {
      const int32_t v = at_the_end_of_an_edge(parts.data.graph, random);
      if (v != u && !parts.data.graph.has_edge(u, v)) add(v, false);
    }
  }
  return roc(scores, joined);
}

}  // namespace

double correlation(std::span<const Real> a, std::span<const Real> b) {
  double mean_a = 0, mean_b = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    mean_a += a[k] / static_cast<double>(a.size());
    mean_b += b[k] / static_cast<double>(a.size());
  }
  double ab = 0, aa = 0, bb = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    ab += (a[k] - mean_a) * (b[k] - mean_b);
    aa += (a[k] - mean_a) * (a[k] - mean_a);
    bb += (b[k] - mean_b) * (b[k] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

LinkResult link_attack(const run::Experiment& experiment, const graph::Dataset& data, const LinkOptions& options) {
  require(!experiment.method().wants_public_graph(),
          "{} gives out predictions about a public graph: there are no private links in them",
          experiment.method().describe().name);
  require(options.pairs >= 1 && options.sources >= 1 && options.repeats >= 1, "{} pairs, {} sources, {} repeats",
          options.pairs, options.sources, options.repeats);
  const run::InputData input{data, std::nullopt};
  std::vector<Roc> similarity, within, moved;
  std::optional<run::Prepared> prepared;
  Progress progress("link attacks", options.repeats * options.sources);
  for (int64_t r = 0; r < options.repeats; ++r) {
    const Seed seed = options.seed.derived(fmt::format("repeat {}", r));
    const run::Parts parts = run::make_parts(experiment, input, seed.derived("split"));
    if (!prepared) {
      prepared = run::prepare(experiment, run::chosen_relation(experiment, data.graph.symmetric()),
                              run::public_facts(parts, input));
    }
    const run::Trained trained = run::train_once(*prepared, parts, seed);
    const Matrix& given = method::values(trained.output.predictions);
    const auto alike = [&](const Pair& pair) { return correlation(given.row(pair.u), given.row(pair.v)); };
    RandomStream random(seed, "pairs");
    similarity.push_back(roc_of(random_pairs(parts.data, options.pairs, false, random), alike));
    within.push_back(roc_of(random_pairs(parts.data, options.pairs, true, random), alike));
    const Asked ask(*prepared, parts.split, trained.output.model.value());
    moved.push_back(influence(experiment, parts, ask, options.sources, seed, progress));
  }
  return {summarize(std::move(similarity)), summarize(std::move(moved)), summarize(std::move(within))};
}

}  // namespace graphveil::attack
