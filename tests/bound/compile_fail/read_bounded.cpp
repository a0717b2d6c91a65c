// A bounded value is not readable.
#include "graphveil/mechanism/release.h"

using namespace graphveil;

float misuse(const bound::Bounded<Matrix>& bounded) { return bounded.value_(0, 0); }
