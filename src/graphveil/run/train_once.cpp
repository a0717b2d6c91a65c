#include "graphveil/run/train_once.h"

#include <optional>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/resources.h"
#include "graphveil/learn/propagate.h"
#include "graphveil/run/certify.h"

namespace graphveil::run {
namespace {

// Why validation labels may pick the epoch, if they may.
std::optional<mechanism::PublicData> public_validation(const Prepared& prepared, const mechanism::Release& release) {
  if (prepared.experiment->settings().public_data == "val") {
    return mechanism::PublicData::declared(std::string(kPublicValidation));
  }
  if (!release.promises() || bound::edge_level(release.relation())) return mechanism::PublicData::under(release);
  return std::nullopt;
}

}  // namespace

mechanism::Release open_release(const Prepared& prepared, const Seed& seed) {
  const bound::Relation relation = prepared.setting.relation;
  if (!prepared.is_private()) return mechanism::Release::clear(relation, prepared.plan);
  return mechanism::Release::open(relation, prepared.plan, {prepared.cap, prepared.delta}, seed.derived("noise"));
}

method::Task make_task(const Prepared& prepared, const Parts& parts, const graph::Split& split, const Seed& seed,
                       const mechanism::Release& release) {
  method::Task task{.data = parts.data,
                    .split = split,
                    .relation = prepared.setting.relation,
                    .protect_degree = prepared.setting.protect_degree,
                    .seed = seed.derived("training"),
                    .public_validation = public_validation(prepared, release),
                    .as_published = prepared.as_published()};
  if (parts.public_graph) task.public_graph.emplace(method::PublicGraph{*parts.public_graph, parts.evaluated_split});
  if (parts.public_arrays) task.public_arrays = &*parts.public_arrays;
  return task;
}

Trained finished(const Prepared& prepared, const Parts& parts, method::Output output, const mechanism::Release& release,
                 double seconds) {
  const Settings& settings = prepared.experiment->settings();
  if (!release.complete()) fail(ErrorKind::Internal, "the run spent less than its plan");
  if (settings.propagate > 0) {
    // Reads other nodes' rows in the clear.
    output.predictions =
        mechanism::Holder<Matrix>(learn::propagate(parts.evaluated.graph, method::values(output.predictions),
                                                   settings.propagate, settings.alpha, settings.propagated));
  }
  return {std::move(output), release.spent(), seconds};
}

Trained train_once(const Prepared& prepared, const Parts& parts, const Seed& seed, const Keeping& keeping) {
  mechanism::Release release = open_release(prepared, seed);
  if (keeping.log != nullptr) release.keep(*keeping.log, keeping.training);
  const method::Task task = make_task(prepared, parts, parts.split, seed, release);
  const Timer timer;
  method::Output output = prepared.experiment->method().run(task, release);
  return finished(prepared, parts, std::move(output), release, timer.seconds());
}

}  // namespace graphveil::run
