// Only a mechanism makes a Noisy.
#include <utility>

#include "graphveil/mechanism/release.h"

using namespace graphveil;

mechanism::Noisy<Matrix> misuse(Matrix raw) { return mechanism::Noisy<Matrix>(std::move(raw), 1.0); }
