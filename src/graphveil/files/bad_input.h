// How readers say what is wrong: one line that names the file, the field and, where there is one, the row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::files {

template <typename... Args>
[[noreturn]] void bad_file(const std::string& file, fmt::format_string<Args...> format, Args&&... args) {
  fail(ErrorKind::BadInput, "{}: {}", file, fmt::format(format, std::forward<Args>(args)...));
}

template <typename... Args>
[[noreturn]] void bad_field(const std::string& file, std::string_view field, fmt::format_string<Args...> format,
                            Args&&... args) {
  fail(ErrorKind::BadInput, "{}: {}: {}", file, field, fmt::format(format, std::forward<Args>(args)...));
}

template <typename... Args>
[[noreturn]] void bad_row(const std::string& file, std::string_view field, int64_t row,
                          fmt::format_string<Args...> format, Args&&... args) {
  fail(ErrorKind::BadInput, "{}: {}, row {}: {}", file, field, row, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace graphveil::files
