#include "graphveil/attack/timing.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "graphveil/artifact/predictions_csv.h"
#include "graphveil/artifact/safetensors.h"
#include "graphveil/base/error.h"
#include "graphveil/base/progress.h"
#include "graphveil/run/train.h"

namespace graphveil::attack {

TimingResult timing_attack(const run::Prepared& prepared, const run::Parts& parts, const CanaryPair& canary,
                           int64_t repeats, const Seed& seed) {
  require(repeats >= 2, "{} repeats, want at least 2", repeats);
  std::vector<double> seconds[2], model[2], predictions[2];
  Progress progress("trainings", 2 * repeats);
  for (int64_t r = 0; r < repeats; ++r) {
    for (const int there : {1, 0}) {
      run::Parts own = parts;
      own.data = there == 1 ? canary.there : canary.blank;
      const run::Trained trained =
          run::train_once(prepared, own, seed.derived(fmt::format("training {} {}", r, there)));
      seconds[there].push_back(trained.seconds);
      model[there].push_back(static_cast<double>(artifact::to_safetensors(trained.output.model.value()).size()));
      predictions[there].push_back(
          static_cast<double>(artifact::predictions_csv(method::values(trained.output.predictions)).size()));
      progress.advance();
    }
  }
  TimingResult out{nn::mean_interval(seconds[1]),    nn::mean_interval(seconds[0]), 0,
                   nn::mean_interval(model[1]),      nn::mean_interval(model[0]),   nn::mean_interval(predictions[1]),
                   nn::mean_interval(predictions[0])};
  const auto n = static_cast<double>(repeats);
  const double error =
      std::sqrt((out.seconds_there.std * out.seconds_there.std + out.seconds_blank.std * out.seconds_blank.std) / n);
  out.t = error > 0 ? (out.seconds_there.mean - out.seconds_blank.mean) / error : 0;
  return out;
}

}  // namespace graphveil::attack
