#include "graphveil/kernels/cpu.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/kernels/support.h"

namespace graphveil::kernels::cpu_test {
namespace {

TEST(Cpu, NamesRoundTripAndBadNamesAreRefused) {
  for (CpuLevel level : {CpuLevel::Generic, CpuLevel::Avx2, CpuLevel::Avx512}) {
    EXPECT_EQ(parse_cpu_level(name(level)), level);
  }
  EXPECT_THROW(parse_cpu_level("sse9"), Error);
  EXPECT_THROW(parse_cpu_level(""), Error);
}

TEST(Cpu, EveryAvailableLevelCanBeSetAndNoOther) {
  const Restore restore;
  for (CpuLevel level : available_levels()) {
    set_cpu_level(level);
    EXPECT_EQ(cpu_level(), level);
  }
  for (CpuLevel level : {CpuLevel::Avx2, CpuLevel::Avx512}) {
    if (level <= best_cpu_level()) continue;
    EXPECT_THROW(set_cpu_level(level), Error);
  }
}

// The environment is read once, at the first use: seen from fresh processes.
TEST(CpuDeathTest, EnvironmentChoosesTheLevelAtFirstUse) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto exit_with_level = [](const char* text) {
    setenv("GRAPHVEIL_CPU", text, 1);
    try {
      std::exit(cpu_level() == CpuLevel::Generic ? 10 : 11);
    } catch (const Error& error) {
      std::exit(error.kind() == ErrorKind::InvalidArgument ? 12 : 13);
    }
  };
  EXPECT_EXIT(exit_with_level("generic"), testing::ExitedWithCode(10), "");
  EXPECT_EXIT(exit_with_level("pentium"), testing::ExitedWithCode(12), "");
  EXPECT_EXIT(exit_with_level(name(best_cpu_level())),
              testing::ExitedWithCode(best_cpu_level() == CpuLevel::Generic ? 10 : 11), "");
}

}  // namespace
}  // namespace graphveil::kernels::cpu_test
