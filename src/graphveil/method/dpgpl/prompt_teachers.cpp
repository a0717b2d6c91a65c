#include "graphveil/method/dpgpl/prompt_teachers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"
#include "graphveil/graph/subgraph.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/method/dpgpl/shared_answer.h"
#include "graphveil/nn/stage.h"

namespace graphveil::method {
namespace {

constexpr int64_t kPromptBlock = 16;  // teachers between two signs of progress

// From number `first` on; `after` is told after every block how many are done.
template <typename Visit>
void for_each_teacher(size_t count, const char* name, Visit&& visit, int64_t first = 0,
                      const std::function<void(int64_t)>& after = nullptr) {
  const auto total = static_cast<int64_t>(count);
  Progress progress(name, total);
  progress.advance(first);
  for (int64_t begin = first; begin < total; begin += kPromptBlock) {
    const int64_t size = std::min(kPromptBlock, total - begin);
    parallel_for(size, 1, [&](int64_t from, int64_t to) {
      for (int64_t t = begin + from; t < begin + to; ++t) visit(static_cast<size_t>(t));
    });
    progress.advance(size);
    if (after) after(begin + size);
  }
}

constexpr const char* kDone = "done";

std::string prefix_of(size_t teacher) { return fmt::format("{}.", teacher); }

// The place of each of `some` in `all`; both rise.
std::vector<int32_t> places(const std::vector<int32_t>& some, const std::vector<int32_t>& all) {
  std::vector<int32_t> found;
  for (const int32_t v : some) found.push_back(static_cast<int32_t>(std::ranges::lower_bound(all, v) - all.begin()));
  return found;
}

}  // namespace

TeacherParts parts_by_id(const Task& task, int64_t teachers, const std::optional<int64_t>& shots) {
  TeacherParts parts(static_cast<size_t>(teachers));
  std::vector<int32_t> records = task.split.train;
  std::sort(records.begin(), records.end());
  for (const int32_t u : records) {
    if (task.data.labels[u] == graph::kUnlabeled) continue;
    std::vector<int32_t>& part = parts[static_cast<size_t>(bound::teacher_of(u, teachers))];
    if (!shots || std::ssize(part) < *shots) part.push_back(u);
  }
  return parts;
}

void declare_shots_per(Options& options, ShotsPer& value) {
  options.choice(
      "shots-per", value, {{"teacher", ShotsPer::Teacher}, {"class", ShotsPer::Class}},
      "Whose count --shots is. teacher: records of its own. class: of each class, drawn from all records, so "
      "that teachers share them; that has no proof, and is for --accounting published and references alone");
}

TeacherParts shared_parts(const Task& task, int64_t teachers, int64_t shots) {
  std::vector<std::vector<int32_t>> of_class(static_cast<size_t>(task.data.classes));
  for (const int32_t u : task.split.train) {
    const int32_t label = task.data.labels[u];
    if (label != graph::kUnlabeled) of_class[static_cast<size_t>(label)].push_back(u);
  }
  TeacherParts parts(static_cast<size_t>(teachers));
  RandomStream random(task.seed, "shared shots");
  for (std::vector<int32_t>& part : parts) {
    for (const std::vector<int32_t>& records : of_class) {
      const int64_t count = std::min<int64_t>(shots, std::ssize(records));
      for (const int64_t i : random.sample_without_replacement(std::ssize(records), count)) {
        part.push_back(records[static_cast<size_t>(i)]);
      }
    }
    std::sort(part.begin(), part.end());
  }
  return parts;
}

PromptGraph records_graph(const Task& task, ConstMatrixView rows, std::span<const int32_t> records,
                          const Backbone& backbone, Standard standard) {
  Matrix own = Matrix::uninitialized(std::ssize(records), rows.cols);
  kernels::gather_rows(rows, records, own);
  return {std::move(own), graph::induced_subgraph(task.data.graph, records), backbone, std::move(standard)};
}

Prompts tuned_prompts(const Task& task, const PublicBackbone& backbone, const PromptOptions& options,
                      const TeacherParts& parts, const std::optional<LinearAnswer>& answer, bool hear_everybody) {
  const Matrix rows = backbone.rows(task.data.features);
  const Standard standard = backbone.standard(hear_everybody ? 1 : std::ssize(parts));
  Prompts prompts(parts.size());
  const auto seed_of = [&](size_t t) { return task.seed.derived(fmt::format("teacher {}", t)); };
  const auto fresh = [&](size_t t) {
    std::unique_ptr<Prompt> prompt = make_prompt(options, backbone.network(), task.data.classes, seed_of(t));
    if (answer) prompt->keep_answer(*answer);
    return prompt;
  };
  // What an earlier process of the run has tuned is taken as it was.
  const nn::Stage stage("prompts");
  int64_t done = 0;
  if (const std::optional<nn::State> kept = stage.kept()) {
    done = std::clamp<int64_t>(nn::read_number(*kept, kDone), 0, std::ssize(parts));
    for (size_t t = 0; t < static_cast<size_t>(done); ++t) {
      if (parts[t].empty()) continue;
      prompts[t] = fresh(t);
      prompts[t]->load(*kept, prefix_of(t));
    }
  }
  const auto tune = [&](size_t t) {
    if (parts[t].empty()) return;
    const std::vector<int32_t> heard =
        hear_everybody ? graph::heard_by(task.data.graph, parts[t], backbone.network().shape().layers) : parts[t];
    const PromptGraph graph = records_graph(task, rows, heard, backbone.network(), standard.clone());
    prompts[t] = fresh(t);
    prompts[t]->tune(graph, places(parts[t], heard), labels_of(task, parts[t]), seed_of(t));
  };
  for_each_teacher(parts.size(), "teachers", tune, done, [&](int64_t so_far) {
    if (!stage.due()) return;
    nn::State state{{kDone, nn::to_tensor(so_far)}};
    for (size_t t = 0; t < static_cast<size_t>(so_far); ++t) {
      if (prompts[t]) prompts[t]->save(state, prefix_of(t));
    }
    stage.keep(state);
  });
  return prompts;
}

bound::Votes votes_of(const Prompts& prompts, const PromptGraph& graph, std::span<const int32_t> queries) {
  bound::Votes votes(prompts.size(), std::vector<int32_t>(queries.size(), bound::kNoVote));
  for_each_teacher(prompts.size(), "votes", [&](size_t t) {
    if (!prompts[t]) return;
    const Matrix said = prompts[t]->probabilities(graph, queries);
    kernels::row_argmax(said, votes[t]);
    // A record may be such that numbers overflow. An error would tell; a vote that is not cast has its noise.
    for (size_t q = 0; q < queries.size(); ++q) {
      const auto row = said.row(static_cast<int64_t>(q));
      if (!std::all_of(row.begin(), row.end(), [](Real p) { return std::isfinite(p); })) votes[t][q] = bound::kNoVote;
    }
  });
  return votes;
}

}  // namespace graphveil::method
