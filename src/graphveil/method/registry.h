// Every method, by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graphveil/method/method.h"

namespace graphveil::method {

// The names are in the order shown to users.
std::vector<std::string> method_names();
// A method with default options. Throws InvalidArgument for a name that does not exist.
std::unique_ptr<Method> make_method(std::string_view name);

}  // namespace graphveil::method
