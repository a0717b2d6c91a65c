#include "graphveil/method/lap/training_nodes.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace graphveil::method {
namespace {

// Cut so that every fold's fit, which has all but one of kFolds nodes in a row, is cut where ranks add up on their own.
std::vector<int64_t> stretches(int64_t count, int ranks) {
  const int64_t unit = TrainingNodes::kFolds * fit_places_per_cut(count);
  std::vector<int64_t> cuts;
  for (int64_t r = 0; r < ranks; ++r) cuts.push_back(count / unit * r / ranks * unit);
  cuts.push_back(count);
  return cuts;
}

}  // namespace

Ranks* ranks_of(const Task& task) { return task.data.graph.partition() != nullptr ? current_ranks() : nullptr; }

int64_t all_nodes(const Task& task) {
  const graph::Partition* part = task.data.graph.partition();
  return part != nullptr ? part->nodes : task.data.nodes();
}

std::vector<int32_t> labeled(const Task& task) {
  std::vector<int32_t> nodes;
  for (const int32_t v : task.split.train) {
    if (task.data.labels[v] != graph::kUnlabeled) nodes.push_back(v);
  }
  return nodes;
}

std::optional<kernels::WholeSparse> whole_features(const graph::Dataset& data) {
  if (data.graph.partition() == nullptr || !data.features.is_sparse()) return std::nullopt;
  return kernels::WholeSparse{data.graph.partition()->nodes, sum_over(*current_ranks(), data.features.entries())};
}

// Of several ranks: by their numbers in the whole graph.
std::vector<int32_t> TrainingNodes::all_in_order(const Task& task) const {
  Ranks* const ranks = ranks_of(task);
  if (ranks == nullptr) return here_;
  std::vector<int32_t> mine = here_;
  for (int32_t& v : mine) v += static_cast<int32_t>(task.data.graph.partition()->begin);
  std::vector<int32_t> all;
  for (const std::vector<std::byte>& bytes : all_gather(*ranks, std::as_bytes(std::span(mine)))) {
    std::vector<int32_t> theirs(bytes.size() / sizeof(int32_t));
    if (!bytes.empty()) std::memcpy(theirs.data(), bytes.data(), bytes.size());
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  return all;
}

TrainingNodes::TrainingNodes(const Task& task) : here_(labeled(task)), drawn_data_(task.data) {
  std::vector<int32_t> nodes = all_in_order(task);
  count_ = std::ssize(nodes);
  if (count_ < kFolds) return;
  RandomStream random(task.seed, "lap folds");
  random.shuffle(std::span<int32_t>(nodes));

  // Which nodes are here, and which places of the list: all of them, or a rank's.
  Ranks* const ranks = ranks_of(task);
  int64_t first_node = 0, last_node = task.data.nodes(), first_place = 0, last_place = count_;
  if (ranks != nullptr) {
    const graph::Partition& part = *task.data.graph.partition();
    const std::vector<int64_t> cuts = stretches(count_, ranks->size());
    first_node = part.begin;
    last_node = part.end;
    first_place = cuts[static_cast<size_t>(ranks->rank())];
    last_place = cuts[static_cast<size_t>(ranks->rank()) + 1];
    listed_.emplace(*ranks, part, nodes, cuts);
    drawn_data_.features = listed_->fetched(task.data.features);
    drawn_data_.labels = listed_->fetched(task.data.labels.span());
  }
  folds_.resize(kFolds);
  for (int64_t i = 0; i < count_; ++i) {
    const int32_t v = nodes[static_cast<size_t>(i)];
    const bool node_here = v >= first_node && v < last_node, place_here = i >= first_place && i < last_place;
    const auto here = static_cast<int32_t>(v - first_node);
    const int32_t row = ranks != nullptr ? static_cast<int32_t>(i - first_place) : v;
    for (int64_t f = 0; f < kFolds; ++f) {
      Fold& fold = folds_[static_cast<size_t>(f)];
      const bool held_out = i % kFolds == f;
      if (place_here && !held_out) fold.fit.push_back(row);
      if (node_here) (held_out ? fold.held_out : fold.fit_here).push_back(here);
    }
  }
  for (Fold& fold : folds_) std::ranges::sort(fold.fit_here);
}

graph::Features TrainingNodes::drawn(const graph::Features& features) const {
  return listed_ ? listed_->fetched(features) : features;
}

ConstMatrixView TrainingNodes::drawn(const Matrix& rows, Matrix& memory) const {
  if (!listed_) return rows;
  memory = listed_->fetched(rows.view());
  return memory;
}

}  // namespace graphveil::method
