// The program's version, as written into every certificate.
#pragma once

#include <string_view>

namespace graphveil {

std::string_view version();

}  // namespace graphveil
