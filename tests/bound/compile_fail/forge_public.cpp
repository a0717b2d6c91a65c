// A plain value is not public without somebody who vouches for it.
#include <utility>

#include "graphveil/base/matrix.h"
#include "graphveil/mechanism/audience.h"

using namespace graphveil;

mechanism::Public<Matrix> misuse(Matrix raw) { return mechanism::Public<Matrix>(std::move(raw)); }
