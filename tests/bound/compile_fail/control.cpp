// Proper use: what the other files get wrong, right.
#include <utility>

#include "graphveil/bound/class_sums.h"
#include "graphveil/learn/fit.h"
#include "graphveil/mechanism/audience.h"
#include "graphveil/mechanism/release.h"

using namespace graphveil;

float proper(mechanism::Release& release, ConstMatrixView rows, std::span<const int32_t> labels) {
  bound::Bounded<bound::GridMatrix> bounded =
      bound::class_sums(rows, labels, 3, release.relation(), release.grid("sum"));
  mechanism::Noisy<Matrix> noisy = release.gaussian("sum", std::move(bounded));
  mechanism::Public<Matrix> open(std::move(noisy));
  return open.value()(0, 0);
}

mechanism::Public<Matrix> vouched(Matrix raw, const mechanism::Release& release) {
  return mechanism::Public<Matrix>(std::move(raw), mechanism::PublicData::under(release));
}

mechanism::Public<nn::State> trained(learn::Network& network, const learn::FitData& data, const Seed& seed,
                                     const mechanism::Release& release) {
  return learn::fit(network, data, {}, seed, "training", mechanism::PublicData::under(release));
}
