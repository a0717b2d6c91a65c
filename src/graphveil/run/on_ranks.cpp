#include "graphveil/run/on_ranks.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/artifact/plan_json.h"
#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/graph/own_rows.h"
#include "graphveil/graph/partition.h"
#include "graphveil/nn/batches.h"

namespace graphveil::run {
namespace {

double rate_of(const account::Sampling& sampling) {
  struct Visitor {
    double operator()(const account::NoSampling&) const { return 1; }
    double operator()(const account::Poisson& s) const { return s.rate; }
    double operator()(const account::PoissonGroup& s) const { return s.rate; }
  };
  return std::visit(Visitor{}, sampling);
}

// What to leave out, or do instead, of a run that stays on one machine.
[[noreturn]] void one_machine(const Experiment& experiment, const std::string& why) {
  fail(ErrorKind::Unsupported, "{} runs on one machine: it {}. Leave mpirun out", experiment.method().describe().name,
       why);
}

template <typename T>
std::string digest_of(std::span<const T> values, int64_t begin, int64_t end) {
  const auto part = values.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  return sha256_hex({reinterpret_cast<const uint8_t*>(part.data()), part.size_bytes()});
}

// Of what these rows have besides labels and degrees.
std::string digest_of_rows(const graph::Dataset& data, int64_t begin, int64_t end) {
  const auto at = [](std::span<const int64_t> offsets, int64_t row) { return offsets[static_cast<size_t>(row)]; };
  const graph::Adjacency& in = data.graph.in_lists();
  std::string text = digest_of(in.neighbors.span(), at(in.offsets, begin), at(in.offsets, end));
  if (!data.features.is_sparse()) {
    const int64_t cols = data.features.cols();
    return text + digest_of(data.features.dense_values().span(), begin * cols, end * cols);
  }
  const SparseMatrix& m = data.features.sparse();
  const int64_t first = at(m.offsets, begin), last = at(m.offsets, end);
  text += digest_of(m.indices.span(), first, last);
  return m.values.empty() ? text : text + digest_of(m.values.span(), first, last);
}

// Each rank reads its rows from a file that may be a copy of its own: rank 0 looks whether it has the same there. All
// of them hear who differs.
void check_same_rows(Ranks& ranks, const graph::Dataset& data, const std::vector<int64_t>& cuts) {
  const auto digest = [&](int64_t rank) {
    return digest_of_rows(data, cuts[static_cast<size_t>(rank)], cuts[static_cast<size_t>(rank) + 1]);
  };
  const std::string mine = digest(ranks.rank());
  const std::vector<std::vector<std::byte>> told = all_gather(ranks, std::as_bytes(std::span(mine)));
  int64_t other = 0;
  for (int64_t r = 1; r < ranks.size() && ranks.first() && other == 0; ++r) {
    const std::string expected = digest(r);
    if (!std::ranges::equal(told[static_cast<size_t>(r)], std::as_bytes(std::span(expected)))) other = r;
  }
  const std::vector<std::byte> verdict = broadcast(ranks, std::as_bytes(std::span(&other, 1)));
  std::memcpy(&other, verdict.data(), std::min(verdict.size(), sizeof other));
  if (other != 0) {
    fail(ErrorKind::BadInput, "rank {} has other data in {} than rank 0; nothing was done", other, data.name);
  }
}

Matrix gathered(Ranks& ranks, const graph::Partition& part, const Matrix& own) {
  Matrix all = ranks.first() ? Matrix::uninitialized(part.nodes, own.cols()) : Matrix();
  gather_first(ranks, std::as_bytes(own.values()), std::as_writable_bytes(all.values()));
  return all;
}

}  // namespace

void check_on_ranks(const Experiment& experiment) {
  const Settings& settings = experiment.settings();
  // Without edges of its own a method has the same first relation on every graph.
  constexpr bool kSymmetric = true;
  const bound::Relation relation = chosen_relation(experiment, kSymmetric);
  if (const std::string why = experiment.method().one_machine(relation); !why.empty()) one_machine(experiment, why);
  if (settings.tune) one_machine(experiment, "searches with --tune");
  if (settings.repeats > 1) one_machine(experiment, "is repeated with --repeats");
  if (settings.propagate > 0) one_machine(experiment, "passes predictions on with --propagate");
  if (settings.class_weights == "balanced") one_machine(experiment, "counts classes with --class-weights balanced");
}

void agree_on(const Prepared& prepared) {
  Ranks* const ranks = current_ranks();
  if (ranks == nullptr) return;
  const std::string settled =
      fmt::format("{}\n{}\n{:a} {:a} {}", config_text(*prepared.experiment), artifact::to_json(prepared.plan).dump(),
                  prepared.cap, prepared.delta, prepared.is_private());
  agree(*ranks, sha256_text(settled), "other options (in what --config names, or in the run asked), or another plan,");
}

Seed shared_seed(const Seed& own) {
  Ranks* const ranks = current_ranks();
  if (ranks == nullptr) return own;
  std::array<uint8_t, 33> told{};
  std::ranges::copy(own.bytes(), told.begin());
  told.back() = own.reproducible();
  const std::vector<std::byte> first = broadcast(*ranks, std::as_bytes(std::span(told)));
  if (first.size() != told.size()) fail(ErrorKind::Internal, "rank 0 told a seed of {} bytes", first.size());
  std::memcpy(told.data(), first.data(), told.size());
  std::array<uint8_t, 32> bytes{};
  std::copy_n(told.begin(), bytes.size(), bytes.begin());
  return Seed::from_bytes(bytes, told.back() != 0);
}

int64_t places_per_cut(const Prepared& prepared, int64_t train_nodes) {
  int64_t places = prepared.experiment->method().places_per_cut(prepared.setting.relation, train_nodes);
  for (const mechanism::PlanLine& line : prepared.plan.lines()) {
    if (!std::holds_alternative<bound::source::Gradients>(line.source())) continue;
    const double rate = rate_of(mechanism::mechanism_of(line.event).sampling);
    // Several trainings: where blocks of all of them begin. Beyond all training nodes there is no such place.
    places = std::min(std::lcm(places, nn::places_per_block(rate, train_nodes)), std::max<int64_t>(train_nodes, 1));
    if (places == train_nodes) break;
  }
  return places;
}

OwnPart own_part(Ranks& ranks, const method::Method& method, const graph::Dataset& whole, const graph::Split& split,
                 int64_t places) {
  std::string nodes;
  for (const auto& part : {split.train, split.val, split.test})
    nodes += digest_of(std::span(part), 0, std::ssize(part));
  agree(ranks, nodes, "other nodes to train, validate or test on");
  const std::vector<int64_t> cuts = graph::cut_rows(whole.graph.in_lists().offsets, split.train, places, ranks.size());
  require(std::ranges::adjacent_find(cuts, std::greater_equal<>()) == cuts.end(),
          "rows are cut where blocks of {} training nodes end, which leaves one of {} ranks without any: use fewer",
          places, ranks.size());
  if (!whole.held) check_same_rows(ranks, whole, cuts);  // parts were checked as a whole (artifact::check_parts)
  const int64_t begin = cuts[static_cast<size_t>(ranks.rank())], end = cuts[static_cast<size_t>(ranks.rank()) + 1];
  return {method.prepare(graph::own_rows(ranks, whole, cuts)),
          {graph::own_nodes(split.train, begin, end), graph::own_nodes(split.val, begin, end),
           graph::own_nodes(split.test, begin, end)}};
}

void bring_together(Ranks& ranks, const graph::Partition& part, method::Predictions& predictions) {
  struct Visitor {
    Ranks& ranks;
    const graph::Partition& part;
    method::Predictions operator()(const mechanism::Public<Matrix>& p) const {
      return mechanism::from_public([this](const Matrix& own) { return gathered(ranks, part, own); }, p);
    }
    method::Predictions operator()(const mechanism::Owner<Matrix>& p) const {
      return mechanism::Owner<Matrix>(gathered(ranks, part, p.rows()));
    }
    method::Predictions operator()(const mechanism::Holder<Matrix>& p) const {
      return mechanism::Holder<Matrix>(gathered(ranks, part, p.private_value()));
    }
  };
  predictions = std::visit(Visitor{ranks, part}, std::as_const(predictions));
}

void bring_together(Ranks& ranks, const graph::Partition& part, method::Output& output) {
  bring_together(ranks, part, output.predictions);
  nn::State all;
  for (const auto& [name, tensor] : output.sums.private_value()) {
    if (tensor.shape.empty() || tensor.shape.front() != part.own()) {
      fail(ErrorKind::Internal, "'{}' is no row for each node", name);
    }
    nn::Tensor& whole = all[name];
    whole.type = tensor.type;
    whole.shape = tensor.shape;
    whole.shape.front() = part.nodes;
    if (ranks.first()) whole.bytes.resize(static_cast<size_t>(whole.elements() * nn::size_of(whole.type)));
    gather_first(ranks, std::as_bytes(std::span(tensor.bytes)), std::as_writable_bytes(std::span(whole.bytes)));
  }
  output.sums = mechanism::Holder<nn::State>(std::move(all));
}

}  // namespace graphveil::run
