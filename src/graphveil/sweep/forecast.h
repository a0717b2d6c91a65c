// What a run will take, judged by those that have ended.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "graphveil/sweep/result.h"
#include "graphveil/sweep/run.h"

namespace graphveil::sweep {

class Forecast {
 public:
  void add(const Run& run, double seconds, double peak_memory_mb);
  bool knows_time() const { return all_.count > 0; }
  // The mean time of runs of the same row, else of the same graph, else of all; 0 before the first.
  double seconds(const Run& run) const;
  // The largest of runs of the same method and graph, else of the graph, with a tenth to spare; before the first what a
  // file of that size may come to.
  int64_t bytes(const Run& run, int64_t file_bytes) const;

 private:
  struct Seen {
    double seconds = 0, megabytes = 0;
    int64_t count = 0;
    void add(double s, double mb);
  };
  std::map<std::string, Seen> rows_, methods_, graphs_;
  Seen all_;
};

}  // namespace graphveil::sweep
