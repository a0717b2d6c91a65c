#include "graphveil/base/progress.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace graphveil {
namespace {

constexpr double kSecondsBetweenUpdates = 0.1;

std::mutex sink_mutex;
std::shared_ptr<ProgressSink>& process_sink() {
  static std::shared_ptr<ProgressSink> sink;
  return sink;
}

}  // namespace

std::shared_ptr<ProgressSink> set_progress_sink(std::shared_ptr<ProgressSink> sink) {
  std::lock_guard lock(sink_mutex);
  return std::exchange(process_sink(), std::move(sink));
}

Progress::Progress(std::string task, int64_t total) {
  {
    std::lock_guard lock(sink_mutex);
    sink_ = process_sink();
  }
  state_.task = std::move(task);
  state_.total = total;
}

Progress::~Progress() { tell(true); }

void Progress::advance(int64_t units) {
  state_.done = std::min(state_.done + units, state_.total);
  if (sink_ && timer_.seconds() - last_told_ >= kSecondsBetweenUpdates) tell(false);
}

void Progress::tell(bool finished) {
  if (!sink_) return;
  state_.seconds = timer_.seconds();
  state_.finished = finished;
  last_told_ = state_.seconds;
  sink_->update(state_);
}

}  // namespace graphveil
