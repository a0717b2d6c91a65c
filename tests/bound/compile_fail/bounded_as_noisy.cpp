// A bounded value does not pass for a released one.
#include <utility>

#include "graphveil/mechanism/release.h"

using namespace graphveil;

mechanism::Noisy<int64_t> misuse(bound::Bounded<int64_t> bounded) { return std::move(bounded); }
