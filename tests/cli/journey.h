// A small graph to begin with, for tests of train, predict and verify.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace graphveil::cli {

class Journey : public testing::Test {
 protected:
  Journey() : graph_(generated("tiny", 1)) {}

  std::string generated(const std::string& name, int seed) {
    const std::string path = folder_.path(name + ".gvg");
    const Outcome made = run(folder_, "data generate " + path + " --preset tiny -q --seed " + std::to_string(seed));
    EXPECT_EQ(made.exit_code, 0) << made.error;
    return path;
  }
  // Quickly, into the folder `name`.
  Outcome train(const std::string& method, const std::string& name, const std::string& options = "") {
    const bool steps = method == "lap" || method == "mlp-dp" || method == "dpgnn";
    return run(folder_, "train " + method + " --data " + graph_ + " -q --json --out " + folder_.path(name) + " " +
                            (steps ? "--steps 5 "
                             : method == "gap-edp" || method == "gap-ndp" || method == "gap-inf"
                                 ? "--epochs 3 --encoder-epochs 3 "
                                 : "") +
                            options);
  }
  // The program in a process of its own, and the number of that; what it says goes to the file `said`.
  pid_t start(const std::string& arguments) {
    const pid_t child = fork();
    if (child == 0) {
      const std::string command =
          fmt::format("exec {} {} >/dev/null 2>{}", GRAPHVEIL_PROGRAM, arguments, folder_.path("said"));
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    return child;
  }
  // The exit code; -1 where it was killed.
  static int ended(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  bool there(const std::string& name) const { return std::filesystem::exists(folder_.path(name)); }
  static void has_fields(const nlohmann::json& object, const std::vector<const char*>& names) {
    for (const char* name : names) EXPECT_TRUE(object.contains(name)) << name << " in " << object;
  }

  TemporaryFolder folder_;
  std::string graph_;
};

}  // namespace graphveil::cli
