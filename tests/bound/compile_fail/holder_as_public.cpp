// What is the holder's does not become public.
#include <utility>

#include "graphveil/base/matrix.h"
#include "graphveil/mechanism/audience.h"

using namespace graphveil;

void misuse(mechanism::Public<Matrix>& open, mechanism::Holder<Matrix> kept) { open = std::move(kept); }
