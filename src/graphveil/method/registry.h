// Every method, by name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graphveil/method/method.h"

namespace graphveil::method {

// The names of all methods, in the order shown to users: ours, then those that were registered.
std::vector<std::string> method_names();

// What a method is for.
enum class Role {
  Yours,      // to protect one's own data
  Baseline,   // it protects too, and papers compare with it
  Reference,  // it promises nothing: it shows what privacy costs, or what is lost without the graph
};
// Throws InvalidArgument for a name that does not exist. What was registered is Yours where it protects something.
Role role_of(std::string_view name);

// A method with default options. Throws InvalidArgument for a name that does not exist.
std::unique_ptr<Method> make_method(std::string_view name);

// Adds a method of another project, so that everything which takes a method's name takes this one too: training,
// calibration, certificates, verification, attacks. `make` gives a new method whose description has this name. Throws
// InvalidArgument for a name that is taken or is not of small letters, digits and hyphens. Call it before threads ask.
void register_method(std::string name, std::function<std::unique_ptr<Method>()> make);

}  // namespace graphveil::method
