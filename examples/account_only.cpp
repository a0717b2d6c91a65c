// What a training by DP-SGD costs, and the least noise for a budget. Reads no data.
#include <cstdio>

#include <graphveil/graphveil.h>

int main() {
  using namespace graphveil::account;
  constexpr double kDelta = 1e-5;
  // 1,000 steps: noise 1.1 times the clip norm, batches of one percent.
  const Ledger training{{"training", Gaussian{1.1}, Poisson{0.01}, 1000}};
  std::printf("epsilon %.4f at delta %g\n", spent_epsilon(training, kDelta), kDelta);

  const auto plan = [](double noise) { return Ledger{{"training", Gaussian{noise}, Poisson{0.01}, 1000}}; };
  const Calibration found = calibrate(plan, 1.0, kDelta);
  std::printf("noise %.4f gives epsilon %.4f\n", found.noise, found.epsilon);
  return found.epsilon <= 1.0 ? 0 : 1;
}
