// How work is done, apart from what it does: on how many threads and machines, in how much memory, and who hears of its
// progress. It travels with the thread that drives the work; there is nothing global.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace graphveil {

class Checkpoints;
class ProgressSink;
class Ranks;

struct Context {
  int threads = 0;                                     // of every loop; 0: as many as there are processors
  std::shared_ptr<ProgressSink> progress = nullptr;    // null: silence
  std::shared_ptr<Checkpoints> checkpoints = nullptr;  // null: nothing is kept
  int64_t memory = 0;                                  // bytes that a model may take; 0: what the machine has free
  std::shared_ptr<Ranks> ranks = nullptr;              // processes that work together; null: this one is alone
};

// The context of the calling thread. Threads that a loop starts work for it and need none of their own.
const Context& current_context();

// To ask before a model is allocated. `bytes` must follow from public numbers: who is refused may be seen. Throws
// InvalidArgument, with both numbers, when they are more than the context of the calling thread allows.
void require_memory(double bytes, std::string_view what);

// Gives the calling thread a context for as long as it lives. Throws InvalidArgument for a number of threads outside
// [0, 4096], or less than no memory.
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
