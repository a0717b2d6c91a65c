// results.jsonl: one line for each run that has ended, on disk before the next one is counted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "graphveil/sweep/result.h"

namespace graphveil::sweep {

inline constexpr const char* kResults = "results.jsonl";

struct ResultLines {
  std::string path;
  std::vector<Result> lines;
  bool unfinished = false;  // the last line was not written to its end: it is left out
};

// The lines of a file, in the order in which the runs ended. Of several lines of one run, which was made again after it
// had failed, the last counts. Throws Io when it cannot be read; BadInput, naming the line and the field, for anything
// that is no such file.
ResultLines read_results(const std::string& path);

// The folder of a sweep while one process writes it.
class ResultsFile {
 public:
  // Makes the folder, or opens one that a sweep wrote. Cuts off a line that was never written to its end: that run will
  // be run again. Throws Io when the folder has other things in it, or another process has it: children of a sweep that
  // was killed hold it too, and are waited for a few seconds.
  explicit ResultsFile(std::string folder);
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  const std::string& folder() const { return folder_; }
  // By run.
  const std::map<std::string, Result>& results() const { return results_; }
  // The line is on disk when this returns. Throws Io, the file as it was before, when that cannot be.
  void add(const Result& result);

 private:
  std::string folder_, path_;
  int lock_ = -1, file_ = -1;
  std::map<std::string, Result> results_;
};

}  // namespace graphveil::sweep
