// What a report shows of one run: its certificate as checked, and what its folder has beside.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "graphveil/base/matrix.h"

namespace graphveil::report {

// `path` is a run folder, its release/ (or draft/) alone, or a certificate. The certificate is verified first, and
// nothing that it claims is repeated unless it holds. `holders` in what is returned says whether anything in it is the
// data holder's; `probabilities` gets those of the run's predictions where they may be shown, for a map. With `release`
// only what may be published is read: throws BadInput for a run that is not releasable. Throws Io or BadInput for files
// that cannot be read or are wrong.
nlohmann::ordered_json run_section(const std::string& path, bool release, std::optional<Matrix>& probabilities);

}  // namespace graphveil::report
