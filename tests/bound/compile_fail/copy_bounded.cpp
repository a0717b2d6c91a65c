// A bound is spent once: no copies.
#include "graphveil/mechanism/release.h"

using namespace graphveil;

void misuse(mechanism::Release& release, const bound::Bounded<Matrix>& bounded) {
  release.gaussian("sum", bounded, 1.0);
}
