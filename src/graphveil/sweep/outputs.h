// The files that a sweep writes beside its results.
#pragma once

#include <string>
#include <vector>

#include "graphveil/sweep/engine.h"
#include "graphveil/sweep/summary.h"

namespace graphveil::sweep {

struct OutputWishes {
  bool csv = false, tex = false, svg = false;
};

// plan.toml and table.md, and what is wished for. Returns their paths. Throws Io.
std::vector<std::string> write_outputs(const std::string& folder, const Plan& plan, const Summary& summary,
                                       const std::map<std::string, Result>& results, const OutputWishes& wishes);

}  // namespace graphveil::sweep
