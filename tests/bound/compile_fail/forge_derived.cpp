// Nor does it become public by the way that functions of public values take.
#include <utility>

#include "graphveil/base/matrix.h"
#include "graphveil/mechanism/audience.h"

using namespace graphveil;

mechanism::Public<Matrix> misuse(Matrix raw) {
  return mechanism::Public<Matrix>(std::move(raw), mechanism::Public<Matrix>::Derived{});
}
