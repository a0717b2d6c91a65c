// Ranks that talk by MPI. The rest of the program knows nothing of it; where the build found no MPI it says so.
#pragma once

#include <memory>
#include <string>

#include "graphveil/base/ranks.h"

namespace graphveil::cli {

// "Open MPI 4.1.4", or empty where the program was built without.
std::string mpi_name();

// Begins to talk to the other processes, all of which must call this. One that is waited for and from which nothing
// comes for `stall_seconds` makes whoever waits throw Io.
std::shared_ptr<Ranks> start_mpi(double stall_seconds);

// Ends all processes with this exit code, and does not return. Rank 0 has printed `line` itself; another rank tells it
// to rank 0, or, where that one hears nothing any more, prints it.
[[noreturn]] void end_all(int rank, int code, const std::string& line);

// Takes leave after work that went well; nothing where nothing was started.
void end_mpi();

}  // namespace graphveil::cli
