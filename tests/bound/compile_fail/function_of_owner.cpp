// A function of what is a node's own is not public.
#include "graphveil/base/matrix.h"
#include "graphveil/mechanism/audience.h"

using namespace graphveil;

auto misuse(const mechanism::Owner<Matrix>& rows) {
  return mechanism::from_public([](const Matrix& m) { return m.rows(); }, rows);
}
