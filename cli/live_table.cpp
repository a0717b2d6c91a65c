#include "cli/live_table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <fmt/format.h>

#include "cli/progress_bar.h"
#include "graphveil/sweep/summary.h"
#include "graphveil/sweep/tables.h"

namespace graphveil::cli {
namespace {

constexpr double kSecondsBetweenPlainLines = 5;

struct Screen {
  size_t rows = 24, columns = 80;
};

Screen screen() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row < 4 || size.ws_col < 20) return {};
  return {size.ws_row, size.ws_col};
}

// The first so many letters: no line may wrap, or the next picture would be drawn below the old one.
std::string cut(const std::string& text, size_t columns) {
  size_t letters = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((text[i] & 0xC0) != 0x80 && ++letters > columns) return text.substr(0, i);
  }
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

std::string state_line(const sweep::SweepState& state) {
  std::string text = fmt::format("{} of {} runs", state.done + state.failed, state.total);
  if (state.failed > 0) text += fmt::format(", {} failed", state.failed);
  if (state.before > 0) text += fmt::format(", {} of them before", state.before);
  if (state.done + state.failed < state.total) {
    text += fmt::format(", {}{} left", state.at_least ? "at least " : "", clock_time(state.seconds_left));
  } else {
    text += fmt::format(", {}", clock_time(state.seconds));
  }
  return text;
}

LiveTable::LiveTable(const sweep::Plan& plan, bool quiet)
    : plan_(plan), quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

LiveTable::~LiveTable() { clear(); }

void LiveTable::clear() {
  for (int i = 0; i < lines_; ++i) std::fputs("\033[A\033[2K", stderr);
  lines_ = 0;
  std::fflush(stderr);
}

void LiveTable::show(const sweep::SweepState& state) {
  if (quiet_) return;
  if (!terminal_) {
    if (state.seconds - last_ < kSecondsBetweenPlainLines && state.done + state.failed < state.total) return;
    last_ = state.seconds;
    std::string text = state_line(state);
    if (!state.working.empty()) {
      const sweep::Working& oldest = *std::ranges::max_element(state.working, {}, &sweep::Working::seconds);
      text += fmt::format("; at work for {}: {}", clock_time(oldest.seconds), sweep::join_words(oldest.run->words));
    }
    fmt::print(stderr, "{}\n", text);
    std::fflush(stderr);
    return;
  }
  const Screen size = screen();
  std::vector<std::string> lines =
      lines_of(sweep::text_table(sweep::summarize(plan_, *state.results, plan_.metric, "")));
  lines.push_back(state_line(state));
  for (const sweep::Working& working : state.working) {
    const sweep::Run& run = *working.run;
    std::string which = fmt::format("{} {}", run.graph, run.label());
    if (run.epsilon) which += fmt::format(", ε = {:g}", *run.epsilon);
    if (run.seed) which += fmt::format(", seed {}", *run.seed);
    lines.push_back(fmt::format("  {:>6}  {}{}{}", clock_time(working.seconds), which,
                                working.last_words.empty() ? "" : ": ", working.last_words));
  }
  if (lines.size() > size.rows - 1) lines.erase(lines.begin(), lines.end() - static_cast<int64_t>(size.rows - 1));
  clear();
  for (const std::string& line : lines) fmt::print(stderr, "{}\n", cut(line, size.columns - 1));
  lines_ = static_cast<int>(lines.size());
  std::fflush(stderr);
}

}  // namespace graphveil::cli
