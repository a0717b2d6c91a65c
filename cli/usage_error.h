// What is wrong with a command line, and what may have been meant.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace graphveil::cli {

// One line about the first thing on the command line that means nothing: a command or an option that does not exist.
// Otherwise what CLI11 says.
std::string usage_error(const CLI::App& app, const std::vector<std::string>& arguments, const CLI::ParseError& error);

}  // namespace graphveil::cli
