// Processes of the program itself, started and waited for.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "graphveil/base/resources.h"
#include "graphveil/sweep/result.h"

namespace graphveil::sweep {

// One process whose output goes to two files. It is ended (SIGTERM) when this process ends, however that ends, and when
// the object goes while it still runs.
class Child {
 public:
  // Starts `program` with these arguments in a folder. Throws Io when it cannot be started.
  Child(const std::string& program, const std::vector<std::string>& arguments, const std::string& folder,
        std::string out_path, std::string error_path);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Whether it has ended; does not wait.
  bool ended();
  // What it came to and printed. Only once it has ended; removes the files.
  Ended result();
  double seconds() const { return timer_.seconds(); }
  // The last line that it said of its progress so far, or nothing.
  std::string last_words() const;

 private:
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
  double took_ = 0;
  std::string out_path_, error_path_;
  Timer timer_;
};

}  // namespace graphveil::sweep
