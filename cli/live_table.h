// How far a sweep is, on standard error: a table that is drawn again on a terminal, a line every few seconds elsewhere.
#pragma once

#include <string>

#include "graphveil/sweep/engine.h"

namespace graphveil::cli {

class LiveTable {
 public:
  LiveTable(const sweep::Plan& plan, bool quiet);
  ~LiveTable();
  LiveTable(const LiveTable&) = delete;
  LiveTable& operator=(const LiveTable&) = delete;
  void show(const sweep::SweepState& state);

 private:
  void clear();
  const sweep::Plan& plan_;
  bool quiet_, terminal_;
  int lines_ = 0;  // drawn last
  double last_ = -1e9;
};

// "12 of 160 runs, 1 failed, 0:34 left".
std::string state_line(const sweep::SweepState& state);

}  // namespace graphveil::cli
