#include "graphveil/base/context.h"

#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/resources.h"

namespace graphveil {
namespace {

Context& context_of_thread() {
  thread_local Context context;
  return context;
}

}  // namespace

const Context& current_context() { return context_of_thread(); }

void require_memory(double bytes, std::string_view what) {
  constexpr double kAlwaysThere = 64 << 20;  // not worth a look at the machine
  if (current_context().memory == 0 && bytes <= kAlwaysThere) return;
  const int64_t allowed = current_context().memory > 0 ? current_context().memory : free_memory_bytes();
  constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
  require(bytes <= static_cast<double>(allowed),
          "{} takes at least {:.2g} GiB of memory and {:.2g} are free: make it smaller", what, bytes / kGiB,
          static_cast<double>(allowed) / kGiB);
}

ContextScope::ContextScope(Context context) {
  require(context.memory >= 0, "memory is {} bytes, want at least 1, or 0 for what is free", context.memory);
  require(context.threads >= 0 && context.threads <= 4096, "number of threads is {}, want 1 to 4096, or 0 for all",
          context.threads);
  before_ = std::exchange(context_of_thread(), std::move(context));
}

ContextScope::~ContextScope() { context_of_thread() = std::move(before_); }

}  // namespace graphveil
