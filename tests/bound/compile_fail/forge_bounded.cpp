// Only functions that prove a bound make a Bounded.
#include "graphveil/mechanism/release.h"

using namespace graphveil;

bound::Bounded<int64_t> misuse(int64_t raw) { return bound::Bounded<int64_t>(raw, {.amount = 1}); }
