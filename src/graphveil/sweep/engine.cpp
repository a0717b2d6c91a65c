#include "graphveil/sweep/engine.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <list>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "graphveil/artifact/journal.h"
#include "graphveil/base/error.h"
#include "graphveil/base/resources.h"
#include "graphveil/sweep/children.h"
#include "graphveil/sweep/forecast.h"
#include "graphveil/sweep/kept_run.h"
#include "graphveil/sweep/results_file.h"

namespace graphveil::sweep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFiles = "files";      // what steps and fresh runs write
constexpr const char* kRunning = "running";  // output of runs at work
constexpr auto kLook = std::chrono::milliseconds(5);
constexpr double kSecondsBetweenWatches = 0.25;

const std::vector<std::string> kPathOptions = {"--data", "--private", "--public", "--config"};

struct Started {
  const Run* run;
  int64_t bytes;
  std::string kept;  // run folder that was finished before, and only has to be cleared up after; empty: none
  std::unique_ptr<Child> child;
};

class Engine {
 public:
  Engine(const Plan& plan, const EngineSettings& settings, const std::function<void(const SweepState&)>& watch)
      : plan_(plan),
        settings_(settings),
        watch_(watch),
        file_(settings.folder),
        folder_(fs::absolute(settings.folder)),
        jobs_(settings.jobs > 0 ? settings.jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
        memory_(settings.memory > 0 ? settings.memory : free_memory_bytes() / 10 * 9) {
    fs::create_directories(folder_ / kFiles);
    // Of a process that was killed.
    fs::remove_all(folder_ / kRunning);
    fs::create_directories(folder_ / kRunning);
  }

  Swept run() {
    choose();
    watch();
    while (!waiting_.empty() || !working_.empty()) {
      start_what_fits();
      bool news = collect();
      if (timer_.seconds() - watched_ >= kSecondsBetweenWatches) watch();
      if (!news) std::this_thread::sleep_for(kLook);
    }
    watch();
    fs::remove_all(folder_ / kRunning);
    Swept out{file_.results(), {}};
    for (const auto& [path, runs] : missing_) out.skipped.push_back({path, runs});
    return out;
  }

 private:
  // Whether it needs no running, for it has a result that stands.
  bool settled(const Run& run) const {
    const auto found = file_.results().find(run.id);
    return found != file_.results().end() && (found->second.done || !settings_.retry);
  }

  fs::path given_path(const std::string& path) const {
    const fs::path from = settings_.data_folder.empty() ? fs::current_path() : fs::absolute(settings_.data_folder);
    return from / path;
  }

  // Where a path of a run leads, or the path as it is: a file that a step makes, in the folder of files.
  std::string resolved(const std::string& path) const {
    const fs::path place = given_path(path);
    return fs::exists(place) ? place.lexically_normal().string() : path;
  }

  bool made_by_a_step(const std::string& path) const {
    return std::ranges::any_of(plan_.steps, [&](const Run& step) {
      return std::ranges::find(step.words, path) != step.words.end() && step.data != path;
    });
  }

  void choose() {
    std::set<size_t> needed;
    for (const Run& run : plan_.runs) {
      if (!run.data.empty() && !fs::exists(given_path(run.data)) && !made_by_a_step(run.data)) {
        ++missing_[run.data];
        continue;
      }
      ++state_.total;
      if (settled(run)) {
        const Result& result = file_.results().at(run.id);
        ++(result.done ? state_.done : state_.failed);
        ++state_.before;
        if (result.done) forecast_.add(run, result.seconds, result.peak_memory_mb);
        continue;
      }
      waiting_.push_back(&run);
      needed.insert(run.after.begin(), run.after.end());
    }
    for (auto step = needed.rbegin(); step != needed.rend(); ++step) {
      ++state_.total;
      if (settled(plan_.steps[*step])) {
        ++(file_.results().at(plan_.steps[*step].id).done ? state_.done : state_.failed);
        ++state_.before;
      } else {
        waiting_.push_front(&plan_.steps[*step]);
      }
    }
  }

  // What must be done before: empty when it may begin, else the step that failed or is not done.
  enum class Ready { Yes, Wait, Never };
  Ready ready(const Run& run) const {
    for (const size_t step : run.after) {
      const auto found = file_.results().find(plan_.steps[step].id);
      if (found == file_.results().end()) return Ready::Wait;
      // A failed step that is being tried again has an old line.
      const bool again = std::ranges::any_of(waiting_, [&](const Run* other) { return other == &plan_.steps[step]; }) ||
                         std::ranges::any_of(working_, [&](const Started& s) { return s.run == &plan_.steps[step]; });
      if (again) return Ready::Wait;
      if (!found->second.done) return Ready::Never;
    }
    return Ready::Yes;
  }

  int64_t file_bytes(const Run& run) const {
    std::error_code error;
    const auto size = run.data.empty() ? 0 : fs::file_size(resolved(run.data), error);
    return error ? 0 : static_cast<int64_t>(size);
  }

  void start_what_fits() {
    int64_t used = 0;
    for (const Started& started : working_) used += started.bytes;
    for (auto at = waiting_.begin(); at != waiting_.end() && std::ssize(working_) < jobs_;) {
      const Run& run = **at;
      const Ready state = ready(run);
      if (state == Ready::Never) {
        keep(run, failed_result(plan_.name, run, "a command that makes a file it reads has failed"));
        at = waiting_.erase(at);
        continue;
      }
      const int64_t bytes = forecast_.bytes(run, file_bytes(run));
      // One that is larger than everything runs by itself.
      if (state == Ready::Wait || (!working_.empty() && used + bytes > memory_)) {
        ++at;
        continue;
      }
      at = waiting_.erase(at);
      if (start(run, bytes)) used += bytes;
    }
  }

  // The words of the process: those of the run, with paths that lead there from anywhere.
  std::vector<std::string> arguments(const Run& run) const {
    std::vector<std::string> words = run.words;
    for (size_t i = 0; i + 1 < words.size(); ++i) {
      if (std::ranges::find(kPathOptions, words[i]) != kPathOptions.end()) words[i + 1] = resolved(words[i + 1]);
    }
    if (!settings_.budget.empty() && (words[0] == "train" || words[0] == "attack")) {
      words.insert(words.end(), {"--budget", fs::absolute(settings_.budget).string()});
    }
    return words;
  }

  // Whether a process was started: not for a run that was finished before and only lacks its line.
  bool start(const Run& run, int64_t bytes) {
    std::vector<std::string> words = arguments(run);
    const std::optional<std::string> out = value_of(run.words, {"--out"});
    std::string finished_before;
    if (run.words[0] == "train" && out) {
      const std::string folder = (folder_ / kFiles / *out).string();
      if (fs::exists(folder)) finished_before = folder;
      if (fs::exists(artifact::Journal::path_of(folder))) {
        words = {"train", "--resume", *out};  // goes on, or removes the journal of a run that is finished
      } else if (!finished_before.empty()) {
        keep(run, kept_result(run, finished_before));
        return false;
      }
    }
    words.insert(words.end(), {"--json", "--threads", "1"});
    const std::string at = (folder_ / kRunning / run.id).string();
    working_.push_back(
        {&run, bytes, finished_before,
         std::make_unique<Child>(settings_.program, words, (folder_ / kFiles).string(), at + ".json", at + ".txt")});
    return true;
  }

  void keep(const Run& run, const Result& result) {
    file_.add(result);
    ++(result.done ? state_.done : state_.failed);
    if (result.done) forecast_.add(run, result.seconds, result.peak_memory_mb);
  }

  Result kept_result(const Run& run, const std::string& folder) const {
    return result_of(
        plan_.name, run,
        {.exit_code = 0, .signal = 0, .out = outcome_of_folder(folder).value_or(""), .error = "", .seconds = 0});
  }

  bool collect() {
    bool news = false;
    for (auto at = working_.begin(); at != working_.end();) {
      if (!at->child->ended()) {
        ++at;
        continue;
      }
      const Ended ended = at->child->result();
      keep(*at->run, at->kept.empty() ? result_of(plan_.name, *at->run, ended) : kept_result(*at->run, at->kept));
      at = working_.erase(at);
      news = true;
    }
    return news;
  }

  void watch() {
    watched_ = timer_.seconds();
    state_.working.clear();
    double left = 0, longest = 0, first = 0;
    for (const Started& started : working_) {
      const double so_far = started.child->seconds(), expected = forecast_.seconds(*started.run);
      state_.working.push_back({started.run, so_far, started.child->last_words()});
      left += std::max(0.0, expected - so_far);
      longest = std::max(longest, expected - so_far);
      first = std::max(first, so_far);
    }
    for (const Run* run : waiting_) left += forecast_.seconds(*run);
    state_.at_least = !forecast_.knows_time();
    state_.seconds = timer_.seconds();
    // Before the first has ended: every one takes at least as long as the first has so far.
    const auto rounds = static_cast<double>((std::ssize(waiting_) + jobs_ - 1) / jobs_);
    state_.seconds_left =
        state_.at_least ? rounds * std::max(first, kSecondsBetweenWatches) : std::max(left / jobs_, longest);
    state_.results = &file_.results();
    if (watch_) watch_(state_);
  }

  const Plan& plan_;
  const EngineSettings& settings_;
  const std::function<void(const SweepState&)>& watch_;
  ResultsFile file_;
  fs::path folder_;
  int jobs_;
  int64_t memory_;
  Forecast forecast_;
  std::map<std::string, int64_t> missing_;
  std::list<const Run*> waiting_;
  std::list<Started> working_;
  SweepState state_;
  Timer timer_;
  double watched_ = 0;
};

}  // namespace

Swept run_plan(const Plan& plan, const EngineSettings& settings, const std::function<void(const SweepState&)>& watch) {
  return Engine(plan, settings, watch).run();
}

}  // namespace graphveil::sweep
