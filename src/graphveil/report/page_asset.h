// The template of the report's page, as web/ bundles it and CMake puts it into the library.
#pragma once

#include <string_view>

namespace graphveil::report {

// The bytes of src/graphveil/report/assets/report.html. Defined in a source that cmake/embed.cmake writes.
std::string_view page_asset();

}  // namespace graphveil::report
