// What is the holder's does not become a node's.
#include <utility>

#include "graphveil/base/matrix.h"
#include "graphveil/mechanism/audience.h"

using namespace graphveil;

void misuse(mechanism::Owner<Matrix>& rows, mechanism::Holder<Matrix> kept) { rows = std::move(kept); }
