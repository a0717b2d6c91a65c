// Nobody trains in the clear without saying why that is allowed.
#include "graphveil/learn/fit.h"

using namespace graphveil;

void misuse(learn::Network& network, const learn::FitData& data, const Seed& seed) {
  learn::fit(network, data, {}, seed, "training");
}
