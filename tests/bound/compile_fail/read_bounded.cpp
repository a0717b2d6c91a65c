// A bounded value is not readable.
#include "graphveil/mechanism/release.h"

using namespace graphveil;

int64_t misuse(const bound::Bounded<int64_t>& bounded) { return bounded.value_; }
