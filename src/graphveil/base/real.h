// The scalar of training: float in the product. The gradient tests build the same sources with
// GRAPHVEIL_DOUBLE to check derivatives to 1e-6; nothing else ever does.
#pragma once

namespace graphveil {

#ifdef GRAPHVEIL_DOUBLE
using Real = double;
#else
using Real = float;
#endif

}  // namespace graphveil
