// Shows progress on standard error: a bar with rate and time left on a terminal, a line every few seconds
// elsewhere. Work shorter than two seconds shows nothing.
#pragma once

#include <string>

#include "graphveil/base/progress.h"

namespace graphveil::cli {

class ProgressBar : public ProgressSink {
 public:
  ProgressBar();
  void update(const ProgressUpdate& update) override;

 private:
  bool terminal_;
  bool drawn_ = false;
  double last_line_ = 0;
};

// "training  [#####.....]  52%  1.2k/s  0:03 left", without colors, at most `width` columns.
std::string progress_line(const ProgressUpdate& update, int width);

// "0:03", "1:02:03": seconds, rounded up.
std::string clock_time(double seconds);

}  // namespace graphveil::cli
