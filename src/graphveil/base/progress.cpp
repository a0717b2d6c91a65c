#include "graphveil/base/progress.h"

#include <algorithm>
#include <utility>

#include "graphveil/base/context.h"
#include "graphveil/base/error.h"

namespace graphveil {
namespace {

constexpr double kSecondsBetweenUpdates = 0.1;

}  // namespace

Progress::Progress(std::string task, int64_t total) : sink_(current_context().progress) {
  state_.task = std::move(task);
  state_.total = total;
}

Progress::~Progress() { tell(true); }

void Progress::advance(int64_t units) {
  state_.done = std::min(state_.done + units, state_.total);
  if (!sink_ || timer_.seconds() - last_told_ < kSecondsBetweenUpdates) return;
  tell(false);
  if (sink_->cancelled()) fail(ErrorKind::Cancelled, "cancelled while {}", state_.task);
}

void Progress::tell(bool finished) {
  if (!sink_) return;
  state_.seconds = timer_.seconds();
  state_.finished = finished;
  last_told_ = state_.seconds;
  sink_->update(state_);
}

}  // namespace graphveil
