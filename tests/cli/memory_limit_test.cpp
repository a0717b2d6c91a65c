// Graphs larger than --memory, as a user would train on them.
#include <filesystem>
#include <set>

#include "tests/cli/journey.h"

namespace graphveil::cli::memory_limit_test {
namespace {

namespace fs = std::filesystem;

constexpr double kLimitGb = 0.1;

// Every file of a run that does not tell the time.
std::string contents(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) names.insert(entry.path().string());
  }
  std::string all;
  for (const std::string& name : names) {
    const std::string short_name = name.substr(folder.size());
    if (short_name.ends_with(".safetensors") || short_name.ends_with(".csv"))
      all += short_name + files::read_bytes(name);
  }
  return all;
}

TEST(MemoryLimit, AGraphFourTimesAsLargeGivesTheSameBytes) {
  const TemporaryFolder folder;
  const std::string graph = folder.path("large.gvg");
  const Outcome made = run(folder, fmt::format("data generate {} --preset products --nodes 700000 --seed 3 -q", graph));
  ASSERT_EQ(made.exit_code, 0) << made.error;
  ASSERT_GT(static_cast<double>(fs::file_size(graph)), 4e9 * kLimitGb);
  const std::string command = "train lap --data " + graph + " -e 4 -d 1e-7 --seed 5 --steps 3 -q --json --out ";
  const Outcome whole = run(folder, command + folder.path("whole"));
  ASSERT_EQ(whole.exit_code, 0) << whole.error;
  const Outcome small = run(folder, command + folder.path("small") + fmt::format(" --memory {}", kLimitGb));
  ASSERT_EQ(small.exit_code, 0) << small.error;
  EXPECT_EQ(contents(folder.path("small")), contents(folder.path("whole")));
  const double peak = small.json()["peak_memory_mb"], before = whole.json()["peak_memory_mb"];
  EXPECT_LT(peak, 1000 * kLimitGb + 200);
  EXPECT_GT(before, 4000 * kLimitGb);
}

TEST(MemoryLimit, AScratchFolderThatIsNotThereIsNamed) {
  const TemporaryFolder folder;
  const Outcome made =
      run(folder, "data generate " + folder.path("g.gvg") +
                      " --preset citation --nodes 400000 --seed 3 -q --memory 0.1 --scratch " + folder.path("missing"));
  EXPECT_EQ(made.exit_code, 2);
  EXPECT_NE(made.error.find("missing: no scratch folder"), std::string::npos) << made.error;
  EXPECT_FALSE(fs::exists(folder.path("g.gvg")));
}

}  // namespace
}  // namespace graphveil::cli::memory_limit_test
