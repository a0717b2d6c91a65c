// The number of threads of the loops of a test.
#pragma once

#include <optional>

#include "graphveil/base/context.h"
#include "graphveil/base/parallel.h"

namespace graphveil {

// For the rest of the test program, or until the next call.
inline void set_thread_count(int threads) {
  static auto* scope =
      new std::optional<ContextScope>;  // never destroyed: the thread's own context goes before it would
  scope->reset();
  scope->emplace(Context{.threads = threads, .progress = nullptr});
}

}  // namespace graphveil
