// Runs a plan: many processes at a time, each result kept as soon as it is there.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/sweep/plan.h"
#include "graphveil/sweep/result.h"

namespace graphveil::sweep {

struct EngineSettings {
  std::string program;      // the graphveil program
  std::string folder;       // of the sweep
  std::string data_folder;  // where relative paths of graphs begin; empty: the present folder
  int jobs = 0;             // runs at a time; 0: as many as there are processors
  int64_t memory = 0;       // bytes for all of them together; 0: nine tenths of what is free
  std::string budget;       // book that runs reserve in; empty: what they find themselves
  bool retry = false;       // also what failed before
};

// A run at work.
struct Working {
  const Run* run;
  double seconds;
  std::string last_words;
};

// How far a sweep is. Pointers are good while the watcher is called.
struct SweepState {
  int64_t total = 0, done = 0, failed = 0, before = 0;  // `before`: of done and failed, those of an earlier process
  std::vector<Working> working;
  double seconds = 0;       // since this process began
  double seconds_left = 0;  // `at_least` until the first run has ended
  bool at_least = true;
  const std::map<std::string, Result>* results = nullptr;  // by run
};

// What was wanted and not run, because a file of it is not there.
struct Skipped {
  std::string path;
  int64_t runs = 0;
};

struct Swept {
  std::map<std::string, Result> results;  // by run, of this plan and of others in the folder
  std::vector<Skipped> skipped;
};

// Runs what has no result yet, watched about four times a second. Files that steps make lie in FOLDER/files, which runs
// have as their present folder. Killed at any moment, another call goes on. Throws Io for a folder that is taken.
Swept run_plan(const Plan& plan, const EngineSettings& settings, const std::function<void(const SweepState&)>& watch);

}  // namespace graphveil::sweep
