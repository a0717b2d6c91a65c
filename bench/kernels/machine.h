// What this machine can do, measured in the same run as the kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graphveil/base/matrix.h"

namespace graphveil::bench {

struct Machine {
  double read_bytes_per_second = 0;  // all threads, from memory
  double copy_bytes_per_second = 0;  // read + written, all threads, ordinary stores
  double one_thread_copy_bytes_per_second = 0;
  double gather_line_seconds = 0;      // one 64-byte line, at random from 8 MB (outer cache), all threads
  double gather_row_line_seconds = 0;  // the same per line, rows of four lines at random
  double gather_inner_seconds = 0;     // one line, at random from 512 KB (inner cache), all threads
  double flops_per_second = 0;         // float multiply-adds count two, all threads
};

// Pieces of work whose time gives a rate: construct once, run often.
class ReadProbe {
 public:
  void run();  // reads bytes() from memory
  double bytes() const { return static_cast<double>(data_.size()) * 4; }

 private:
  Matrix data_ = Matrix(1, 64 << 20);
};
class GatherProbe {
 public:
  static constexpr int64_t kOuter = 8 << 20, kInner = 512 << 10;
  explicit GatherProbe(int lines_per_row, int64_t table_bytes = kOuter);  // 1 or 4 lines
  void run();  // reads lines() 64-byte lines, in rows, at random from the table
  double lines() const;

 private:
  int lines_per_row_;
  Matrix table_;
  std::vector<int32_t> places_;
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
