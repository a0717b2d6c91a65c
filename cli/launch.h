// The program as several processes that mpirun has started: who is who, before and after they talk to each other.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "graphveil/base/ranks.h"

namespace graphveil::cli {

// What the launcher says in the environment: which of several processes this is. None: it is alone.
struct Place {
  int rank = 0;
  int size = 1;
};
std::optional<Place> place_among_processes();

// Whether the first word names a command that several processes can run together.
bool runs_on_ranks(const std::vector<std::string>& words);

// --stall-timeout of such a command.
void add_rank_options(CLI::App& command, Session& session);

// Where the program is one of several processes: begins to talk to the others, and from here on the context of the
// calling thread knows of them. Throws BadInput on every one of them unless all are the same program with the same
// words on the same kind of processor.
void join_ranks(Session& session);
// What stands for the number of a rank in the path of a file of which each has its own.
inline constexpr const char* kRankNumber = "%";

// The file that this rank reads where all were given `path`: a % in it stands for the number of the rank, unless one of
// them has a file of that very name.
// Throws on every rank unless each has such a file; formats other than .gvg cannot be read in parts and are refused.
// Where the program is alone: the path itself.
std::string own_file(const std::string& path);
// Throws on every rank where one sees a budget book (cli/budget_option.h) and the first, which keeps it, sees none.
void check_books(bool found);
// Throws on every rank unless what was read has the same layout, labels and degrees for all, and parts of a graph are
// together the one that was split. Nothing where the program is alone.
void check_same_graph(const graph::Dataset& data);
// A graph that every rank has whole: all of it.
void check_same_public_graph(const graph::Dataset& data);

}  // namespace graphveil::cli
