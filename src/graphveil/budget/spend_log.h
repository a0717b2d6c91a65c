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
  std::string people;         // keyed fingerprint of the nodes' own records: graphs that agree in it have the same people
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
  // What composes for somebody, group by group: those who may be in all graphs that were not declared disjoint, then the
  // people of each disjoint graph. `next` is counted as if it were there. A graph that was declared disjoint once and
  // comes again without, or the other way round, has the same people all the same: everything on it is in its group.
  std::vector<account::Ledger> totals(const Spending* next = nullptr) const;
  // Whether somebody's records were in a graph that was not declared disjoint: then this one cannot be.
  bool shares_people(const std::string& people) const;
  // On disk when it returns.
  void add(const Spending& spending);

 private:
  std::string path_;
  int fd_ = -1;
  std::vector<Spending> entries_;
};

}  // namespace graphveil::budget
