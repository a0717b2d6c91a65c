// Progress of long work, told to whoever listens. The library never prints: it calls a sink.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "graphveil/base/resources.h"

namespace graphveil {

// What a sink is told: `done` of `total` units of `task` after `seconds`.
struct ProgressUpdate {
  std::string task;
  int64_t done = 0;
  int64_t total = 0;
  double seconds = 0;
  bool finished = false;
};

// Receives updates on the thread that drives the work. Must not throw.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void update(const ProgressUpdate& update) = 0;
  // Whether the work should stop: asked after each update while it goes on, it then ends with Error of kind Cancelled
  // and leaves nothing behind. What a release had drawn by then is spent.
  virtual bool cancelled() { return false; }
};

// One task of known length, told to the sink of the context (base/context.h). Ends when destroyed. Call from one
// thread.
class Progress {
 public:
  Progress(std::string task, int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Throws Cancelled when the sink asks to stop.
  void advance(int64_t units = 1);

 private:
  void tell(bool finished);
  std::shared_ptr<ProgressSink> sink_;
  ProgressUpdate state_;
  Timer timer_;
  double last_told_ = 0;
};

}  // namespace graphveil
