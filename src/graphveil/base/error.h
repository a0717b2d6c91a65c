// The one exception the library throws.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/core.h>

namespace graphveil {

enum class ErrorKind {
  InvalidArgument,  // a caller's value is out of range
  BadInput,         // a file or a record in it is wrong
  Unsupported,      // a combination we have no proof or no code for
  BudgetExceeded,   // the privacy cap would be passed
  NotConverged,     // a search ended without an answer
  Io,               // the operating system refused
  Cancelled,        // whoever watches the progress asked to stop
  Internal,         // our own mistake
};

const char* name(ErrorKind kind);

// The message names the value seen and the range wanted. Callers of the program see it as it is.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// Throws Error(kind) with a message formatted as by fmt::format.
template <typename... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(kind, fmt::format(format, std::forward<Args>(args)...));
}

// Throws InvalidArgument unless the condition holds.
template <typename... Args>
void require(bool condition, fmt::format_string<Args...> format, Args&&... args) {
  if (!condition) fail(ErrorKind::InvalidArgument, format, std::forward<Args>(args)...);
}

}  // namespace graphveil
