#include "graphveil/base/context.h"

#include <utility>

#include "graphveil/base/error.h"

namespace graphveil {
namespace {

Context& context_of_thread() {
  thread_local Context context;
  return context;
}

}  // namespace

const Context& current_context() { return context_of_thread(); }

ContextScope::ContextScope(Context context) {
  require(context.threads >= 0 && context.threads <= 4096, "number of threads is {}, want 1 to 4096, or 0 for all",
          context.threads);
  before_ = std::exchange(context_of_thread(), std::move(context));
}

ContextScope::~ContextScope() { context_of_thread() = std::move(before_); }

}  // namespace graphveil
