// What is a node's own does not become public.
#include <utility>

#include "graphveil/base/matrix.h"
#include "graphveil/mechanism/audience.h"

using namespace graphveil;

mechanism::Public<Matrix> misuse(mechanism::Owner<Matrix> rows) { return std::move(rows); }
