// Prints epsilon and time for each case of a JSON file: a list of objects with `events` and `delta` (other fields are
// ignored). One JSON object a line: {"epsilon": ..., "milliseconds": ...}.
//   account_cases CASES.json [pld|rdp]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "graphveil/account/accountant.h"
#include "graphveil/account/event_json.h"

int main(int argc, char** argv) try {
  using namespace graphveil::account;
  if (argc < 2) {
    std::fprintf(stderr, "usage: account_cases CASES.json [pld|rdp]\n");
    return 2;
  }
  const auto accountant = argc > 2 && std::string(argv[2]) == "rdp" ? Accountant::Rdp : Accountant::Pld;
  std::ifstream file(argv[1]);
  for (const auto& item : nlohmann::json::parse(file)) {
    const Ledger ledger = ledger_from_json(item.at("events"));
    const double delta = item.at("delta").get<double>();
    // The best of three: the first run may pay for tables that are kept.
    double epsilon = 0, best = INFINITY;
    for (int repeat = 0; repeat < 3; ++repeat) {
      const auto start = std::chrono::steady_clock::now();
      epsilon = spent_epsilon(ledger, delta, accountant);
      const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
      best = std::min(best, elapsed.count());
    }
    std::printf("{\"epsilon\": %.17g, \"milliseconds\": %.6g}\n", epsilon, best);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
