// Time to calibrate GAP at node level: encoder, aggregation and classifier tied to one noise, to 1e-4.
#include <chrono>
#include <cstdio>

#include "graphveil/account/calibrate.h"

int main() {
  using namespace graphveil::account;
  int64_t calls = 0;
  const Plan plan = [&](double noise) {
    ++calls;
    return Ledger{Event("encoder", Gaussian{noise}, Poisson{0.018023}, 554),
                  Event("aggregation", Gaussian{noise}, NoSampling{}, 2),
                  Event("classifier", Gaussian{noise}, Poisson{0.018023}, 554)};
  };
  for (double target : {1.0, 8.0, 16.0}) {
    calls = 0;
    const auto start = std::chrono::steady_clock::now();
    const Calibration found = calibrate(plan, target, 1e-5);
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    std::printf("epsilon %g: noise %.6f costs %.6f, %lld evaluations, %.1f ms\n", target, found.noise, found.epsilon,
                static_cast<long long>(calls), elapsed.count());
  }
}
