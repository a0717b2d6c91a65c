#include "graphveil/run/train_once.h"

#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/resources.h"
#include "graphveil/run/ask.h"
#include "graphveil/run/class_weights.h"
#include "graphveil/run/task.h"

namespace graphveil::run {

mechanism::Release open_release(const Prepared& prepared, const Seed& seed) {
  const bound::Relation relation = prepared.setting.relation;
  if (!prepared.is_private()) return mechanism::Release::clear(relation, prepared.plan);
  mechanism::Release release =
      mechanism::Release::open(relation, prepared.plan, {prepared.cap, prepared.delta}, seed.derived("noise"));
  if (prepared.before_noise) release.before_noise(prepared.before_noise);
  return release;
}

Trained finished(const Prepared& prepared, const Parts& parts, method::Output output, const mechanism::Release& release,
                 double seconds) {
  if (!release.complete()) fail(ErrorKind::Internal, "the run spent less than its plan");
  output.predictions =
      propagated(prepared.experiment->settings(), parts.evaluated.graph, std::move(output.predictions));
  return {std::move(output), release.spent(), seconds};
}

Trained train_once(const Prepared& prepared, const Parts& parts, const Seed& seed, const Keeping& keeping) {
  mechanism::Release release = open_release(prepared, seed);
  if (keeping.log != nullptr && prepared.experiment->method().resumable()) {
    release.keep(*keeping.log, keeping.training);
  }
  const method::Task task = training_task(prepared, {parts.data, parts.split, &parts}, seed, release);
  const Timer timer;
  method::Output output = run_method(prepared, task, release);
  return finished(prepared, parts, std::move(output), release, timer.seconds());
}

}  // namespace graphveil::run
