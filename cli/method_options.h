// A method's options on the command line and in a config file.
#pragma once

#include <functional>
#include <map>
#include <string>

#include <CLI/CLI.hpp>

#include "graphveil/base/options.h"
#include "graphveil/method/method.h"

namespace graphveil::cli {

// What was typed, by option name. Applied after the preset and the config file, so that the command line wins.
using TypedOptions = std::map<std::string, std::string>;

// Adds every option of the table to the command, with its default in the help; what the user types goes to `typed`.
void add_method_options(CLI::App& command, const Options& options, TypedOptions& typed);

// What --preset takes for a method, by name.
std::string preset_help(const method::Method& method);

// Sets the options named in a TOML file of `name = value` lines, each at most once. Throws Io or BadInput naming the
// file and the name.
void apply_config(const std::string& path, const Options& options,
                  const std::function<void(const std::string& name, const std::string& value)>& set);

}  // namespace graphveil::cli
