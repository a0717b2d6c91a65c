// How the program explains itself: common options first, in groups, in lines that fit the terminal.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "graphveil/base/options.h"

namespace graphveil::cli {

// Columns of the terminal: those of COLUMNS or of standard output, 80 where there is none; from 60 to 120.
int64_t terminal_width();

// `text` in lines of at most `width` letters, broken at blanks, all but the first beginning with so many blanks; the
// first has `used` letters already. A word that is longer than a line stays whole. Ends without a line break.
std::string wrapped(std::string_view text, int64_t width, int64_t indent = 0, int64_t used = 0);

// "  left      right, right": two columns, the second wrapped; ends with a line break.
std::string help_row(std::string_view left, std::string_view right, int64_t width);

// For the whole program: --help shows the common options of a command in groups and says how many more --help-all has.
// Commands whose options are not grouped show all of them.
std::shared_ptr<CLI::Formatter> help_formatter();

// Sorts the options of a command that takes a method: those that most people need, and the others. `table` has the
// method's own; what else the command added stays in its first group, but for what every command has.
void group_options(CLI::App& command, const Options& table);

// What somebody sees who types the program's name alone: five lines that lead to a first run.
std::string start_text();

}  // namespace graphveil::cli
