// A bounded value does not pass for a released one.
#include <utility>

#include "graphveil/mechanism/release.h"

using namespace graphveil;

mechanism::Noisy<Matrix> misuse(bound::Bounded<Matrix> bounded) { return std::move(bounded); }
