// Everything that was ever released from a run, training and inferences, in the order it happened.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graphveil/account/ledger.h"

namespace graphveil::budget {

// One release.
struct Spending {
  std::string what;           // "training", "inference"
  account::Ledger ledger;     // its events
  double delta = 0;
  bool disjoint = false;      // the user declared that its graph shares nobody with any other
  std::string about;          // keyed fingerprint of what it read, for the holder
};

// A file of one JSON line per release, locked while it is open, so that two processes cannot both spend the same budget.
// A line is on disk before the noise that it pays for is drawn.
class SpendLog {
 public:
  // Opens, or makes, and locks. Throws Io, or BadInput for a file that is not such a log.
  explicit SpendLog(std::string path);
  ~SpendLog();
  SpendLog(const SpendLog&) = delete;
  SpendLog& operator=(const SpendLog&) = delete;

  const std::vector<Spending>& entries() const { return entries_; }
  // All that composes for somebody who is in `next` and in all graphs that were not declared disjoint; for a disjoint
  // `next` that graph alone.
  account::Ledger total_with(const Spending& next) const;
  account::Ledger total() const;
  // On disk when it returns.
  void add(const Spending& spending);

 private:
  std::string path_;
  int fd_ = -1;
  std::vector<Spending> entries_;
};

}  // namespace graphveil::budget
