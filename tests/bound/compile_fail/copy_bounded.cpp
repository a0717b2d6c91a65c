// A bound is spent once: no copies.
#include "graphveil/mechanism/release.h"

using namespace graphveil;

void misuse(mechanism::Release& release, const bound::Bounded<int64_t>& bounded) {
  release.discrete_laplace("sum", bounded);
}
