#include "graphveil/run/task.h"

#include <optional>

#include "graphveil/run/declared.h"

namespace graphveil::run {
namespace {

// Why validation labels may pick the epoch, if they may.
std::optional<mechanism::PublicData> public_validation(const Prepared& prepared, const mechanism::Release& release) {
  if (prepared.experiment->settings().public_data == "val") return Declared::validation();
  if (!release.promises() || bound::edge_level(release.relation())) return mechanism::PublicData::under(release);
  return std::nullopt;
}

}  // namespace

method::Task asking_task(const Prepared& prepared, const Given& given, const Seed& seed) {
  method::Task task{.data = given.data,
                    .split = given.split,
                    .relation = prepared.setting.relation,
                    .protect_degree = prepared.setting.protect_degree,
                    .seed = seed,
                    .as_published = prepared.as_published()};
  if (given.beside == nullptr) return task;
  const Parts& parts = *given.beside;
  if (parts.public_graph) {
    task.public_graph.emplace(
        method::PublicGraph{declared_public(*parts.public_graph), parts.evaluated_split, Declared::public_graph()});
  }
  if (parts.public_arrays) task.public_arrays = &*parts.public_arrays;
  return task;
}

method::Task training_task(const Prepared& prepared, const Given& given, const Seed& seed,
                           const mechanism::Release& release) {
  method::Task task = asking_task(prepared, given, seed.derived("training"));
  task.public_validation = public_validation(prepared, release);
  return task;
}

}  // namespace graphveil::run
