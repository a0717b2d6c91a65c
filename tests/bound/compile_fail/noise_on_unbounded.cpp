// A mechanism takes no value without a bound.
#include <utility>

#include "graphveil/mechanism/release.h"

using namespace graphveil;

void misuse(mechanism::Release& release, bound::GridMatrix raw) { release.gaussian("sum", std::move(raw)); }
