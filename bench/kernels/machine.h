// What this machine can do, measured in the same run as the kernels.
#pragma once

#include <string>

namespace graphveil::bench {

struct Machine {
  double read_bytes_per_second = 0;  // all threads, from memory
  double copy_bytes_per_second = 0;  // read + written, all threads, ordinary stores
  double one_thread_copy_bytes_per_second = 0;
  double gather_line_seconds = 0;      // one 64-byte line, at random from 8 MB (outer cache), all threads
  double gather_row_line_seconds = 0;  // the same per line, rows of four lines at random
  double flops_per_second = 0;         // float multiply-adds count two, all threads
};

Machine measure_machine();
void print_machine(const Machine& machine);

// The larger of the times that `bytes` of memory traffic and `flops` need.
struct Bound {
  double seconds = 0;
  std::string by;
};
Bound traffic_bound(const Machine& machine, double bytes, double flops = 0);

}  // namespace graphveil::bench
