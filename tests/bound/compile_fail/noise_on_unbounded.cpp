// A mechanism takes no value without a bound.
#include <utility>

#include "graphveil/mechanism/release.h"

using namespace graphveil;

void misuse(mechanism::Release& release, Matrix raw) { release.gaussian("sum", std::move(raw), 1.0); }
