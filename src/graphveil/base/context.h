// How work is done, apart from what it does: on how many threads, and who hears of its progress. It travels with the
// thread that drives the work; there is nothing global.
#pragma once

#include <memory>

namespace graphveil {

class ProgressSink;

struct Context {
  int threads = 0;                         // of every loop; 0: as many as there are processors
  std::shared_ptr<ProgressSink> progress;  // null: silence
};

// The context of the calling thread. Threads that a loop starts work for it and need none of their own.
const Context& current_context();

// Gives the calling thread a context for as long as it lives. Throws InvalidArgument for a number of threads outside
// [0, 4096].
class ContextScope {
 public:
  explicit ContextScope(Context context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  Context before_;
};

}  // namespace graphveil
