#include "cli/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace graphveil::cli {
namespace {

constexpr double kSilentSeconds = 2;
constexpr double kSecondsBetweenLines = 5;

std::string rate_text(double rate) {
  if (rate >= 1e9) return fmt::format("{:.1f}G/s", rate / 1e9);
  if (rate >= 1e6) return fmt::format("{:.1f}M/s", rate / 1e6);
  if (rate >= 1e3) return fmt::format("{:.1f}k/s", rate / 1e3);
  return fmt::format("{:.1f}/s", rate);
}

}  // namespace

std::string clock_time(double seconds) {
  const auto s = static_cast<int64_t>(std::ceil(std::min(seconds, 360000.0)));
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string progress_line(const ProgressUpdate& update, int width) {
  const double share = update.total > 0 ? static_cast<double>(update.done) / static_cast<double>(update.total) : 0;
  const double rate = update.seconds > 0 ? static_cast<double>(update.done) / update.seconds : 0;
  const std::string left =
      update.done > 0 ? clock_time(static_cast<double>(update.total - update.done) / rate) + " left" : "";
  const std::string head = fmt::format("{}  ", update.task);
  const std::string tail = fmt::format("{:3.0f}%  {}  {}", std::floor(100 * share), rate_text(rate), left);
  const int room = width - static_cast<int>(head.size() + tail.size()) - 4;
  if (room < 5) return (head + tail).substr(0, static_cast<size_t>(std::max(width, 0)));
  const int bar = std::min(room, 40);
  const int full = static_cast<int>(share * bar);
  return fmt::format("{}[{}{}]  {}", head, std::string(full, '#'), std::string(bar - full, '.'), tail);
}

ProgressBar::ProgressBar() : terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressBar::update(const ProgressUpdate& update) {
  if (terminal_) {
    if (update.finished) {
      if (drawn_) std::fputs("\r\033[K", stderr);
      drawn_ = false;
    } else if (update.seconds >= kSilentSeconds) {
      fmt::print(stderr, "\r{}\033[K", progress_line(update, 79));
      std::fflush(stderr);
      drawn_ = true;
    }
    return;
  }
  if (update.finished) {
    last_line_ = 0;
  } else if (update.seconds >= kSilentSeconds && update.seconds - last_line_ >= kSecondsBetweenLines) {
    fmt::print(stderr, "{}\n", progress_line(update, 79));
    last_line_ = update.seconds;
  }
}

}  // namespace graphveil::cli
