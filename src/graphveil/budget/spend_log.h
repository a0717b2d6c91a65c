// Everything that was ever released from a run, training and inferences, in the order it happened.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graphveil/account/accountant.h"
#include "graphveil/account/ledger.h"

namespace graphveil::budget {

// One release.
struct Spending {
  std::string what;        // "training", "inference"
  account::Ledger ledger;  // its events
  double delta = 0;
  bool disjoint = false;  // the user declared that its graph shares nobody with any other
  // Keyed fingerprint of the nodes' own records: graphs that agree in it have the same people. Empty: not known whose,
  // so it counts for everybody.
  std::string people;
  std::string certificate = {};  // of the training: the digest in its certificate; else empty
  std::string predictions = {};  // of the training: the hash of the predictions made with it, for whomever they are
  std::string id = {};           // made by chance, so that releases of two copies of a run are told apart
  std::vector<std::string> joined = {};  // ids of those who joined the graph and whose rows this released; mostly none
};

// For a release that is about to be written down.
std::string new_release_id();

// The releases in a log. A last line that was never written to its end paid for nothing and is passed over. Throws Io,
// or BadInput for a file that is not such a log or that has lost a line: each line has its number and the hash of the
// line before, and a file beside the log (its name ends in .head) says how many lines there were at least.
std::vector<Spending> read_spend_log(const std::string& path);

// What they cost together at `delta`, for the person they cost most: all graphs that were not declared disjoint
// compose, each of the others with itself. A graph that was declared disjoint once and comes again without, or the
// other way round, has the same people all the same: everything on it composes with all that was not declared. What is
// about people who are not known composes with everything.
// `group`: for people who are that many nodes each (account/group_epsilon.h).
double total_epsilon(std::span<const Spending> entries, double delta,
                     account::Accountant accountant = account::Accountant::Pld, int64_t group = 1);

// A file of one JSON line per release, locked while it is open, so that two processes cannot both spend the same
// budget. A line is on disk before the noise that it pays for is drawn.
class SpendLog {
 public:
  enum class File { New, Existing };
  // Makes or opens, and locks. A log that is gone is not begun again: what it held would be forgotten. Throws Io, or
  // BadInput for a file that is not such a log.
  SpendLog(std::string path, File file);
  ~SpendLog();
  SpendLog(const SpendLog&) = delete;
  SpendLog& operator=(const SpendLog&) = delete;

  const std::vector<Spending>& entries() const { return entries_; }
  // Whether somebody's records were in a graph that was not declared disjoint: then this one cannot be.
  bool shares_people(const std::string& people) const;
  // The line is on disk when this returns; one without an id gets one. Throws Io, the log as it was before, when that
  // cannot be.
  void add(const Spending& spending);

 private:
  std::string path_;
  int fd_ = -1;
  std::vector<Spending> entries_;
  std::string last_;  // the hash of the last line; empty before the first
};

}  // namespace graphveil::budget
