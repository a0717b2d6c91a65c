// Known answers: ours in tests/golden (made by make_accounting.py there), and the shared set where it can be found.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/account/accountant.h"
#include "graphveil/account/event_json.h"

namespace graphveil::account::golden_test {
namespace {

nlohmann::json read(const std::filesystem::path& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

void check(const nlohmann::json& item, double above, double below) {
  const Ledger ledger = ledger_from_json(item.at("events"));
  const double delta = item.at("delta").get<double>(), expected = item.at("epsilon").get<double>();
  const double ours = spent_epsilon(ledger, delta);
  EXPECT_LE(ours, expected * (1 + above)) << item.dump();
  EXPECT_GE(ours, expected * (1 - below)) << item.dump();
  // The other way round: at the known epsilon our delta is the known one. A step of `above` in epsilon is
  // d ln(delta) / d epsilon times as much in ln(delta); a cost of 1e-2 there covers slopes up to 40.
  EXPECT_LE(spent_delta(ledger, ours * (1 + above)), delta * (1 + 1e-2)) << item.dump();
  EXPECT_GE(spent_epsilon(ledger, delta, Accountant::Rdp), ours * (1 - 3e-4)) << item.dump();
}

TEST(Golden, OwnCases) {
  const auto cases = read(std::filesystem::path(GRAPHVEIL_SOURCE_DIR) / "tests/golden/accounting.json");
  ASSERT_GE(cases.size(), 20u);
  for (const auto& item : cases) check(item, item.at("above").get<double>(), item.at("below").get<double>());
}

std::filesystem::path shared(const char* name) {
  const char* override = std::getenv("GRAPHVEIL_DATA");
  const std::filesystem::path data = override ? override : std::string(GRAPHVEIL_SOURCE_DIR) + "/../shared";
  return data / "golden" / name;
}

TEST(Golden, EndsOfTheRange) {
  const auto path = shared("accounting_ends.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no " << path;
  const auto cases = read(path);
  ASSERT_FALSE(cases.empty());
  for (const auto& item : cases) {
    const double expected = item.at("epsilon").get<double>(), floor = item.at("floor").get<double>();
    const double ours = spent_epsilon(ledger_from_json(item.at("events")), item.at("delta").get<double>());
    EXPECT_LE(ours, expected * (1 + 1e-3)) << item.dump();
    EXPECT_GE(ours, expected * (1 - floor)) << item.dump();
  }
}

TEST(Golden, SharedCases) {
  const auto path = shared("accounting.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no " << path;
  const auto cases = read(path);
  ASSERT_FALSE(cases.empty());
  for (const auto& item : cases) {
    // Within 0.1 % of the known value, never more than 0.05 % below.
    check(item, 1e-3, 5e-4);
    if (item.contains("rdp_epsilon")) {
      const double ours =
          spent_epsilon(ledger_from_json(item.at("events")), item.at("delta").get<double>(), Accountant::Rdp);
      EXPECT_NEAR(ours / item.at("rdp_epsilon").get<double>(), 1, 5e-3) << item.dump();
    }
  }
}

}  // namespace
}  // namespace graphveil::account::golden_test
