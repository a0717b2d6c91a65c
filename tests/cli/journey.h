// A small graph to begin with, for tests of train, predict and verify.
#pragma once

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
  bool there(const std::string& name) const { return std::filesystem::exists(folder_.path(name)); }
  static void has_fields(const nlohmann::json& object, const std::vector<const char*>& names) {
    for (const char* name : names) EXPECT_TRUE(object.contains(name)) << name << " in " << object;
  }

  TemporaryFolder folder_;
  std::string graph_;
};

}  // namespace graphveil::cli
