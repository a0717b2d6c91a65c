// A probability in six digits, as text.
#pragma once

#include <string>

#include "graphveil/base/real.h"

namespace graphveil::artifact {

// Appends what printf's "%.6g" prints, to the character, for any number; fastest between 1e-6 and 1.
void append_short(std::string& text, Real number);

}  // namespace graphveil::artifact
