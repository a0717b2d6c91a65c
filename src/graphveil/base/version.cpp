#include "graphveil/base/version.h"

namespace graphveil {

std::string_view version() { return GRAPHVEIL_VERSION; }

}  // namespace graphveil
