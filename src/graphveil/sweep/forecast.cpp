#include "graphveil/sweep/forecast.h"

#include <algorithm>

namespace graphveil::sweep {
namespace {

constexpr double kMegabyte = 1024 * 1024;
constexpr double kSpare = 1.1;
constexpr int64_t kLeast = int64_t{64} << 20;
constexpr int64_t kUnpacked = 40;  // a compressed sparse file in memory, with what a training makes of it

std::string row_key(const Run& run) { return run.graph + '\n' + run.label(); }
std::string method_key(const Run& run) { return run.graph + '\n' + run.method; }

}  // namespace

void Forecast::Seen::add(double s, double mb) {
  seconds += s;
  megabytes = std::max(megabytes, mb);
  ++count;
}

void Forecast::add(const Run& run, double seconds, double peak_memory_mb) {
  for (Seen* seen : {&rows_[row_key(run)], &methods_[method_key(run)], &graphs_[run.graph], &all_}) {
    seen->add(seconds, peak_memory_mb);
  }
}

double Forecast::seconds(const Run& run) const {
  const auto mean = [](const Seen& seen) { return seen.seconds / static_cast<double>(seen.count); };
  if (const auto found = rows_.find(row_key(run)); found != rows_.end()) return mean(found->second);
  if (const auto found = graphs_.find(run.graph); found != graphs_.end()) return mean(found->second);
  return all_.count > 0 ? mean(all_) : 0;
}

int64_t Forecast::bytes(const Run& run, int64_t file_bytes) const {
  const auto most = [](const Seen& seen) { return static_cast<int64_t>(kSpare * kMegabyte * seen.megabytes); };
  if (const auto found = methods_.find(method_key(run)); found != methods_.end() && found->second.megabytes > 0) {
    return most(found->second);
  }
  if (const auto found = graphs_.find(run.graph); found != graphs_.end() && found->second.megabytes > 0) {
    return most(found->second);
  }
  return kLeast + kUnpacked * file_bytes;
}

}  // namespace graphveil::sweep
