// All that a report shows, as one JSON document.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace graphveil::report {

inline constexpr const char* kReportFormat = "graphveil-report/1";

// What these paths have, each as source_kind.h finds it: `title`, `audience` ("holder" where anything is the data
// holder's, else "public"), `runs`, `sweeps`, `books`, `attacks`, `audits`. With `release` only what may be published;
// then every path must be a run that is releasable. Throws Io, or BadInput naming the file and the field.
nlohmann::ordered_json report_document(const std::vector<std::string>& paths, bool release);

}  // namespace graphveil::report
