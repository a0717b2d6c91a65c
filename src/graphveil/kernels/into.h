// Whether a kernel replaces its output or adds to it.
#pragma once

namespace graphveil::kernels {

enum class Into { Overwrite, Add };

}  // namespace graphveil::kernels
