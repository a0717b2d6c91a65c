// Proper use: what the other files get wrong, right.
#include <utility>

#include "graphveil/mechanism/release.h"

using namespace graphveil;

float proper(mechanism::Release& release, Matrix raw) {
  bound::Bounded<Matrix> bounded(std::move(raw), {.amount = 1.0});
  mechanism::Noisy<Matrix> noisy = release.gaussian("sum", std::move(bounded), 1.0);
  return noisy.value()(0, 0);
}
